-- A worker takes a delivery. ARGV: 1 delivery, 2 generation, 3 owner, 4 lease ms. Returns {answer, fields, body, now}.
-- One without a place of its host, whose task is from before it was parked, gets one now or waits.
local id, owner = ARGV[1], ARGV[3]
local v = redis.call('HMGET', K.dlv(id), 'status', 'gen', 'owner', 'lease', 'event')
if not v[1] then return {'gone'} end
if v[1] ~= 'pending' then return {'done'} end
if v[2] ~= ARGV[2] then return {'stale'} end
local n, d = now(), about(id)
if v[3] then
  if v[3] ~= owner or tonumber(v[4]) <= n then return {'busy'} end
  redis.call('HSET', K.dlv(id), 'lease', n + ARGV[4])
  redis.call('ZADD', K.dlvq, n + ARGV[4], id)
else
  if redis.call('ZSCORE', K.park(d.lane), id) then return {'parked'} end
  if gone(d) then
    die(id, d, n, 'url_gone')
    release(d.lane, n)
    return {'done'}
  end
  if not admit(id, d, n) then return {'parked'} end
  attempted(id, n)
  redis.call('HSET', K.dlv(id), 'owner', owner, 'lease', n + ARGV[4])
  redis.call('HDEL', K.dlv(id), 'orphan', 'next')
  redis.call('SREM', K.sent('callback'), id)
  redis.call('ZADD', K.dlvq, n + ARGV[4], id)
end
return {'ok', redis.call('HGETALL', K.dlv(id)), redis.call('HGET', K.evt(v[5]), 'body'), n}
