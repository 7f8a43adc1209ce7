-- The queue holds tasks: look again later, at growing intervals, until they are claimed. ARGV: line, id, generation of each. Returns how
-- many of them nobody has claimed.
local n, noted = now(), 0
for i = 1, #ARGV, 3 do
  local line, id = ARGV[i], ARGV[i + 1]
  local queue, record = QUEUE[line], RECORD[line](id)
  local score = redis.call('ZSCORE', queue, id)
  local v = score and redis.call('HMGET', record, 'gen', 'owner', 'disp', 'orphan')
  -- Several processes ring for the same task at the same time; the first to say so counts.
  if score and v[1] == ARGV[i + 2] and not v[2] and (tonumber(v[3] or 0) == 0 or tonumber(score) <= n) then
    local times = (v[3] or 0) + 1
    redis.call('HSET', record, 'disp', times)
    if v[4] then redis.call('HDEL', record, 'orphan') end
    redis.call('ZADD', queue, 'XX', n + math.min(5000 * 2 ^ (times - 1), 600000), id)
    redis.call('SADD', K.sent(line), id)
    noted = noted + 1
  end
end
return noted
