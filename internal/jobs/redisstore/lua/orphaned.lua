-- The queue holds a task on which nobody works. ARGV: 1 line, 2 id, 3 generation, 4 how long it must stay so in ms.
-- The first sight is kept in the record, where every process sees it. Returns the new generation, or 0.
local queue, record = QUEUE[ARGV[1]], RECORD[ARGV[1]](ARGV[2])
local v = redis.call('HMGET', record, 'gen', 'owner', 'orphan')
if v[1] ~= ARGV[3] or v[2] or not redis.call('ZSCORE', queue, ARGV[2]) then return 0 end
local n, gen, seen = now(), nil, nil
if v[3] then gen, seen = string.match(v[3], '^(%d+) (%d+)$') end
if gen ~= ARGV[3] then
  redis.call('HSET', record, 'orphan', ARGV[3] .. ' ' .. string.format('%.0f', n))
  redis.call('ZADD', queue, n + ARGV[4] * 1.2, ARGV[2])
  return 0
end
if n - seen < tonumber(ARGV[4]) then return 0 end
redis.call('HSET', record, 'disp', 0)
redis.call('HDEL', record, 'orphan')
redis.call('ZADD', queue, n, ARGV[2])
redis.call('SREM', K.sent(ARGV[1]), ARGV[2])
return redis.call('HINCRBY', record, 'gen', 1)
