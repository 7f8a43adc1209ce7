-- ARGV: 1 document. Returns {answer, jobs…}: purged, pending (a job of it is not terminal) or gone.
local v = redis.call('HMGET', K.document(ARGV[1]), 'status', 'job')
if not v[1] then return {'gone'} end
if v[1] == 'purged' then
  uncount_bytes(redis.call('HGET', K.document(ARGV[1]), 'tenant'), K.document(ARGV[1])) -- a process of an older build may have purged it
  return {'purged', unpack(redis.call('ZRANGE', K.djobs(ARGV[1]), -900, -1))}
end
if v[1] == 'pending' then
  local status = redis.call('HGET', K.job(v[2]), 'status')
  if status and not FINAL[status] then return {'pending'} end
end
local jobs = purge(ARGV[1], now())
return {'purged', unpack(jobs, math.max(1, #jobs - 899))}
