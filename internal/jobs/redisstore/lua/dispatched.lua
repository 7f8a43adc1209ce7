-- The queue holds a task: look again later, at growing intervals, until it is claimed. ARGV: 1 line, 2 id, 3 generation.
local queue, record = QUEUE[ARGV[1]], RECORD[ARGV[1]](ARGV[2])
local score = redis.call('ZSCORE', queue, ARGV[2])
if not score then return 0 end
local v = redis.call('HMGET', record, 'gen', 'owner', 'disp')
if v[1] ~= ARGV[3] or v[2] then return 0 end
local n = now()
-- Several processes ring for the same task at the same time; the first to say so counts.
if tonumber(v[3] or 0) > 0 and tonumber(score) > n then return 0 end
local times = redis.call('HINCRBY', record, 'disp', 1)
redis.call('HDEL', record, 'orphan')
redis.call('ZADD', queue, 'XX', n + math.min(5000 * 2 ^ (times - 1), 600000), ARGV[2])
redis.call('SADD', K.sent(ARGV[1]), ARGV[2])
return times
