-- The next step of the replay whose turn it is. It goes through the ids once, in their order, so that none is replayed twice. ARGV:
-- 1 retention of dead letters in ms, 2 of the record in ms once it has finished, 3 how many to look at. Returns 1 when there was one.
local n = now()
local turn = redis.call('ZRANGEBYSCORE', K.replays, '-inf', n, 'WITHSCORES', 'LIMIT', 0, 1)
local id = turn[1]
if not id then return 0 end
local r = redis.call('HMGET', K.replay(id), 'tenant', 'status', 'host', 'type', 'after', 'before', 'cursor', 'to', 'rate', 'by')
if not r[1] then return redis.call('ZREM', K.replays, id) end
local rate, look = tonumber(r[9]), tonumber(ARGV[3])
local quota, replayed, skipped, seen = math.max(1, rate / 4), 0, 0, 0
local ids = redis.call('ZRANGEBYLEX', K.dlvs(r[1], r[2]), r[7], r[8], 'LIMIT', 0, look)
for _, delivery in ipairs(ids) do
  if replayed >= quota then break end
  seen = seen + 1
  if matches(delivery, r[3], r[4], r[5], r[6]) then
    if replay(delivery, n, tonumber(ARGV[1]), r[10]) == 'ok' then
      admit(delivery, about(delivery), n)
      replayed = replayed + 1
    else
      skipped = skipped + 1
    end
  end
end
redis.call('HINCRBY', K.replay(id), 'replayed', replayed)
redis.call('HINCRBY', K.replay(id), 'skipped', skipped)
if seen == #ids and seen < look then
  redis.call('HSET', K.replay(id), 'finished', n)
  redis.call('PEXPIRE', K.replay(id), ARGV[2])
  redis.call('ZREM', K.replays, id)
  redis.call('SREM', K.going(r[1]), id)
else
  redis.call('HSET', K.replay(id), 'cursor', '(' .. ids[seen])
  -- A step that comes late is made up for, within a second.
  redis.call('ZADD', K.replays, math.max(tonumber(turn[2]), n - 1000) + replayed * 1000 / rate, id)
end
return 1
