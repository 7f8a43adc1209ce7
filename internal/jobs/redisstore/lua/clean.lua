-- Job records past their retention go, with index, events and every idempotency key bound to them. ARGV: 1 limit,
-- 2 retention of dead letters in ms. Returns tenant and id of each job that went. A dead letter past its time is
-- kept empty for as long again, so that a replay is answered "gone" and not "unknown".
local n, deadMs, answer = now(), tonumber(ARGV[2]), {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', K.ret, '-inf', n, 'LIMIT', 0, ARGV[1])) do
  local v = redis.call('HMGET', K.job(id), 'tenant', 'status', 'document', 'evt', 'dlv')
  local again = v[1] and reportUntil(v[5], n, deadMs)
  if again then
    redis.call('ZADD', K.ret, again, id)
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
      redis.call('ZREM', K.dlvs(v[1], 'delivered'), v[5])
      redis.call('ZREM', K.dlvs(v[1], 'dead'), v[5])
      redis.call('ZREM', K.died, v[5])
      redis.call('DEL', K.job(id), K.binds(id), K.evt(v[4]))
      if redis.call('HGET', K.dlv(v[5]), 'status') == 'dead' then
        redis.call('HSET', K.dlv(v[5]), 'expired', 1)
        redis.call('HDEL', K.dlv(v[5]), 'sealed')
        redis.call('PEXPIRE', K.dlv(v[5]), deadMs)
      else
        redis.call('DEL', K.dlv(v[5]))
      end
      answer[#answer + 1] = v[1]
      answer[#answer + 1] = id
    end
  end
end
return answer
