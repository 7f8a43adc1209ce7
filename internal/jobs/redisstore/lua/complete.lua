-- An attempt publishes. ARGV: 1 job, 2 attempt, 3 owner, 4 result, 5 warnings, 6 what made it or '', 7 hash of the bytes, 8 their number. Returns
-- won, already, canceled or lost.
local id, fence, j = ARGV[1], ARGV[2] .. ' ' .. ARGV[3], ending(ARGV[1])
if j.wonby then return j.wonby == fence and 'already' or 'lost' end
if j.status ~= 'running' or j.att ~= ARGV[2] or j.owner ~= ARGV[3] then return 'lost' end
local tenant, document = j.tenant, K.document(j.document)
if redis.call('HGET', document, 'status') ~= 'pending' then return 'lost' end
local n = now()
if j.cancel then
  finish(j, 'canceled', n, {'warnings', ARGV[5]})
  return 'canceled'
end
local number = redis.call('INCR', K.seq(tenant))
redis.call('HSET', document, 'status', 'issued', 'job', id, 'result', ARGV[4], 'issued', n, 'number', number)
if ARGV[6] ~= '' then redis.call('HSET', document, 'made', ARGV[6]) end
count_bytes(tenant, document, ARGV[8])
register(tenant, number, j.document, ARGV[7])
if tonumber(j.retention) > 0 then
  redis.call('HSET', document, 'expires', n + j.retention)
  redis.call('HSET', K.job(id), 'expires', n + j.retention)
  redis.call('ZADD', K.exp, n + j.retention, j.document)
end
redis.call('LPUSH', K.took(j.class), n - j.started)
redis.call('LTRIM', K.took(j.class), 0, 63)
if j.error then redis.call('HDEL', K.job(id), 'error') end
finish(j, 'succeeded', n, {'wonby', fence, 'result', ARGV[4], 'warnings', ARGV[5], 'progress', 100})
return 'won'
