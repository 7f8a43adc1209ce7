-- How items of batches become jobs.
--
-- The record of an item holds the fields that its job will have and, with names that begin with p_, what is needed until then.

-- Which batch has a document key, at which index, and whether it is open or sealed; nil for none. One that is dropped has no claim.
local function reservation(tenant, hash)
  local batch, index = string.match(redis.call('GET', K.reserved(tenant, hash)) or '', '^(%S+) (%d+)$')
  if not batch then return nil end
  local state = redis.call('HGET', K.batch(batch), 'state')
  if state == 'open' or state == 'sealed' then return batch, index, state end
  redis.call('DEL', K.reserved(tenant, hash))
  return nil
end

local function unreserve(tenant, hash, batch, index)
  if hash == '' or redis.call('GET', K.reserved(tenant, hash)) ~= batch .. ' ' .. index then return end
  redis.call('DEL', K.reserved(tenant, hash))
end

-- A new input of an item is no longer one that a retry waits for; `mends:<request>` of a batch is how many there are, by the request
-- that sent them.
local function unmend(batch, index)
  local key = redis.call('HGET', K.item(batch, index), 'p_mend')
  if not key then return end
  redis.call('HDEL', K.item(batch, index), 'p_mend')
  if redis.call('HINCRBY', K.batch(batch), 'mends:' .. key, -1) <= 0 then redis.call('HDEL', K.batch(batch), 'mends:' .. key) end
end

-- The record of an item goes, with what was set aside for its job.
local function discard(batch, index, tenant)
  unmend(batch, index)
  local item = K.item(batch, index)
  unreserve(tenant, redis.call('HGET', item, 'p_hash') or '', batch, index)
  settle(item)
  release_uses(item, tenant)
  redis.call('DEL', item)
end

-- An item fails without a job.
local function flaw(batch, index, n, text)
  redis.call('HSET', K.flaws(batch), index, text)
  turn(batch, index, 'failed', n, text)
end

-- Who answers for a document that has one already: nil when a new job of it may be made, or the status of the item and its job, or
-- 'failed', nil, and why. What was purged before it was issued is nothing to be reused, and its identity is used up.
local function answered(document, fingerprint)
  local d = redis.call('HMGET', K.document(document), 'status', 'fingerprint', 'job', 'issued')
  local status = redis.call('HGET', K.job(d[3]), 'status')
  if d[1] == 'pending' and (not status or FINAL[status]) then return nil end
  if d[2] ~= fingerprint then return 'failed', nil, FLAWS.conflict end
  if d[1] ~= 'pending' and not d[4] then return 'failed', nil, FLAWS.purged end
  if d[1] ~= 'pending' then return 'reused', d[3] end
  if redis.call('SCARD', K.watch(d[3])) >= WATCHERS then return 'failed', nil, FLAWS.crowded end
  return status, d[3]
end

-- The document of an item that has one already, or nil.
local function known_document(tenant, hash, of_item)
  local document = hash ~= '' and redis.call('GET', K.doc(tenant, hash)) or of_item or false
  return document and redis.call('EXISTS', K.document(document)) == 1 and document or nil
end

-- A waiting item gets its job: one of its own, or that of its document, which may have ended. The rules of identity are looked at anew.
local function promote(batch, tenant, index, n)
  local item = K.item(batch, index)
  local v = redis.call('HMGET', item, 'p_job', 'p_document', 'p_hash', 'fingerprint', 'p_again', 'class', 'p_staged')
  if not v[1] then return redis.call('ZREM', K.items(batch, 'waiting'), index) end
  local document = known_document(tenant, v[3], v[5])
  local status, job, failure
  if document then status, job, failure = answered(document, v[4]) end
  if not status and redis.call('EXISTS', K.job(v[1])) == 1 then status, failure = 'failed', FLAWS.taken end
  if status then
    discard(batch, index, tenant)
    if failure then return flaw(batch, index, n, failure) end
    if status ~= 'reused' then redis.call('SADD', K.watch(job), batch .. ' ' .. index) end
    return turn(batch, index, status, n, nil, document, job)
  end
  unreserve(tenant, v[3], batch, index)
  redis.call('RENAME', item, K.job(v[1]))
  redis.call('HDEL', K.job(v[1]), 'p_job', 'p_document', 'p_hash', 'p_again', 'p_mend', 'p_staged')
  -- Lists find a job by the time in its id, which was drawn when the item came: that of its record must not be much later.
  local made = create({id = v[1], document = document or v[2], reuse = document, tenant = tenant, key = v[3], fingerprint = v[4],
    nonce = batch}, n, {'created', math.min(n, v[7] + SLACK)})
  redis.call('SADD', K.watch(v[1]), batch .. ' ' .. index)
  turn(batch, index, 'queued', n, nil, made, v[1])
  ready(v[1], tenant, v[6], n + index % 1000 / 4096) -- in their order, of those of one step: a score has no finer parts
end

-- The rules of a document key when a batch has it. Returns a verdict with the batch that is being uploaded, or nil: nobody has it any
-- more, for what a sealed batch has becomes a job right now.
local function reserved(tenant, hash)
  if hash == '' then return nil end
  local batch, index, state = reservation(tenant, hash)
  if state == 'open' then return batch end
  if not batch then return nil end
  promote(batch, tenant, index, now())
  told(batch, now())
  return nil
end

-- Reads an item from the arguments, at i. Returns it, and where the next one begins.
local function read_item(i)
  local count = tonumber(ARGV[i + 8])
  return {index = ARGV[i], job = ARGV[i + 1], document = ARGV[i + 2], hash = ARGV[i + 3], key = ARGV[i + 4],
    fingerprint = ARGV[i + 5], owed = ARGV[i + 6], uses = ARGV[i + 7], fields = {unpack(ARGV, i + 9, i + 8 + count)}}, i + 9 + count
end

-- Keeps an item until it becomes a job. What it uses of the catalog is counted already.
local function keep_item(batch, item, ...)
  local record = K.item(batch, item.index)
  redis.call('HSET', record, 'p_job', item.job, 'p_document', item.document, 'p_hash', item.hash, 'fingerprint', item.fingerprint,
    'p_staged', now(), unpack(item.fields))
  if select('#', ...) > 0 then redis.call('HSET', record, ...) end
  owe(record, item.owed)
end

-- An item that a retry has moved back waits as others do; the counts say so already.
local function wait_again(batch, index)
  local r = read_row(batch, index)
  r.status = 'waiting'
  write_row(batch, index, r)
  redis.call('ZREM', K.items(batch, 'again'), index)
  redis.call('ZADD', K.items(batch, 'waiting'), index, index)
end

-- Forgets a part of an upload. From the first part on its keys are free. Returns 1 when there is more, else 0.
local function drop(id, limit, n)
  local b = redis.call('HMGET', K.batch(id), 'tenant', 'idem', 'state')
  if b[3] == 'open' then
    redis.call('HSET', K.batch(id), 'state', 'dropping')
    if b[2] ~= '' then redis.call('DEL', K.idem(b[1], b[2])) end
    redis.call('ZADD', K.tasks, n, id)
  end
  local indexes = redis.call('ZRANGE', K.items(id, 'waiting'), 0, limit - 1)
  for _, index in ipairs(indexes) do
    discard(id, index, b[1])
    redis.call('ZREM', K.items(id, 'waiting'), index)
  end
  if #indexes == limit then return 1 end
  settle(K.batch(id))
  redis.call('UNLINK', K.batch(id), K.rows(id), K.items(id, 'waiting'), K.expects(id))
  redis.call('ZREM', K.tasks, id)
  return 0
end
