-- What has to be done now. ARGV: 1 line, that of the normal class for those of all classes, 2 limit. Returns line, id, generation,
-- attempt, owner for each; owner is set for an attempt to deliver whose lease is over. Jobs that have waited for their time are ready
-- now: they are not for the queue before their turn. Deliveries that get no place of their host are parked and do not count, so that
-- many of them do not stand before those of other hosts.
local line, limit, n, answer = ARGV[1], tonumber(ARGV[2]), now(), {}
local callback = line == 'callback'
if callback then
  local late = 0 -- an outage of our own makes all hosts silent at once; what one call does not do the next one does
  for _, lane in ipairs(redis.call('ZRANGEBYSCORE', K.hosts, '-inf', n, 'LIMIT', 0, 50)) do
    late = late + look(lane, n)
    if late >= LOOK then break end
  end
else
  for _, l in ipairs(LINES) do forgotten(K.handed(l), n) end
end

-- The line of a due job, or nil when it was not handed out.
local function handed(id, tenant, class, attempts)
  local l = lineOf(class)
  if redis.call('ZSCORE', K.handed(l), id) then return l end
  ready(id, tenant, class, n, tonumber(attempts) > 0)
end

for _, id in ipairs(redis.call('ZRANGEBYSCORE', QUEUE[line], '-inf', n, 'LIMIT', 0, callback and limit * 5 or limit)) do
  local v = redis.call('HMGET', RECORD[line](id), 'gen', 'att', 'owner', 'tenant', 'class')
  local of = line
  if not v[1] then
    redis.call('ZREM', QUEUE[line], id)
    of = nil
  elseif not callback then
    of = handed(id, v[4], v[5], v[2])
  elseif not v[3] and not admit(id, about(id), n) then
    of = nil
  end
  if of then
    if callback then v[1] = redis.call('HGET', K.dlv(id), 'gen') end
    for _, x in ipairs({of, id, v[1], v[2], v[3] or ''}) do answer[#answer + 1] = x end
    if #answer == 5 * limit then break end
  end
end
return answer
