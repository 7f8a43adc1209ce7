-- A delivery becomes due again; the schedule begins anew. ARGV: 1 delivery, 2 retention of dead letters in ms. Returns
-- ok, pending, expired or gone.
local id = ARGV[1]
local v = redis.call('HMGET', K.dlv(id), 'status', 'att', 'tenant', 'expired', 'died')
if not v[1] then return 'gone' end
if v[4] then return 'expired' end
if v[1] == 'pending' then return 'pending' end
local n = now()
if v[1] == 'dead' and v[5] + ARGV[2] <= n then return 'expired' end
redis.call('HSET', K.dlv(id), 'status', 'pending', 'from', v[2], 'disp', 0, 'next', n)
redis.call('HDEL', K.dlv(id), 'died')
owe(K.dlv(id), DELIVERY_BYTES)
redis.call('HINCRBY', K.dlv(id), 'gen', 1)
redis.call('ZREM', K.dead(v[3]), id)
redis.call('ZADD', K.dlvq, n, id)
return 'ok'
