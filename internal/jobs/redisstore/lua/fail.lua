-- An attempt made nothing. ARGV: 1 job, 2 attempt, 3 owner, 4 error, 5 counter or '', 6 limit (< 0: none),
-- 7 only when overdue (1 or 0), then the delays in ms. Returns retry, failed, canceled, lost or alive.
local id = ARGV[1]
local v = redis.call('HMGET', K.job(id), 'status', 'att', 'owner', 'lease', 'cancel', 'tenant', 'class')
if v[1] ~= 'running' or v[2] ~= ARGV[2] or v[3] ~= ARGV[3] then return 'lost' end
local n = now()
if ARGV[7] == '1' and tonumber(v[4]) > n then return 'alive' end
if v[5] then
  finish(id, 'canceled', n, {})
  return 'canceled'
end
local count, limit = 1, tonumber(ARGV[6])
if ARGV[5] ~= '' then count = redis.call('HINCRBY', K.job(id), ARGV[5], 1) end
if ARGV[5] ~= '' and limit >= 0 and count > limit then
  finish(id, 'failed', n, {'error', ARGV[4]})
  return 'failed'
end
local delays = #ARGV - 7
local delay = delays > 0 and ARGV[7 + math.min(count, delays)] or 0
redis.call('HSET', K.job(id), 'error', ARGV[4], 'disp', 0, 'progress', 0)
redis.call('HDEL', K.job(id), 'owner', 'lease')
redis.call('HINCRBY', K.job(id), 'gen', 1)
move(id, v[6], 'running', 'queued')
redis.call('ZREM', K.run, id)
if tonumber(delay) > 0 then redis.call('ZADD', K.out, n + delay, id) else ready(id, v[6], v[7], n, true) end
feed(id, 'queued', v[2])
return 'retry'
