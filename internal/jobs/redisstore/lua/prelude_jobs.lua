-- What happens to jobs and documents in more than one script.

-- What a job will need of the catalog, with blanks between, is counted, so that nobody deletes it before the end. Returns what is not
-- there, or nil.
local function take_uses(tenant, uses)
  for use in string.gmatch(uses, '%S+') do
    if redis.call('EXISTS', K.ver(tenant, use)) == 0 then return use end
  end
  for use in string.gmatch(uses, '%S+') do redis.call('HINCRBY', K.ver(tenant, use), 'uses', 1) end
  return nil
end

-- What the record of a job, or of an item, needed of the catalog may be deleted again.
local function release_uses(record, tenant)
  for use in string.gmatch(redis.call('HGET', record, 'uses') or '', '%S+') do
    if redis.call('EXISTS', K.ver(tenant, use)) == 1 then redis.call('HINCRBY', K.ver(tenant, use), 'uses', -1) end
  end
  redis.call('HDEL', record, 'uses')
end

-- A new job, of a new document unless j.reuse is set. What it needs of the catalog is counted already, and what it owes without j.owed; its
-- turn is for the caller to see to. Returns the document.
local function create(j, n, fields)
  if j.reuse then
    redis.call('HSET', K.document(j.document), 'job', j.id, 'fingerprint', j.fingerprint)
  else
    redis.call('HSET', K.document(j.document), 'status', 'pending', 'tenant', j.tenant, 'job', j.id,
      'fingerprint', j.fingerprint, 'created', n)
    if j.key ~= '' then redis.call('SET', K.doc(j.tenant, j.key), j.document) end
  end
  redis.call('HSET', K.job(j.id), 'status', 'queued', 'document', j.document, 'tenant', j.tenant, 'fingerprint', j.fingerprint,
    'nonce', j.nonce, 'created', n, 'gen', 1, 'att', 0, unpack(fields))
  if j.owed then owe(K.job(j.id), j.owed) end
  local key = redis.call('HGET', K.job(j.id), 'key')
  if key and not j.reuse then redis.call('HSET', K.document(j.document), 'key', key) end
  redis.call('ZADD', K.idx(j.tenant), 0, j.id)
  redis.call('ZADD', K.idx(j.tenant, 'queued'), 0, j.id)
  count_queued(j.id, j.tenant, 1)
  redis.call('ZADD', K.djobs(j.document), 0, j.id)
  feed(j.id, 'queued')
  return j.document
end

-- A job ends: status, index, event and delivery in one step. Texts that Go encoded are joined as they are; cjson
-- would damage numbers.
local function finish(id, status, n, fields)
  local v = redis.call('HMGET', K.job(id), 'tenant', 'status', 'document', 'keep', 'evt', 'dlv', 'sealed', 'host',
    'base', 'key_json', 'metadata', 'att', 'progress', 'url', 'created', 'input_keep', 'batch', 'reports')
  local tenant, document, event, delivery = v[1], v[3], v[5], v[6]
  redis.call('HSET', K.job(id), 'finished', n, unpack(fields))
  feed(id, status, v[12], status == 'succeeded' and '100' or v[13]) -- before batches hear of it: their end is the last thing told of them
  move(id, tenant, v[2], status)
  redis.call('HDEL', K.job(id), 'owner', 'lease', 'orphan')
  leave(id, tenant)
  redis.call('ZREM', K.run, id)
  redis.call('ZADD', K.ret, n + v[4], id)
  if v[16] then redis.call('ZADD', K.inp, n + v[16], id) end
  release_uses(K.job(id), tenant)
  settle(K.job(id))

  local kind = 'job.' .. status
  local sequence = redis.call('HINCRBY', K.document(document), 'sequence', 1)
  redis.call('HSET', K.evt(event), 'type', kind, 'job', id, 'sequence', sequence, 'created', n, 'body',
    '{"type":"' .. kind .. '","timestamp":"' .. rfc3339(n) .. '","data":{"job_id":"' .. id ..
    '","document_id":"' .. document .. '","document_key":' .. v[10] .. ',"status":"' .. status ..
    '","sequence":' .. sequence .. ',"job_url":"' .. v[9] .. '/jobs/' .. id ..
    '","document_url":"' .. v[9] .. '/documents/' .. document .. '","batch_id":' .. (v[17] and '"' .. v[17] .. '"' or 'null') ..
    ',"metadata":' .. v[11] .. '}}')
  if not v[7] or v[18] and not string.find(' ' .. v[18] .. ' ', ' ' .. kind .. ' ', 1, true) then return end
  redis.call('ZADD', K.unack(tenant), 0, id)
  deliver(delivery, n, {'event', event, 'type', kind, 'job', id, 'document', document, 'tenant', tenant, 'host', v[8],
    'url', v[14] or '', 'sealed', v[7], 'accepted', v[15]})
end

-- What was issued under a number, and where bytes are found by their hash.
local function register(tenant, number, document, hash)
  redis.call('HSET', K.nums(tenant, math.floor(number / 100)), number, document)
  redis.call('ZADD', K.sums(tenant), 0, hash .. ' ' .. number)
end

-- The bytes of a document and the inputs of its jobs end; its identity and its receipt stay. Returns the jobs.
local function purge(document, n)
  redis.call('HSET', K.document(document), 'status', 'purged', 'purged', n)
  if redis.call('HEXISTS', K.document(document), 'receipt') == 1 then redis.call('HDEL', K.document(document), 'made') end
  redis.call('ZREM', K.exp, document)
  uncount_bytes(redis.call('HGET', K.document(document), 'tenant'), K.document(document))
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
