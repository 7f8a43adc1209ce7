-- A worker takes a job. ARGV: 1 job, 2 generation, 3 owner, 4 lease ms. Returns {answer, fields…}.
-- A running attempt whose lease is over is busy too: only the reaper takes it, so that it is counted.
local id, owner, record = ARGV[1], ARGV[3], K.job(ARGV[1])
local v = redis.call('HMGET', record, 'status', 'gen', 'owner', 'lease', 'tenant', 'att', 'class', 'document', 'batch', 'orphan')
if not v[1] then return {'gone'} end
if FINAL[v[1]] then return {'done'} end
if v[2] ~= ARGV[2] then return {'stale'} end
local n = now()
if v[1] == 'running' then
  if v[3] ~= owner or tonumber(v[4]) <= n then return {'busy'} end
  redis.call('HSET', record, 'lease', n + ARGV[4])
  redis.call('ZADD', K.run, n + ARGV[4], id)
  return {'ok', redis.call('HGETALL', record)}
end
local j = {id = id, status = v[1], tenant = v[5], class = v[7], document = v[8], batch = v[9]}
redis.call('HSET', record, 'status', 'running', 'att', v[6] + 1, 'owner', owner, 'lease', n + ARGV[4], 'started', n, 'progress', 0)
if v[10] then redis.call('HDEL', record, 'orphan') end
move(j, 'running', n)
leave(id, j.tenant, j.class)
redis.call('ZADD', K.run, n + ARGV[4], id)
feed(j, 'running', v[6] + 1)
return {'ok', redis.call('HGETALL', record)}
