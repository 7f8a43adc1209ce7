-- A job with the state of its report. ARGV: 1 job. Returns {fields, delivery's status, attempts, next} or {}.
local fields = redis.call('HGETALL', K.job(ARGV[1]))
if #fields == 0 then return {} end
local delivery = redis.call('HGET', K.job(ARGV[1]), 'dlv')
local v = redis.call('HMGET', K.dlv(delivery), 'status', 'att', 'next')
return {fields, v[1] or '', v[2] or '0', v[3] or '0'}
