-- What happens to jobs and documents in more than one script.

-- A job ends: status, index, event and delivery in one step. Texts that Go encoded are joined as they are; cjson
-- would damage numbers.
local function finish(id, status, n, fields)
  local v = redis.call('HMGET', K.job(id), 'tenant', 'status', 'document', 'keep', 'evt', 'dlv', 'sealed', 'host',
    'base', 'key_json', 'metadata', 'att', 'progress', 'url', 'created')
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
  if not v[7] then return end
  redis.call('HSET', K.dlv(delivery), 'status', 'pending', 'event', event, 'type', kind, 'job', id,
    'document', document, 'tenant', tenant, 'host', v[8], 'url', v[14] or '', 'sealed', v[7],
    'gen', 1, 'att', 0, 'from', 0, 'accepted', v[15], 'created', n, 'next', n)
  owe(K.dlv(delivery), DELIVERY_BYTES)
  redis.call('ZADD', K.dlvs(tenant, 'pending'), 0, delivery)
  redis.call('ZADD', K.unack(tenant), 0, id)
  local d = about(delivery)
  if gone(d) then
    die(delivery, d, n, 'url_gone')
  else
    admit(delivery, d, n)
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
