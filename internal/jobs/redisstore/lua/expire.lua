-- Documents whose bytes have ended are purged, unless the report of their job still needs them. ARGV: 1 limit,
-- 2 retention of dead letters in ms. Returns {tenant, document, jobs…} for each.
local n, deadMs, answer = now(), tonumber(ARGV[2]), {}
for _, document in ipairs(redis.call('ZRANGEBYSCORE', K.exp, '-inf', n, 'LIMIT', 0, ARGV[1])) do
  local v = redis.call('HMGET', K.document(document), 'tenant', 'job')
  local delivery = v[2] and redis.call('HGET', K.job(v[2]), 'dlv')
  local again = delivery and reportUntil(delivery, n, deadMs)
  if again then
    redis.call('ZADD', K.exp, again, document)
  else
    local jobs = purge(document, n)
    answer[#answer + 1] = {v[1] or '', document, unpack(jobs, math.max(1, #jobs - 899))}
  end
end
return answer
