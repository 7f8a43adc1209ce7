-- Running attempts whose lease is over. ARGV: 1 limit. Returns id, attempt, owner for each.
local answer = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', K.run, '-inf', now(), 'LIMIT', 0, ARGV[1])) do
  local v = redis.call('HMGET', K.job(id), 'att', 'owner')
  if v[2] then
    for _, x in ipairs({id, v[1], v[2]}) do answer[#answer + 1] = x end
  else
    redis.call('ZREM', K.run, id) -- its record was removed by hand
  end
end
return answer
