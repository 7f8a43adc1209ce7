-- An attempt to deliver ends, with what follows from it. ARGV: 1 delivery, 2 attempt, 3 owner, 4 outcome, 5 the attempt
-- as Go encoded it, 6 least wait ms, 7 only when overdue (1 or 0), 8 what it says about the host, then the schedule in ms.
-- Returns the status of the delivery, lost, or alive, and then id and generation of those to the same host that are due now.
local id, outcome, fence, d = ARGV[1], ARGV[4], ARGV[2] .. ' ' .. ARGV[3], about(ARGV[1])
if not d then return {'lost'} end
if d.endedby == fence then return {d.status} end
if d.status ~= 'pending' or d.att ~= ARGV[2] or d.owner ~= ARGV[3] then return {'lost'} end
local n = now()
if ARGV[7] == '1' and tonumber(d.lease) > n then return {'alive'} end

local status, how = 'pending', nil
local delay = ARGV[8 + d.att - d.from]
if outcome == 'delivered' then
  status, how = 'delivered', 'delivered'
elseif outcome == 'dead' or outcome == 'gone' then
  status, how = 'dead', outcome == 'gone' and 'gone' or 'denied'
elseif d.ping or not delay then
  status, how = 'dead', 'schedule_over'
end
if status ~= 'pending' then
  close(id, d, status, n, how, 'end:' .. d.att, ARGV[5], 'endedby', fence, 'disp', 0)
  if outcome == 'gone' then banish(id, d, n) end
else
  local due, record = n + math.max(tonumber(delay), tonumber(ARGV[6])), K.dlv(id)
  redis.call('HSET', record, 'end:' .. d.att, ARGV[5], 'endedby', fence, 'disp', 0, 'gen', d.gen + 1, 'next', due)
  redis.call('HDEL', record, 'owner', 'lease')
  redis.call('ZREM', K.lane(d.lane), id)
  redis.call('ZADD', K.dlvq, due, id)
end

-- A test that was answered says that the host is there; one that was not says nothing of the events that it takes.
if not d.ping or ARGV[8] == 'up' then heard(d.home, ARGV[8], n) end
local answer = {status, unpack(release(d.home, n))}
if d.ping then
  for _, x in ipairs(release(d.lane, n)) do answer[#answer + 1] = x end
end
return answer
