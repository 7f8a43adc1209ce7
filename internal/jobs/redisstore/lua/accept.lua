-- Who answers a request: an earlier job, or a new one. ARGV: 1 probe (1 or 0), 2 job, 3 document proposed, 4 tenant,
-- 5 idempotency key hash or '', 6 its fingerprint, 7 document key hash or '', 8 payload fingerprint, 9 nonce,
-- 10 job to retry or '', 11 grace ms, 12 bytes that it will need until its end, 13 versions of the catalog that it needs until then, with
-- blanks between them, 14 how many jobs of its line may be handed out at once or 0, 15 its class, then the fields of the job. Returns
-- {verdict, job, document}, and when it was created, and whether it waits for its tenant's turn (1 or 0).
local probe, id, document, tenant = ARGV[1] == '1', ARGV[2], ARGV[3], ARGV[4]
local idem, request, docKey, fingerprint = ARGV[5], ARGV[6], ARGV[7], ARGV[8]

local function bind(job)
  if idem == '' then return end
  redis.call('SET', K.idem(tenant, idem), request .. ' ' .. job)
  redis.call('SADD', K.binds(job), idem)
end

-- Our own call again, whose reply was lost? Then the same answer; an id that somebody else drew is no answer.
if not probe then
  local own = redis.call('HMGET', K.job(id), 'nonce', 'tenant', 'fingerprint', 'document', 'created')
  if own[1] then
    if own[1] == ARGV[9] and own[2] == tenant and own[3] == fingerprint then
      return {'created', id, own[4], own[5], '', redis.call('ZSCORE', K.ready(lineOf(ARGV[15]), tenant), id) and '1' or '0'}
    end
    return {'id_taken', id, ''}
  end
end

-- Rule 1: the idempotency key decides alone.
if idem ~= '' then
  local bound = redis.call('GET', K.idem(tenant, idem))
  if bound then
    local fp, job = string.match(bound, '^(%S+) (%S+)$')
    if string.find(job, 'bat_', 1, true) == 1 then return {'key_reused', '', '', '', job} end
    local doc = redis.call('HGET', K.job(job), 'document') or ''
    if fp == request then return {'replayed', job, doc} end
    return {'key_reused', job, doc}
  end
end

-- A batch that is uploaded has its document keys for itself, whatever the payload.
local batch = reserved(tenant, docKey)
if batch then return {'key_reserved', '', '', '', batch} end

local reuse = nil
if ARGV[10] ~= '' then
  local old = redis.call('HMGET', K.job(ARGV[10]), 'status', 'document')
  if old[1] ~= 'failed' and old[1] ~= 'canceled' then return {'not_retryable', ARGV[10], old[2] or ''} end
  local d = redis.call('HMGET', K.document(old[2]), 'status', 'job')
  if d[1] ~= 'pending' or d[2] ~= ARGV[10] then return {'not_retryable', ARGV[10], old[2]} end
  reuse = old[2]
elseif docKey ~= '' then
  -- Rule 2: the document key.
  local doc = redis.call('GET', K.doc(tenant, docKey))
  if doc then
    local d = redis.call('HMGET', K.document(doc), 'status', 'fingerprint', 'job')
    local status = redis.call('HGET', K.job(d[3]), 'status')
    if d[1] == 'pending' and (not status or FINAL[status]) then
      reuse = doc
    elseif d[2] ~= fingerprint then
      return {'key_conflict', d[3], doc}
    elseif not status then
      return {'retained', d[3], doc}
    else
      bind(d[3])
      if idem == '' and not FINAL[status] then redis.call('HSET', K.job(d[3]), 'wanted', 1) end -- it is not for a batch alone
      return {'replayed', d[3], doc}
    end
  end
end

if probe then return {'absent', '', reuse or ''} end
if not reuse and redis.call('EXISTS', K.document(document)) == 1 then return {'id_taken', id, ''} end

-- What the job needs is counted, so that nobody deletes it before the end.
for use in string.gmatch(ARGV[13], '%S+') do
  if redis.call('EXISTS', K.ver(tenant, use)) == 0 then return {'input_gone', use, ''} end
end
-- Nobody else answers, so that from here on the tenant is charged for what is new; see prelude_age.
local refused = barred(tenant, ARGV[15])
if refused then return refused end
for use in string.gmatch(ARGV[13], '%S+') do redis.call('HINCRBY', K.ver(tenant, use), 'uses', 1) end

local n = now()
document = create({id = id, document = reuse or document, reuse = reuse, tenant = tenant, key = docKey, fingerprint = fingerprint,
  nonce = ARGV[9], owed = ARGV[12]}, n, {unpack(ARGV, 16)})
bind(id)
local atOnce = free(tenant, ARGV[15], tonumber(ARGV[14]), n)
if atOnce then hand(id, tenant, ARGV[15], n, ARGV[11]) else ready(id, tenant, ARGV[15], precisely()) end
return {'created', id, document, string.format('%.0f', n), '', atOnce and '0' or '1'}
