-- What every script begins with, after the table K of key names. Time is the server's own, in ms.
local FINAL = {succeeded = true, failed = true, canceled = true}
local QUEUE = {['render-high'] = K.out, render = K.out, ['render-low'] = K.out, ['render-batch'] = K.out, callback = K.dlvq}
local RECORD = {['render-high'] = K.job, render = K.job, ['render-low'] = K.job, ['render-batch'] = K.job, callback = K.dlv}

local function now()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

-- The same with fractions: no two calls of scripts have the same.
local function precisely()
  local t = redis.call('TIME')
  return t[1] * 1000 + t[2] / 1000
end

-- An instant as RFC 3339 in UTC. The days become a date by counting from 1 March of the year 0, so that the
-- leap day is the last one of its year.
local function rfc3339(ms)
  local s = math.floor(ms / 1000)
  local days = math.floor(s / 86400) + 719468
  local era = math.floor(days / 146097)
  local doe = days - era * 146097
  local yoe = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524) - math.floor(doe / 146096)) / 365)
  local doy = doe - (365 * yoe + math.floor(yoe / 4) - math.floor(yoe / 100))
  local mp = math.floor((5 * doy + 2) / 153)
  local month = mp < 10 and mp + 3 or mp - 9
  local year = yoe + era * 400 + (month <= 2 and 1 or 0)
  return string.format('%04d-%02d-%02dT%02d:%02d:%02d.%03dZ', year, month, doy - math.floor((153 * mp + 2) / 5) + 1,
    math.floor(s % 86400 / 3600), math.floor(s % 3600 / 60), s % 60, ms % 1000)
end

-- A line in the feed that streams and whoever waits follow. The oldest ones go.
local function publish(...)
  redis.call('XADD', K.feed, 'MAXLEN', '~', FEED, '*', ...)
end

-- What a job has come to: j has id, tenant, document and perhaps batch.
local function feed(j, status, att, progress)
  publish('tenant', j.tenant or '', 'job', j.id, 'document', j.document or '', 'batch', j.batch or '', 'status', status,
    'attempt', att or '0', 'progress', progress or '0')
end

-- What a batch has come to: b has id, tenant, status, epoch, what its watchers were told last, and counts, a table of how many items are in
-- each status; one that is absent is 0. Watchers hear of it once a second at most, but always of the beginning of an epoch and of its end.
local function feed_batch(b, n)
  local epoch, told = string.match(b.told or '', '^(%d+) (%d+)$')
  local last = b.status == 'completed' or b.status == 'canceled'
  if not last and epoch == string.format('%d', b.epoch) and n - told < 1000 then return end
  redis.call('HSET', K.batch(b.id), 'told', string.format('%d %.0f', b.epoch, n))
  local counts = {}
  for i, status in ipairs({'waiting', 'queued', 'running', 'succeeded', 'reused', 'failed', 'canceled'}) do
    counts[i] = string.format('%d', tonumber(b.counts[status] or 0))
  end
  publish('tenant', b.tenant, 'batch', b.id, 'status', b.status, 'epoch', b.epoch, 'counts', table.concat(counts, ' '))
end

-- What a record will still need until its end, in bytes, is set aside: new work is refused while finishing the old one may
-- fill the server.
local function owe(record, bytes)
  redis.call('HSET', record, 'owed', bytes)
  redis.call('INCRBY', K.owed, bytes)
end

local function settle(record)
  local bytes = redis.call('HGET', record, 'owed')
  if not bytes then return end
  redis.call('DECRBY', K.owed, bytes)
  redis.call('HDEL', record, 'owed')
end

-- The queued jobs of batches are counted, since they are in one index with those that a limit is about; see prelude_limits.
local function count_queued(tenant, class, by)
  if class == 'batch' then redis.call('HINCRBY', K.used(tenant), 'batch', by) end
end

-- The batches that watch a job hear of its status; see prelude_batches.
local hear

-- A job has changed its status, which its record says already: j has id, tenant, class and the status that it had.
local function move(j, to, n)
  if j.status == 'queued' then count_queued(j.tenant, j.class, -1) end
  if to == 'queued' then count_queued(j.tenant, j.class, 1) end
  redis.call('ZREM', K.idx(j.tenant, j.status), j.id)
  redis.call('ZADD', K.idx(j.tenant, to), 0, j.id)
  hear(j.id, to, n)
end
