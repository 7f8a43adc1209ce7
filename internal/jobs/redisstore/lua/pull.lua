-- Makes dispatched tasks due now. ARGV: 1 line, 2 horizon ms: what is due sooner is left, then id, generation; a
-- generation of '' stands for any. A task already seen as an orphan keeps its time. Returns how many of them nobody has
-- claimed.
local queue, n, unclaimed = QUEUE[ARGV[1]], now(), 0
for i = 3, #ARGV, 2 do
  local id, gen = ARGV[i], ARGV[i + 1]
  local score = redis.call('ZSCORE', queue, id)
  local v = redis.call('HMGET', RECORD[ARGV[1]](id), 'gen', 'owner', 'orphan', 'disp')
  local dispatched = tonumber(v[4] or 0) > 0
  if not score then
    redis.call('SREM', K.sent(ARGV[1]), id)
  elseif v[2] or gen ~= '' and gen ~= v[1] then
    -- somebody works on it, or this is an older task of it
  else
    unclaimed = unclaimed + 1
    if dispatched and not v[3] and tonumber(score) > n + ARGV[2] then redis.call('ZADD', queue, 'XX', n, id) end
  end
end
return unclaimed
