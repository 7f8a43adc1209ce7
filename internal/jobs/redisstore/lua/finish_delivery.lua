-- An attempt to deliver ends, with what follows from it. ARGV: 1 delivery, 2 attempt, 3 owner, 4 outcome, 5 the attempt
-- as Go encoded it, 6 least wait ms, 7 only when overdue (1 or 0), then the schedule in ms.
-- Returns the status of the delivery, lost, or alive.
local id, fence = ARGV[1], ARGV[2] .. ' ' .. ARGV[3]
local v = redis.call('HMGET', K.dlv(id), 'status', 'att', 'owner', 'lease', 'from', 'tenant', 'endedby')
if v[7] == fence then return v[1] end
if v[1] ~= 'pending' or v[2] ~= ARGV[2] or v[3] ~= ARGV[3] then return 'lost' end
local n = now()
if ARGV[7] == '1' and tonumber(v[4]) > n then return 'alive' end
redis.call('HSET', K.dlv(id), 'end:' .. v[2], ARGV[5], 'endedby', fence, 'disp', 0)
redis.call('HDEL', K.dlv(id), 'owner', 'lease')

local delay = ARGV[7 + v[2] - v[5]]
if ARGV[4] == 'delivered' then
  settle(K.dlv(id))
  redis.call('HSET', K.dlv(id), 'status', 'delivered')
  redis.call('ZREM', K.dlvq, id)
  return 'delivered'
end
if ARGV[4] == 'dead' or not delay then
  settle(K.dlv(id))
  redis.call('HSET', K.dlv(id), 'status', 'dead', 'died', n)
  redis.call('ZREM', K.dlvq, id)
  redis.call('ZADD', K.dead(v[6]), 0, id)
  return 'dead'
end
local due = n + math.max(tonumber(delay), tonumber(ARGV[6]))
redis.call('HINCRBY', K.dlv(id), 'gen', 1)
redis.call('HSET', K.dlv(id), 'next', due)
redis.call('ZADD', K.dlvq, due, id)
return 'pending'
