-- An attempt publishes. ARGV: 1 job, 2 attempt, 3 owner, 4 result, 5 warnings, 6 what made it or '', 7 hash of the bytes, 8 their number. Returns
-- won, already, canceled or lost.
local id, fence = ARGV[1], ARGV[2] .. ' ' .. ARGV[3]
local v = redis.call('HMGET', K.job(id), 'wonby', 'status', 'att', 'owner', 'cancel', 'document', 'tenant',
  'retention', 'started', 'class')
if v[1] then return v[1] == fence and 'already' or 'lost' end
if v[2] ~= 'running' or v[3] ~= ARGV[2] or v[4] ~= ARGV[3] then return 'lost' end
if redis.call('HGET', K.document(v[6]), 'status') ~= 'pending' then return 'lost' end
local n = now()
if v[5] then
  finish(id, 'canceled', n, {'warnings', ARGV[5]})
  return 'canceled'
end
local document, number = K.document(v[6]), redis.call('INCR', K.seq(v[7]))
redis.call('HSET', document, 'status', 'issued', 'job', id, 'result', ARGV[4], 'issued', n, 'number', number)
if ARGV[6] ~= '' then redis.call('HSET', document, 'made', ARGV[6]) end
count_bytes(v[7], document, ARGV[8])
register(v[7], number, v[6], ARGV[7])
if tonumber(v[8]) > 0 then
  redis.call('HSET', document, 'expires', n + v[8])
  redis.call('HSET', K.job(id), 'expires', n + v[8])
  redis.call('ZADD', K.exp, n + v[8], v[6])
end
redis.call('LPUSH', K.took(v[10]), n - v[9])
redis.call('LTRIM', K.took(v[10]), 0, 63)
redis.call('HDEL', K.job(id), 'error')
finish(id, 'succeeded', n, {'wonby', fence, 'result', ARGV[4], 'warnings', ARGV[5], 'progress', 100})
return 'won'
