-- Job records past their retention go, with index, events and every idempotency key bound to them. ARGV: 1 limit,
-- 2 retention of dead letters in ms. Returns tenant and id of each job that went.
local n, deadMs, answer = now(), tonumber(ARGV[2]), {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', K.ret, '-inf', n, 'LIMIT', 0, ARGV[1])) do
  local v = redis.call('HMGET', K.job(id), 'tenant', 'status', 'document', 'evt', 'dlv', 'batch')
  local again = v[1] and reportUntil(v[5], n, deadMs)
  if again then
    redis.call('ZADD', K.ret, again, id)
    if v[6] then redis.call('ZADD', K.bret, 'XX', 'GT', again, v[6]) end -- the record of a batch outlives those of its jobs
  else
    -- Any number of keys may be bound to a job; so many go with one call, and the job with the last of them.
    local bound = v[1] and redis.call('SPOP', K.binds(id), 500) or {}
    for _, h in ipairs(bound) do redis.call('DEL', K.idem(v[1], h)) end
    local whole = #bound < 500
    if whole then
      redis.call('ZREM', K.ret, id)
      redis.call('ZREM', K.inp, id)
    end
    if v[1] and whole then
      release_uses(K.job(id), v[1]) -- of a job that a worker of an older build has ended
      redis.call('ZREM', K.idx(v[1]), id)
      redis.call('ZREM', K.idx(v[1], v[2]), id)
      redis.call('ZREM', K.djobs(v[3]), id)
      redis.call('ZREM', K.unack(v[1]), id)
      redis.call('DEL', K.job(id), K.binds(id))
      forget_delivery(v[5], v[4], v[1], deadMs)
      answer[#answer + 1] = v[1]
      answer[#answer + 1] = id
    end
  end
end
return answer
