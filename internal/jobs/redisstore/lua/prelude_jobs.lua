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

-- What was needed of the catalog may be deleted again.
local function drop_uses(tenant, uses)
  for use in string.gmatch(uses, '%S+') do
    if redis.call('EXISTS', K.ver(tenant, use)) == 1 then redis.call('HINCRBY', K.ver(tenant, use), 'uses', -1) end
  end
end

-- So may what the record of a job, or of an item, needed.
local function release_uses(record, tenant)
  drop_uses(tenant, redis.call('HGET', record, 'uses') or '')
  redis.call('HDEL', record, 'uses')
end

-- A new job, of a new document unless j.reuse is set. What it needs of the catalog is counted already, and what it owes without j.owed; its
-- turn is for the caller to see to. Returns the document.
local function create(j, n, fields)
  local record = K.job(j.id)
  redis.call('HSET', record, 'status', 'queued', 'document', j.document, 'tenant', j.tenant, 'fingerprint', j.fingerprint,
    'nonce', j.nonce, 'created', n, 'gen', 1, 'att', 0, unpack(fields))
  if j.owed then owe(record, j.owed) end
  local v = redis.call('HMGET', record, 'key', 'class', 'batch')
  if j.reuse then
    redis.call('HSET', K.document(j.document), 'job', j.id, 'fingerprint', j.fingerprint)
  else
    redis.call('HSET', K.document(j.document), 'status', 'pending', 'tenant', j.tenant, 'job', j.id,
      'fingerprint', j.fingerprint, 'created', n)
    if v[1] then redis.call('HSET', K.document(j.document), 'key', v[1]) end
    if j.key ~= '' then redis.call('SET', K.doc(j.tenant, j.key), j.document) end
  end
  redis.call('ZADD', K.idx(j.tenant), 0, j.id)
  redis.call('ZADD', K.idx(j.tenant, 'queued'), 0, j.id)
  count_queued(j.tenant, v[2], 1)
  redis.call('ZADD', K.djobs(j.document), 0, j.id)
  j.batch = v[3]
  feed(j, 'queued')
  return j.document
end

-- What the scripts that end a job need of its record, read at once. Without a status there is none.
local function ending(id)
  local v = redis.call('HMGET', K.job(id), 'status', 'tenant', 'class', 'att', 'owner', 'lease', 'cancel', 'wonby', 'document', 'batch',
    'progress', 'started', 'created', 'retention', 'keep', 'input_keep', 'evt', 'dlv', 'sealed', 'host', 'url', 'base', 'key_json',
    'metadata', 'reports', 'uses', 'owed', 'error')
  return {id = id, status = v[1], tenant = v[2], class = v[3], att = v[4], owner = v[5], lease = v[6], cancel = v[7], wonby = v[8],
    document = v[9], batch = v[10], progress = v[11], started = v[12], created = v[13], retention = v[14], keep = v[15], input_keep = v[16],
    event = v[17], delivery = v[18], sealed = v[19], host = v[20], url = v[21], base = v[22], key_json = v[23], metadata = v[24],
    reports = v[25], uses = v[26], owed = v[27], error = v[28]}
end

-- A job ends, of which ending has told: status, index, event and delivery in one step. Texts that Go encoded are joined as they are; cjson
-- would damage numbers. Only a queued one waits anywhere.
local function finish(j, status, n, fields)
  local id, record, tenant, document = j.id, K.job(j.id), j.tenant, j.document
  redis.call('HSET', record, 'finished', n, 'status', status, unpack(fields))
  feed(j, status, j.att, status == 'succeeded' and '100' or j.progress) -- before batches hear of it: their end is the last thing told of them
  move(j, status, n)
  redis.call('HDEL', record, 'owner', 'lease', 'orphan', 'uses', 'owed')
  if j.status == 'queued' then leave(id, tenant, j.class) else redis.call('ZREM', K.run, id) end
  redis.call('ZADD', K.ret, n + j.keep, id)
  if j.input_keep then redis.call('ZADD', K.inp, n + j.input_keep, id) end
  drop_uses(tenant, j.uses or '')

  local kind = 'job.' .. status
  local sequence = redis.call('HINCRBY', K.document(document), 'sequence', 1)
  redis.call('HSET', K.evt(j.event), 'type', kind, 'job', id, 'sequence', sequence, 'created', n, 'body',
    '{"type":"' .. kind .. '","timestamp":"' .. rfc3339(n) .. '","data":{"job_id":"' .. id ..
    '","document_id":"' .. document .. '","document_key":' .. j.key_json .. ',"status":"' .. status ..
    '","sequence":' .. sequence .. ',"job_url":"' .. j.base .. '/jobs/' .. id ..
    '","document_url":"' .. j.base .. '/documents/' .. document .. '","batch_id":' .. (j.batch and '"' .. j.batch .. '"' or 'null') ..
    ',"metadata":' .. j.metadata .. '}}')
  if not j.sealed or j.reports and not string.find(' ' .. j.reports .. ' ', ' ' .. kind .. ' ', 1, true) then
    if j.owed then redis.call('DECRBY', K.owed, j.owed) end
    return
  end
  redis.call('ZADD', K.unack(tenant), 0, id)
  deliver(j.delivery, n, {event = j.event, tenant = tenant, host = j.host, url = j.url or '', job = id}, j.owed or 0,
    'type', kind, 'job', id, 'document', document, 'sealed', j.sealed, 'accepted', j.created)
end

-- What was issued under a number, and where bytes are found by their hash. Both are written together.
local function register(tenant, number, document, hash)
  redis.call('HSET', K.nums(tenant, math.floor(number / 100)), number, document)
  redis.call('ZADD', K.sums(tenant), 0, hash .. ' ' .. number)
end

local function numbered(tenant, number)
  return redis.call('HGET', K.nums(tenant, math.floor(number / 100)), number)
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
