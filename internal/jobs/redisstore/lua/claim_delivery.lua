-- A worker takes a delivery. ARGV: 1 delivery, 2 generation, 3 owner, 4 lease ms. Returns {answer, fields, body, now, sealed secrets of the tenant}.
-- One without a place of its host, whose task is from before it was parked, gets one now or waits.
local id, owner, record = ARGV[1], ARGV[3], K.dlv(ARGV[1])
local d = about(id)
if not d then return {'gone'} end
if d.status ~= 'pending' then return {'done'} end
if d.gen ~= ARGV[2] then return {'stale'} end
local n = now()
if d.owner then
  if d.owner ~= owner or tonumber(d.lease) <= n then return {'busy'} end
  redis.call('HSET', record, 'lease', n + ARGV[4])
  redis.call('ZADD', K.dlvq, n + ARGV[4], id)
else
  local placed = redis.call('ZSCORE', K.lane(d.lane), id)
  if not placed and redis.call('ZSCORE', K.park(d.lane), id) then return {'parked'} end
  if gone(d) then
    die(id, d, n, 'url_gone')
    release(d.lane, n)
    return {'done'}
  end
  if not placed and not admit(id, d, n) then return {'parked'} end
  attempted(id, d, n, 'owner', owner, 'lease', n + ARGV[4])
  redis.call('HDEL', record, 'orphan', 'next')
  redis.call('SREM', K.sent('callback'), id)
  redis.call('ZADD', K.dlvq, n + ARGV[4], id)
end
return {'ok', redis.call('HGETALL', record), redis.call('HGET', K.evt(d.event), 'body'), n,
  redis.call('HGET', K.tenant(d.tenant), 'secrets')}
