-- The queue holds a task: look again later, at growing intervals, until it is claimed. ARGV: 1 line, 2 id, 3 generation.
local queue, record = QUEUE[ARGV[1]], RECORD[ARGV[1]](ARGV[2])
if not redis.call('ZSCORE', queue, ARGV[2]) then return 0 end
local v = redis.call('HMGET', record, 'gen', 'owner')
if v[1] ~= ARGV[3] or v[2] then return 0 end
local times = redis.call('HINCRBY', record, 'disp', 1)
redis.call('ZADD', queue, 'XX', now() + math.min(5000 * 2 ^ (times - 1), 600000), ARGV[2])
redis.call('SADD', K.sent(ARGV[1]), ARGV[2])
return times
