-- What has to be done now. ARGV: 1 line, 2 limit. Returns id, generation, attempt, owner for each; owner is set for an
-- attempt to deliver whose lease is over.
local answer = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', QUEUE[ARGV[1]], '-inf', now(), 'LIMIT', 0, ARGV[2])) do
  local v = redis.call('HMGET', RECORD[ARGV[1]](id), 'gen', 'att', 'owner')
  if not v[1] then
    redis.call('ZREM', QUEUE[ARGV[1]], id)
  else
    for _, x in ipairs({id, v[1], v[2], v[3] or ''}) do answer[#answer + 1] = x end
  end
end
return answer
