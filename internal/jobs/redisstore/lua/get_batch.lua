-- A sealed batch. ARGV: 1 batch. Returns {fields, codes, expected, missing, ends in ms, delivery's status, attempts, next, now} or {}.
local id = ARGV[1]
if redis.call('HGET', K.batch(id), 'state') ~= 'sealed' then return {} end
local fields = redis.call('HGETALL', K.batch(id))
local v = redis.call('HMGET', K.dlv(redis.call('HGET', K.batch(id), 'dlv')), 'status', 'att', 'next')
return {fields, redis.call('HGETALL', K.codes(id)), redis.call('ZCARD', K.expects(id)), redis.call('ZCOUNT', K.expects(id), 0, 0),
  redis.call('LRANGE', K.pace(id), 0, -1), v[1] or '', v[2] or '0', v[3] or '0', string.format('%.0f', now())}
