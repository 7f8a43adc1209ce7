-- What every script begins with, after the table K of key names. Time is the server's own, in ms.
local FINAL = {succeeded = true, failed = true, canceled = true}
local QUEUE = {render = K.out, callback = K.dlvq}
local RECORD = {render = K.job, callback = K.dlv}

local function now()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
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

-- One line in the feed that watchers follow.
local function feed(id, status, att, progress)
  redis.call('XADD', K.feed, 'MAXLEN', '~', '10000', '*',
    'job', id, 'status', status, 'attempt', att or '0', 'progress', progress or '0')
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

-- A job changes its status: in its record and in the index by status.
local function move(id, tenant, from, to)
  redis.call('HSET', K.job(id), 'status', to)
  if from then redis.call('ZREM', K.idx(tenant, from), id) end
  redis.call('ZADD', K.idx(tenant, to), 0, id)
end

-- A job ends: status, index, event and delivery in one step. Texts that Go encoded are joined as they are; cjson
-- would damage numbers.
local function finish(id, status, n, fields)
  local v = redis.call('HMGET', K.job(id), 'tenant', 'status', 'document', 'keep', 'evt', 'dlv', 'sealed', 'host',
    'base', 'key_json', 'metadata', 'att', 'progress')
  local tenant, document, event, delivery = v[1], v[3], v[5], v[6]
  move(id, tenant, v[2], status)
  redis.call('HSET', K.job(id), 'finished', n, unpack(fields))
  redis.call('HDEL', K.job(id), 'owner', 'lease', 'orphan')
  redis.call('ZREM', K.out, id)
  redis.call('ZREM', K.run, id)
  redis.call('SREM', K.sent('render'), id)
  redis.call('ZADD', K.ret, n + v[4], id)
  settle(K.job(id))
  feed(id, status, v[12], status == 'succeeded' and '100' or v[13])

  local kind = 'job.' .. status
  local sequence = redis.call('HINCRBY', K.document(document), 'sequence', 1)
  redis.call('HSET', K.evt(event), 'type', kind, 'job', id, 'sequence', sequence, 'created', n, 'body',
    '{"type":"' .. kind .. '","timestamp":"' .. rfc3339(n) .. '","data":{"job_id":"' .. id ..
    '","document_id":"' .. document .. '","document_key":' .. v[10] .. ',"status":"' .. status ..
    '","sequence":' .. sequence .. ',"job_url":"' .. v[9] .. '/jobs/' .. id ..
    '","document_url":"' .. v[9] .. '/documents/' .. document .. '","batch_id":null,"metadata":' .. v[11] .. '}}')
  if v[7] then
    redis.call('HSET', K.dlv(delivery), 'status', 'pending', 'event', event, 'type', kind, 'job', id,
      'document', document, 'tenant', tenant, 'host', v[8], 'sealed', v[7],
      'gen', 1, 'att', 0, 'from', 0, 'created', n, 'next', n)
    owe(K.dlv(delivery), DELIVERY_BYTES)
    redis.call('ZADD', K.dlvq, n, delivery)
  end
end

-- The bytes of a document and the inputs of its jobs end; its identity stays. Returns the jobs.
local function purge(document, n)
  redis.call('HSET', K.document(document), 'status', 'purged', 'purged', n)
  redis.call('ZREM', K.exp, document)
  local jobs = redis.call('ZRANGE', K.djobs(document), 0, -1)
  for _, id in ipairs(jobs) do redis.call('HDEL', K.job(id), 'spec', 'spec_blob') end
  return jobs
end

-- Whether the report of a job still needs what the job made: its delivery is pending, or a dead letter inside its
-- retention. Returns when to look again, or nil.
local function reportUntil(delivery, n, deadMs)
  local v = redis.call('HMGET', K.dlv(delivery), 'status', 'died')
  if v[1] == 'pending' then return n + 60000 end
  if v[1] == 'dead' and v[2] + deadMs > n then return v[2] + deadMs end
  return nil
end
