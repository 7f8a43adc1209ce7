-- Whose turn it is. A queued job is in one of three places: in `out` while it waits for its time; in `ready` of its line and tenant
-- once that has come; or it is handed out, and in `out` again with when to see whether the queue still holds it. The queue gets so few
-- tasks of a line at once that whoever comes next does not stand behind a long row: the row is here, one for each tenant, and the
-- tenants take turns.

-- Each class is a line of its own. That of the normal one is from before there were others.
local function lineOf(class) return (not class or class == 'render') and 'render' or 'render-' .. class end

local LINES = {'render-high', 'render', 'render-low', 'render-batch'}

-- A tenant comes behind all others of a line. Its score is since when it waits for its turn, in ms, and a little more where another
-- one came in the same ms, so that the first one's tells how long a line makes people wait.
local function toTheEnd(line, tenant, n)
  local last = redis.call('ZRANGE', K.turn(line), 0, 0, 'REV', 'WITHSCORES')
  redis.call('ZADD', K.turn(line), math.max(n, (last[2] or 0) + 0.001), tenant)
end

-- A job is handed out no more: it is claimed, has ended, or waits again.
local function unhand(id, tenant, line)
  redis.call('ZREM', K.handed(line), id)
  redis.call('ZREM', K.hands(tenant), id)
end

-- Some job left the ready ones of a tenant.
local function oneLess(line, tenant)
  redis.call('HINCRBY', K.depth, line, -1)
  if redis.call('EXISTS', K.ready(line, tenant)) == 0 then redis.call('ZREM', K.turn(line), tenant) end
end

-- A queued job waits for its tenant's turn, behind what has waited for longer. N is since when, in ms; fractions keep an order
-- among what comes at once. One that had its turn before, for an attempt that came to nothing, comes first: a row may be hours long. It
-- stands with what has waited for longest, and so makes the row no older.
local function ready(id, tenant, class, n, again)
  local line = lineOf(class)
  redis.call('ZREM', K.out, id)
  unhand(id, tenant, line)
  if again then n = math.min(n, redis.call('ZRANGE', K.ready(line, tenant), 0, 0, 'WITHSCORES')[2] or n) - 0.001 end
  if redis.call('ZADD', K.ready(line, tenant), 'NX', n, id) == 0 then return end
  redis.call('HINCRBY', K.depth, line, 1)
  if not redis.call('ZSCORE', K.turn(line), tenant) then toTheEnd(line, tenant, n) end
end

-- A queued job is for the queue now; whoever hands it out has so long, in ms, to put it there.
local function hand(id, tenant, class, n, grace)
  redis.call('ZADD', K.out, n + grace, id)
  redis.call('ZADD', K.handed(lineOf(class)), n, id)
  redis.call('ZADD', K.hands(tenant), n, id)
end

-- A queued job waits nowhere any more: it is claimed, or has ended.
local function leave(id, tenant, class)
  local line = lineOf(class)
  redis.call('ZREM', K.out, id)
  redis.call('SREM', K.sent(line), id)
  unhand(id, tenant, line)
  if redis.call('ZREM', K.ready(line, tenant), id) == 1 then oneLess(line, tenant) end
end

-- Workers of older builds claim jobs and know of no hands: what has long been handed out and is not in `out` any more is in none.
-- Returns how many were not.
local function forgotten(set, n)
  local none = 0
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', set, '-inf', n - 30000, 'LIMIT', 0, 200)) do
    if not redis.call('ZSCORE', K.out, id) then none = none + redis.call('ZREM', set, id) end
  end
  return none
end

-- Whether a tenant has as many jobs handed out and running, of all classes, as it may have, and whether there is a limit at all.
local function crowded(tenant, n)
  local most = limit(tenant, 'concurrent_renders')
  if not most then return false, false end
  local function busy() return redis.call('ZCARD', K.hands(tenant)) + redis.call('ZCARD', K.idx(tenant, 'running')) end
  return busy() >= most and (forgotten(K.hands(tenant), n) == 0 or busy() >= most), true
end

-- Whether a new job of a tenant may be handed out at once: none of its own waits before it, and there is room for so many of its
-- line; 0 is any number.
local function free(tenant, class, most, n)
  local line = lineOf(class)
  return redis.call('EXISTS', K.ready(line, tenant)) == 0 and (most == 0 or redis.call('ZCARD', K.handed(line)) < most) and
    not crowded(tenant, n)
end

-- Hands out so many ready jobs of a line, of each tenant one before the next one of any. Adds line, id and generation of each to a
-- list. Returns whether it was the turn of a tenant with a limit.
local function turns(list, line, most, n, grace)
  local looks, crowd, bounded = 4 * most + 200, 0, false
  while most > 0 and looks > 0 do
    local tenant = redis.call('ZRANGE', K.turn(line), 0, 0)[1]
    if not tenant then break end
    looks = looks - 1
    local full, has = crowded(tenant, n)
    bounded = bounded or has
    if full then
      crowd = crowd + 1
      if crowd > redis.call('ZCARD', K.turn(line)) then break end -- all of them are
      toTheEnd(line, tenant, n)
    else
      crowd = 0
      local id = redis.call('ZPOPMIN', K.ready(line, tenant))[1]
      toTheEnd(line, tenant, n)
      oneLess(line, tenant)
      local v = redis.call('HMGET', K.job(id), 'status', 'gen', 'class')
      if v[1] == 'queued' then -- a process of an older build may have ended it
        hand(id, tenant, v[3], n, grace)
        most = most - 1
        for _, x in ipairs({line, id, v[2]}) do list[#list + 1] = x end
      end
    end
  end
  return bounded
end
