-- An attempt made nothing. ARGV: 1 job, 2 attempt, 3 owner, 4 error, 5 counter or '', 6 limit (< 0: none),
-- 7 only when overdue (1 or 0), then the delays in ms. Returns retry, failed, canceled, lost or alive.
local id = ARGV[1]
local j = ending(id)
if j.status ~= 'running' or j.att ~= ARGV[2] or j.owner ~= ARGV[3] then return 'lost' end
local n = now()
if ARGV[7] == '1' and tonumber(j.lease) > n then return 'alive' end
if j.cancel then
  finish(j, 'canceled', n, {})
  return 'canceled'
end
local count, limit = 1, tonumber(ARGV[6])
if ARGV[5] ~= '' then count = redis.call('HINCRBY', K.job(id), ARGV[5], 1) end
if ARGV[5] ~= '' and limit >= 0 and count > limit then
  finish(j, 'failed', n, {'error', ARGV[4]})
  return 'failed'
end
local delays = #ARGV - 7
local delay = delays > 0 and ARGV[7 + math.min(count, delays)] or 0
redis.call('HSET', K.job(id), 'status', 'queued', 'error', ARGV[4], 'disp', 0, 'progress', 0)
redis.call('HDEL', K.job(id), 'owner', 'lease')
redis.call('HINCRBY', K.job(id), 'gen', 1)
move(j, 'queued', n)
redis.call('ZREM', K.run, id)
if tonumber(delay) > 0 then redis.call('ZADD', K.out, n + delay, id) else ready(id, j.tenant, j.class, n, true) end
feed(j, 'queued', j.att)
return 'retry'
