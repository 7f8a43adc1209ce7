-- What has to be done now. ARGV: 1 line, 2 limit. Returns id, generation, attempt, owner for each; owner is set for an
-- attempt to deliver whose lease is over. Deliveries that get no place of their host are parked and do not count, so that many of
-- them do not stand before those of other hosts.
local line, limit, n, answer = ARGV[1], tonumber(ARGV[2]), now(), {}
local callback = line == 'callback'
if callback then
  local late = 0 -- an outage of our own makes all hosts silent at once; what one call does not do the next one does
  for _, lane in ipairs(redis.call('ZRANGEBYSCORE', K.hosts, '-inf', n, 'LIMIT', 0, 50)) do
    late = late + look(lane, n)
    if late >= LOOK then break end
  end
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', QUEUE[line], '-inf', n, 'LIMIT', 0, callback and limit * 5 or limit)) do
  local v = redis.call('HMGET', RECORD[line](id), 'gen', 'att', 'owner')
  if not v[1] then
    redis.call('ZREM', QUEUE[line], id)
  elseif not callback or v[3] or admit(id, about(id), n) then
    if callback then v[1] = redis.call('HGET', K.dlv(id), 'gen') end
    for _, x in ipairs({id, v[1], v[2], v[3] or ''}) do answer[#answer + 1] = x end
    if #answer == 4 * limit then break end
  end
end
return answer
