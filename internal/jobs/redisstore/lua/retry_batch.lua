-- The failed items of a batch that has ended are to be tried again: they move back at once, and get their jobs later. ARGV: 1 batch,
-- 2 key of the retry, 3 event, 4 delivery, 5 sealed callback or '', 6 bytes that the end needs, 7 how many items have new inputs, 8 the
-- request that sent them. Returns
-- begun, replayed, running, nothing, displaced when another retry has replaced some of these, '' for no such batch, or what refuses it.
local id, key, request, n = ARGV[1], ARGV[2], ARGV[8], now()
local v = redis.call('HMGET', K.batch(id), 'state', 'retry:' .. key, 'n:failed', 'evt', 'dlv', 'mends:' .. request)
if v[1] ~= 'sealed' then return '' end
if v[2] then return 'replayed' end
local b = standing(id)
if b.status ~= 'completed' and b.status ~= 'canceled' then return 'running' end
if tonumber(v[3] or 0) == 0 then return 'nothing' end
if tonumber(v[6] or 0) < tonumber(ARGV[7]) then return 'displaced' end
local refused = barred(b.tenant, 'batch')
if refused then return refused end
redis.call('HSET', K.batch(id), 'past:' .. b.epoch, v[4] .. ' ' .. v[5], 'epoch', b.epoch + 1, 'retry', request, 'retry:' .. key, b.epoch + 1,
  'asked_for', n, 'evt', ARGV[3], 'dlv', ARGV[4], 'n:waiting', v[3], 'n:failed', 0)
if ARGV[5] ~= '' then redis.call('HSET', K.batch(id), 'sealed', ARGV[5]) end
redis.call('HDEL', K.batch(id), 'finished', 'asked', 'taken')
owe(K.batch(id), ARGV[6])
redis.call('RENAME', K.items(id, 'failed'), K.items(id, 'again'))
redis.call('UNLINK', K.codes(id), K.flaws(id), K.pace(id))
redis.call('ZREM', K.bret, id)
redis.call('ZADD', K.repeats, 0, id)
if redis.call('EXISTS', K.items(id, 'mended')) == 1 then redis.call('ZADD', K.tasks, n, id) end
move_batch(b, 'running')
told(id, n)
return 'begun'
