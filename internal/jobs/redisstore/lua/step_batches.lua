-- The next step of the batch whose turn it is. ARGV: 1 how many items. Returns 1 when another step has work.
local n, limit = now(), tonumber(ARGV[1])
local id = redis.call('ZRANGEBYSCORE', K.tasks, '-inf', n, 'LIMIT', 0, 1)[1]
if not id then return 0 end
local b = redis.call('HMGET', K.batch(id), 'state', 'status', 'tenant', 'retry', 'mended_until')
local tenant = b[3]

-- Whether new inputs still wait for their retry.
local function awaited()
  return b[2] ~= 'running' and b[2] ~= 'canceling' and tonumber(b[5] or 0) > n and redis.call('EXISTS', K.items(id, 'mended')) == 1
end

-- New inputs are taken by the retry that they were sent for, in the same request, or go.
local function take_mended()
  if awaited() then return false end
  local indexes = redis.call('ZRANGE', K.items(id, 'mended'), 0, limit - 1)
  for _, index in ipairs(indexes) do
    redis.call('ZREM', K.items(id, 'mended'), index)
    local meant = b[2] == 'running' and redis.call('HGET', K.item(id, index), 'p_mend') == b[4]
    if meant and redis.call('ZSCORE', K.items(id, 'again'), index) then
      unmend(id, index)
      wait_again(id, index)
    else
      discard(id, index, tenant)
    end
  end
  return #indexes > 0
end

local function promote_some()
  local indexes = redis.call('ZRANGE', K.items(id, 'waiting'), 0, limit - 1)
  for _, index in ipairs(indexes) do promote(id, tenant, index, n) end
  return #indexes > 0
end

-- Whether the batch may end a job: it was made for a batch, and no other one waits for it, nor a request that was answered with it.
local function sole(job)
  return redis.call('HEXISTS', K.job(job), 'batch') == 1 and redis.call('SCARD', K.watch(job)) == 1 and
    redis.call('EXISTS', K.binds(job)) == 0 and redis.call('HEXISTS', K.job(job), 'wanted') == 0
end

-- A queued item ends, with its job where nobody else waits for that.
local function cancel_queued(index)
  local r = read_row(id, index)
  if sole(r.job) then return finish(ending(r.job), 'canceled', n, {}) end
  redis.call('SREM', K.watch(r.job), id .. ' ' .. index)
  turn(id, index, 'canceled', n)
end

-- A running item is asked to end, or ends while its job goes on for others.
local function ask_running(index)
  local r = read_row(id, index)
  if sole(r.job) then return redis.call('HSET', K.job(r.job), 'cancel', 1) end
  redis.call('SREM', K.watch(r.job), id .. ' ' .. index)
  turn(id, index, 'canceled', n)
end

-- What waits becomes jobs even so, and they end as others do: each accepted item reports. An item that was tried before has reported.
local function cancel_some()
  for _, index in ipairs(redis.call('ZRANGE', K.items(id, 'again'), 0, limit - 1)) do
    wait_again(id, index)
    turn(id, index, 'canceled', n)
    limit = limit - 1
  end
  for _, index in ipairs(limit > 0 and redis.call('ZRANGE', K.items(id, 'waiting'), 0, limit - 1) or {}) do
    promote(id, tenant, index, n)
    limit = limit - 1
  end
  for _, index in ipairs(limit > 0 and redis.call('ZRANGE', K.items(id, 'queued'), 0, limit - 1) or {}) do
    cancel_queued(index)
    limit = limit - 1
  end
  local asked = tonumber(redis.call('HGET', K.batch(id), 'asked') or -1)
  for _, index in ipairs(limit > 0 and redis.call('ZRANGEBYSCORE', K.items(id, 'running'), '(' .. asked, '+inf', 'LIMIT', 0, limit) or {}) do
    ask_running(index)
    redis.call('HSET', K.batch(id), 'asked', index)
    limit = limit - 1
  end
  return limit < tonumber(ARGV[1])
end

local busy
if b[1] == 'open' or b[1] == 'dropping' then
  drop(id, limit, n)
  return redis.call('ZCOUNT', K.tasks, '-inf', n) > 0 and 1 or 0
elseif b[1] == 'sealed' then
  busy = take_mended() or b[2] == 'canceling' and cancel_some() or b[2] == 'running' and promote_some()
end
if busy then
  told(id, n)
  redis.call('ZADD', K.tasks, n, id)
elseif awaited() then
  redis.call('ZADD', K.tasks, b[5], id)
else
  redis.call('ZREM', K.tasks, id)
end
return redis.call('ZCOUNT', K.tasks, '-inf', n) > 0 and 1 or 0
