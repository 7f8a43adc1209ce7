-- The places of a host: so many attempts at once, and fewer while it does not answer. Whoever gets none is parked until one is
-- given back, out of the way of other hosts. After BREAKER attempts in a row without an answer a host gets one attempt at a time,
-- at growing intervals, until one is answered.

-- Each look at a host takes at most LOOK of its parked deliveries.
local BREAKER, LOOK = 5, 200

local function broken(fails) return tonumber(fails or 0) >= BREAKER end

-- How many attempts a host may have at once.
local function places(host, n)
  local v = redis.call('HMGET', K.host(host), 'fails', 'open')
  if not broken(v[1]) then return HOST_LIMIT end
  return tonumber(v[2] or 0) > n and 0 or 1
end

-- What an attempt says about its host: up, down, or nothing. Attempts that began before the breaker opened do not open it again.
local function heard(host, health, n)
  if health == 'up' then
    redis.call('DEL', K.host(host))
  elseif health == 'down' then
    local fails = redis.call('HINCRBY', K.host(host), 'fails', 1)
    redis.call('HSETNX', K.host(host), 'since', n)
    redis.call('PEXPIRE', K.host(host), DAY)
    if not broken(fails) or tonumber(redis.call('HGET', K.host(host), 'open') or 0) > n then return end
    local step = redis.call('HINCRBY', K.host(host), 'step', 1)
    local open = n + PAUSE * math.min(2 ^ (step - 1), 60)
    redis.call('HSET', K.host(host), 'open', open)
    redis.call('ZADD', K.hosts, 'XX', open, host)
  end
end

local function take(id, lane, n)
  redis.call('ZADD', K.lane(lane), n, id)
  redis.call('ZADD', K.dlvq, n, id)
end

-- Parked deliveries get the places that are free, the longest waiting first. One that was handed out before it was parked gets a
-- new generation, since the queue may still hold its older task. Returns {id, generation, …}.
local function release(lane, n)
  local released, seen = {}, 0
  if redis.call('EXISTS', K.park(lane)) == 0 then return released end
  local room = places(lane, n) - redis.call('ZCARD', K.lane(lane))
  while room > 0 and seen < LOOK do
    local id = redis.call('ZPOPMIN', K.park(lane))[1]
    if not id then return released end
    local d = about(id)
    seen = seen + 1
    if d and d.status == 'pending' then
      if gone(d) then
        die(id, d, n, 'url_gone')
      else
        take(id, lane, n)
        room = room - 1
        released[#released + 1] = id
        released[#released + 1] = redis.call('HINCRBY', K.dlv(id), 'gen', 1)
      end
    end
  end
  if seen == LOOK then redis.call('ZADD', K.hosts, 'XX', n, lane) end
  return released
end

-- A due delivery gets a place, or is parked behind those that wait for one. Returns whether it has one.
local function admit(id, d, n)
  if redis.call('ZSCORE', K.lane(d.lane), id) then return true end
  local parked = redis.call('EXISTS', K.park(d.lane)) == 1
  if not parked and places(d.lane, n) > redis.call('ZCARD', K.lane(d.lane)) then
    take(id, d.lane, n)
    return true
  end
  redis.call('ZREM', K.dlvq, id)
  redis.call('SREM', K.sent('callback'), id)
  redis.call('HSET', K.dlv(id), 'disp', 0)
  redis.call('ZADD', K.park(d.lane), n, id)
  redis.call('ZADD', K.hosts, 'NX', n + PAUSE, d.lane)
  release(d.lane, n)
  return redis.call('ZSCORE', K.lane(d.lane), id) ~= false
end

-- Looks at a host with parked deliveries: gives out free places and, when it has not answered for too long, gives up those that have
-- waited for as long. Who waited for a host that was slow and then fell silent has not waited for a silent one. A place whose
-- delivery is not in dlvq belongs to nobody: records may be removed by hand, and those of tests expire. Returns how many were given up.
local function look(lane, n)
  for _, id in ipairs(redis.call('ZRANGE', K.lane(lane), 0, LOOK - 1)) do
    if not redis.call('ZSCORE', K.dlvq, id) or redis.call('EXISTS', K.dlv(id)) == 0 then
      redis.call('ZREM', K.lane(lane), id)
    end
  end
  release(lane, n)
  local v, late = redis.call('HMGET', K.host(lane), 'fails', 'open', 'since'), {}
  if broken(v[1]) and tonumber(v[3] or n) <= n - PATIENCE then
    late = redis.call('ZRANGEBYSCORE', K.park(lane), '-inf', n - PATIENCE, 'LIMIT', 0, LOOK)
  end
  for _, id in ipairs(late) do
    local d = about(id)
    redis.call('ZREM', K.park(lane), id)
    if d and d.status == 'pending' then die(id, d, n, 'host_down') end
  end
  if redis.call('EXISTS', K.park(lane)) == 0 then
    redis.call('ZREM', K.hosts, lane)
  else
    local open = tonumber(v[2] or 0)
    redis.call('ZADD', K.hosts, 'XX', #late == LOOK and n or open > n and open or n + PAUSE, lane)
  end
  return #late
end

-- An event is to be delivered: d has event, tenant, host, url and perhaps job. So many bytes are set aside for what has led to it and needs
-- them no more. What follows are fields that only its kind of event knows.
local function deliver(id, n, d, settled, ...)
  redis.call('HSET', K.dlv(id), 'status', 'pending', 'gen', 1, 'att', 0, 'from', 0, 'created', n, 'next', n, 'owed', DELIVERY_BYTES,
    'event', d.event, 'tenant', d.tenant, 'host', d.host, 'url', d.url, ...)
  redis.call('INCRBY', K.owed, DELIVERY_BYTES - settled)
  d.status, d.att, d.owed, d.home = 'pending', 0, DELIVERY_BYTES, d.tenant .. '@' .. d.host
  d.lane = d.home
  redis.call('ZADD', K.dlvs(d.tenant, 'pending'), 0, id)
  if gone(d) then
    die(id, d, n, 'url_gone')
  else
    admit(id, d, n)
  end
end
