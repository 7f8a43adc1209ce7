-- What happens to deliveries in more than one script.
--
-- A pending delivery is in dlvq (its time is to come, or it has a place, or an attempt runs) or it is parked: never in both, never
-- in neither. Only one that is in dlvq has a place, and only one that has a place is handed out.

-- What a delivery is about, or nil: that of a batch has no job. Its lane is where it has or awaits a place: each tenant has places of its own at a host, for what
-- one of them sends to a gateway that many share must not close it to the others. The tests of a tenant have places of their own:
-- they are to reach a host that is down, too, and no number of them may take the places of events.
local function about(id)
  local v = redis.call('HMGET', K.dlv(id), 'status', 'tenant', 'host', 'url', 'ping', 'job', 'event', 'gen', 'att', 'owner', 'lease', 'from',
    'endedby', 'owed')
  if not v[1] then return nil end
  local home = v[2] .. '@' .. v[3]
  return {status = v[1], tenant = v[2], host = v[3], url = v[4], ping = v[5], job = v[6], event = v[7], gen = v[8], att = v[9], owner = v[10],
    lease = v[11], from = v[12], endedby = v[13], owed = v[14], home = home, lane = v[5] and '@' .. v[2] or home}
end

-- Whether the URL of a delivery has answered 410.
local function gone(d)
  return not d.ping and d.url and d.url ~= '' and redis.call('HEXISTS', K.gone(d.tenant), d.url) == 1
end

-- The URL of a delivery has answered 410: later events to it are dead at once. So many are remembered of a tenant that no receiver
-- runs into it, and no more, for whoever puts a new token into each URL would fill the store.
local function banish(id, d, n)
  if d.ping or not d.url or d.url == '' or redis.call('HLEN', K.gone(d.tenant)) >= 10000 then return end
  redis.call('HSETNX', K.gone(d.tenant), d.url, string.format('%.0f', n) .. ' ' .. id .. ' ' .. d.host)
end

-- A delivery ends, delivered or dead, and gives its place back; how is counted. A test is in no list and no count, and goes after a
-- day. What follows are fields of its last attempt.
local function close(id, d, status, n, how, ...)
  local record = K.dlv(id)
  redis.call('HSET', record, 'status', status, ...)
  redis.call('HDEL', record, 'owner', 'lease', 'owed')
  if d.owed then redis.call('DECRBY', K.owed, d.owed) end
  redis.call('ZREM', K.dlvq, id)
  redis.call('ZREM', K.lane(d.lane), id)
  redis.call('SREM', K.sent('callback'), id)
  if status == 'dead' then redis.call('HSET', record, 'died', n) end
  if d.ping then
    redis.call('PEXPIRE', record, DAY)
    redis.call('PEXPIRE', K.evt(d.event), DAY)
    return
  end
  redis.call('HINCRBY', K.ended, how, 1)
  redis.call('ZREM', K.dlvs(d.tenant, 'pending'), id)
  redis.call('ZADD', K.dlvs(d.tenant, status), 0, id)
  if status == 'dead' then
    redis.call('ZADD', K.died, n, id)
  elseif d.job then
    redis.call('ZREM', K.unack(d.tenant), d.job)
  end
end

-- What a delivery was about is past its retention. A dead letter is kept empty for as long again, so that a replay is answered "gone"
-- and not "unknown".
local function forget_delivery(id, event, tenant, deadMs)
  redis.call('ZREM', K.dlvs(tenant, 'delivered'), id)
  redis.call('ZREM', K.dlvs(tenant, 'dead'), id)
  redis.call('ZREM', K.died, id)
  redis.call('DEL', K.evt(event))
  if redis.call('HGET', K.dlv(id), 'status') == 'dead' then
    redis.call('HSET', K.dlv(id), 'expired', 1)
    redis.call('HDEL', K.dlv(id), 'sealed')
    redis.call('PEXPIRE', K.dlv(id), deadMs)
  else
    redis.call('DEL', K.dlv(id))
  end
end

-- One more attempt, or one more replay, of which a delivery keeps the last LOGGED: it may be replayed for ever, and each claim reads all
-- of it. What follows are fields of the attempt. Returns its number.
local function attempted(id, d, n, ...)
  local att = d.att + 1
  redis.call('HSET', K.dlv(id), 'att', att, 'start:' .. att, n, ...)
  if att > LOGGED then redis.call('HDEL', K.dlv(id), 'start:' .. att - LOGGED, 'end:' .. att - LOGGED) end
  return att
end

local function replayed(id, text)
  local times = redis.call('HINCRBY', K.dlv(id), 'reps', 1)
  redis.call('HSET', K.dlv(id), 'rep:' .. times, text)
  redis.call('HDEL', K.dlv(id), 'rep:' .. times - LOGGED)
end

-- Nobody works on a delivery, and no attempt will be made: it is dead. Its log says why.
local function die(id, d, n, how)
  close(id, d, 'dead', n, how, 'end:' .. attempted(id, d, n), UNMADE[how])
end

-- A delivery that has ended is due again; its schedule begins anew. Returns ok, pending, expired, url_gone, test, or gone: there is
-- no such delivery.
local function replay(id, n, deadMs, by)
  local d = about(id)
  if not d then return 'gone' end
  if d.ping then return 'test' end
  local v = redis.call('HMGET', K.dlv(id), 'att', 'expired', 'died')
  if v[2] then return 'expired' end
  if d.status == 'pending' then return 'pending' end
  if d.status == 'dead' and v[3] + deadMs <= n then return 'expired' end
  if gone(d) then return 'url_gone' end
  replayed(id, string.format('%.0f', n) .. ' ' .. by)
  redis.call('HSET', K.dlv(id), 'status', 'pending', 'from', v[1], 'disp', 0, 'next', n)
  redis.call('HDEL', K.dlv(id), 'died')
  owe(K.dlv(id), DELIVERY_BYTES)
  redis.call('HINCRBY', K.dlv(id), 'gen', 1)
  redis.call('ZREM', K.dlvs(d.tenant, d.status), id)
  redis.call('ZADD', K.dlvs(d.tenant, 'pending'), 0, id)
  redis.call('ZREM', K.died, id)
  return 'ok'
end

-- Whether a delivery is one of those that a filter is about. An empty part selects all; the instants are those of its job.
local function matches(id, host, kind, after, before)
  local v = redis.call('HMGET', K.dlv(id), 'host', 'type', 'accepted')
  local accepted = tonumber(v[3] or 0)
  return v[1] and (host == '' or v[1] == host) and (kind == '' or v[2] == kind) and
    (after == '' or accepted > tonumber(after)) and (before == '' or accepted < tonumber(before))
end
