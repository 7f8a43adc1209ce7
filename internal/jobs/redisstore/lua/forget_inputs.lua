-- Inputs that are kept no longer than they have been go, while the records of their jobs stay. ARGV: 1 limit. Returns tenant and id of
-- each job. Every job has an input of its own, so that no other one needs it.
local answer = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', K.inp, '-inf', now(), 'LIMIT', 0, ARGV[1])) do
  local v = redis.call('HMGET', K.job(id), 'tenant', 'status')
  redis.call('ZREM', K.inp, id)
  if v[1] and FINAL[v[2]] then
    redis.call('HDEL', K.job(id), 'spec', 'spec_blob')
    answer[#answer + 1] = v[1]
    answer[#answer + 1] = id
  end
end
return answer
