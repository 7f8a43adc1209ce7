-- A batch is to be uploaded, or was before. ARGV: 1 batch, 2 tenant, 3 idempotency key hash or '', 4 fingerprint of the request, 5 event,
-- 6 how long it may take until it is sealed, in ms, 7 bytes that its end needs, then fields. Returns {verdict, batch, items, digest, job}, of
-- one that was cut also {delivery, sealed callback or '', events}, or what refuses a new one.
local id, tenant, idem, request = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local n = now()
local bound = idem ~= '' and redis.call('GET', K.idem(tenant, idem))
if bound then
  local fp, record = string.match(bound, '^(%S+) (%S+)$')
  if string.find(record, 'bat_', 1, true) ~= 1 then return {'key_reused', '', '0', '', record} end
  local v = redis.call('HMGET', K.batch(record), 'state', 'items', 'digest', 'dlv', 'sealed', 'events')
  if fp ~= request then return {'key_reused', record, '0', '', ''} end
  if v[1] == 'sealed' then return {'replayed', record, v[2], v[3], ''} end
  redis.call('ZADD', K.tasks, n + ARGV[6], record)
  return {record == id and 'created' or 'resumed', record, '0', '', '', v[4], v[5] or '', v[6]}
end
local own = redis.call('HGET', K.batch(id), 'evt')
if own then return {own == ARGV[5] and 'created' or 'id_taken', id, '0', '', ''} end
local refused = barred(tenant, 'batch')
if refused then return refused end
redis.call('HSET', K.batch(id), 'state', 'open', 'tenant', tenant, 'idem', idem, 'evt', ARGV[5], 'epoch', 1, 'asked_for', n, unpack(ARGV, 8))
owe(K.batch(id), ARGV[7])
if idem ~= '' then redis.call('SET', K.idem(tenant, idem), request .. ' ' .. id) end
redis.call('ZADD', K.tasks, n + ARGV[6], id)
return {'created', id, '0', '', ''}
