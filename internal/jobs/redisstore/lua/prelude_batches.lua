-- What a batch knows of its items, and how it hears of their jobs.
--
-- A batch is 'open' while it is uploaded, then 'sealed', or 'dropping' until nothing of it is left. An item is a row of its batch
-- ("status document job unexpected key", where - is none) and is in the set of the batch of its status, both from when it was staged on.
-- The counts of a batch change with the rows, and with nothing else: hearing of the same thing twice counts once.

local ENDED = {succeeded = true, reused = true, failed = true, canceled = true}

local function read_row(batch, index)
  local row = redis.call('HGET', K.rows(batch), index)
  if not row then return nil end
  local status, document, job, unexpected, key = string.match(row, '^(%S+) (%S+) (%S+) (%d) (.*)$')
  return {status = status, document = document, job = job, unexpected = unexpected, key = key}
end

local function write_row(batch, index, r)
  redis.call('HSET', K.rows(batch), index, table.concat({r.status, r.document, r.job, r.unexpected, r.key}, ' '))
end

-- Why items have failed, by code: how often, and the first one that was noticed.
local function count_failure(batch, index, text)
  local failure = cjson.decode(text)
  redis.call('HINCRBY', K.codes(batch), 'n:' .. failure.Code, 1)
  redis.call('HSETNX', K.codes(batch), 'd:' .. failure.Code, index .. ' ' .. failure.Detail)
end

-- How a batch stands, as feed_batch takes it.
local function standing(batch)
  local v = redis.call('HMGET', K.batch(batch), 'tenant', 'status', 'epoch', 'n:waiting', 'n:queued', 'n:running', 'n:succeeded',
    'n:reused', 'n:failed', 'n:canceled', 'told')
  return {id = batch, tenant = v[1], status = v[2], epoch = tonumber(v[3] or 0), counts = {waiting = v[4], queued = v[5],
    running = v[6], succeeded = v[7], reused = v[8], failed = v[9], canceled = v[10]}, told = v[11]}
end

local function pending(b)
  return (b.counts.waiting or 0) + (b.counts.queued or 0) + (b.counts.running or 0)
end

local function move_batch(b, to)
  redis.call('HSET', K.batch(b.id), 'status', to)
  if b.status then redis.call('ZREM', K.batches(b.tenant, b.status), b.id) end
  redis.call('ZADD', K.batches(b.tenant, to), 0, b.id)
  b.status = to
end

-- The event of an epoch, joined of texts that Go has encoded.
local function completion(b, base, metadata, items, n)
  local counts = {}
  for i, status in ipairs({'waiting', 'queued', 'running', 'succeeded', 'reused', 'failed', 'canceled'}) do
    counts[i] = '"' .. status .. '":' .. string.format('%d', tonumber(b.counts[status] or 0))
  end
  return '{"type":"batch.completed","timestamp":"' .. rfc3339(n) .. '","data":{"batch_id":"' .. b.id ..
    '","batch_url":"' .. base .. '/batches/' .. b.id .. '","document_key":null,"status":"' .. b.status .. '","sequence":' .. b.epoch ..
    ',"items":' .. items .. ',"counts":{' .. table.concat(counts, ',') .. '},"metadata":' .. metadata .. '}}'
end

-- Every item of a batch has ended, and so has this epoch of it.
local function close_batch(b, n)
  local v = redis.call('HMGET', K.batch(b.id), 'evt', 'dlv', 'base', 'metadata', 'items', 'sealed', 'events', 'host', 'url', 'asked_for',
    'keep')
  move_batch(b, b.status == 'canceling' and 'canceled' or 'completed')
  redis.call('HSET', K.batch(b.id), 'finished', n)
  redis.call('ZADD', K.bret, n + v[11], b.id)
  settle(K.batch(b.id))
  redis.call('HSET', K.evt(v[1]), 'type', 'batch.completed', 'batch', b.id, 'sequence', b.epoch, 'created', n,
    'body', completion(b, v[3], v[4], v[5], n))
  if not v[6] or not string.find(' ' .. v[7] .. ' ', ' batch.completed ', 1, true) then return end
  deliver(v[2], n, {event = v[1], tenant = b.tenant, host = v[8], url = v[9] or ''}, 0,
    'type', 'batch.completed', 'batch', b.id, 'sealed', v[6], 'accepted', v[10])
end

-- Watchers of a batch hear how it stands, which is b where that is known; when nothing of it is pending any more, it ends. One that is uploaded stands nowhere yet.
local function told(batch, n, b)
  b = b or standing(batch)
  if b.status ~= 'running' and b.status ~= 'canceling' then return end
  if pending(b) == 0 then close_batch(b, n) end
  feed_batch(b, n)
end

-- An item comes to a status, perhaps with a job. Failure is what Go has encoded of why it failed. Whoever has turned items sees to it that
-- the batch is told. Returns its old status and how many items have the old and the new one now, or nil when it had that already.
local function turn(batch, index, to, n, failure, document, job)
  local r = read_row(batch, index)
  if not r or r.status == to then return end
  redis.call('ZREM', K.items(batch, r.status), index)
  redis.call('ZADD', K.items(batch, to), index, index)
  local from = r.status
  local left = redis.call('HINCRBY', K.batch(batch), 'n:' .. from, -1)
  local come = redis.call('HINCRBY', K.batch(batch), 'n:' .. to, 1)
  r.status, r.document, r.job = to, document or r.document, job or r.job
  write_row(batch, index, r)
  if ENDED[to] and to ~= 'canceled' then -- that is no work
    redis.call('LPUSH', K.pace(batch), string.format('%.0f', n))
    redis.call('LTRIM', K.pace(batch), 0, 63)
    if to == 'failed' then count_failure(batch, index, failure) end
  end
  return from, left, come
end

-- A job has changed its status, and so have the items that watch it. One that begins to run for a batch that is canceled was not asked
-- to end when it waited.
hear = function(id, to, n)
  for _, watcher in ipairs(redis.call('SMEMBERS', K.watch(id))) do
    local batch, index = string.match(watcher, '^(%S+) (%d+)$')
    local b = standing(batch)
    if not FINAL[to] and b.status == 'canceling' then
      redis.call('HDEL', K.batch(batch), 'asked')
      redis.call('ZADD', K.tasks, 0, batch)
    end
    local from, left, come = turn(batch, index, to, n, to == 'failed' and redis.call('HGET', K.job(id), 'error'))
    if from then b.counts[from], b.counts[to] = left, come end
    told(batch, n, b)
  end
  if FINAL[to] then redis.call('DEL', K.watch(id)) end
end
