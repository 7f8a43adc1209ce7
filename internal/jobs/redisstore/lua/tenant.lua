-- ARGV: 1 tenant, then the fields of its limits. Returns {created or '', sealed secrets, sealed callback, now, sealed signing keys, stored
-- bytes, stored versions, queued jobs, running jobs, limits…}.
local tenant = K.tenant(ARGV[1])
local v = redis.call('HMGET', tenant, 'created', 'secrets', 'callback', 'signing')
local u = redis.call('HMGET', K.used(ARGV[1]), 'bytes', 'versions')
local limits = redis.call('HMGET', tenant, unpack(ARGV, 2))
local answer = {v[1] or '', v[2] or '', v[3] or '', string.format('%.0f', now()), v[4] or '', u[1] or '0', u[2] or '0',
  tostring(lined_up(ARGV[1])), tostring(redis.call('ZCARD', K.idx(ARGV[1], 'running')))}
for _, limit in ipairs(limits) do answer[#answer + 1] = limit or '' end
return answer
