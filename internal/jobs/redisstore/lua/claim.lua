-- A worker takes a job. ARGV: 1 job, 2 generation, 3 owner, 4 lease ms. Returns {answer, fields…}.
-- A running attempt whose lease is over is busy too: only the reaper takes it, so that it is counted.
local id, owner = ARGV[1], ARGV[3]
local v = redis.call('HMGET', K.job(id), 'status', 'gen', 'owner', 'lease', 'tenant')
if not v[1] then return {'gone'} end
if FINAL[v[1]] then return {'done'} end
if v[2] ~= ARGV[2] then return {'stale'} end
local n = now()
if v[1] == 'running' then
  if v[3] ~= owner or tonumber(v[4]) <= n then return {'busy'} end
  redis.call('HSET', K.job(id), 'lease', n + ARGV[4])
  redis.call('ZADD', K.run, n + ARGV[4], id)
  return {'ok', redis.call('HGETALL', K.job(id))}
end
local att = redis.call('HINCRBY', K.job(id), 'att', 1)
redis.call('HSET', K.job(id), 'owner', owner, 'lease', n + ARGV[4], 'started', n, 'progress', 0)
redis.call('HDEL', K.job(id), 'orphan')
move(id, v[5], 'queued', 'running')
leave(id, v[5])
redis.call('ZADD', K.run, n + ARGV[4], id)
feed(id, 'running', att)
return {'ok', redis.call('HGETALL', K.job(id))}
