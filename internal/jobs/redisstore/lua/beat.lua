-- An attempt lives. ARGV: 1 job, 2 attempt, 3 owner, 4 lease ms, 5 progress. Returns ok, cancel or lost.
local id = ARGV[1]
local v = redis.call('HMGET', K.job(id), 'status', 'att', 'owner', 'cancel', 'progress', 'told', 'tenant', 'document', 'batch')
if v[1] ~= 'running' or v[2] ~= ARGV[2] or v[3] ~= ARGV[3] then return 'lost' end
local n = now()
redis.call('HSET', K.job(id), 'lease', n + ARGV[4])
redis.call('ZADD', K.run, n + ARGV[4], id)
if tonumber(ARGV[5]) > tonumber(v[5] or 0) then
  redis.call('HSET', K.job(id), 'progress', ARGV[5])
  if n - (v[6] or 0) >= 1000 then -- watchers hear of progress once a second at most
    redis.call('HSET', K.job(id), 'told', n)
    feed({id = id, tenant = v[7], document = v[8], batch = v[9]}, 'running', ARGV[2], ARGV[5])
  end
end
if v[4] then return 'cancel' end
return 'ok'
