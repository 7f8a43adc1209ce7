-- An upload is accepted as a whole. ARGV: 1 batch, 2 how many items it has, 3 their digest. Returns sealed, incomplete or gone.
local id = ARGV[1]
local v = redis.call('HMGET', K.batch(id), 'state', 'n:waiting', 'items', 'digest', 'tenant')
if v[1] == 'sealed' then return v[3] == ARGV[2] and v[4] == ARGV[3] and 'sealed' or 'incomplete' end
if v[1] ~= 'open' then return 'gone' end
if (v[2] or '0') ~= ARGV[2] then return 'incomplete' end
local n = now()
redis.call('HSET', K.batch(id), 'state', 'sealed', 'items', ARGV[2], 'digest', ARGV[3], 'created', n)
redis.call('ZADD', K.batches(v[5]), 0, id)
move_batch({id = id, tenant = v[5]}, 'running')
redis.call('ZADD', K.tasks, n, id)
told(id, n)
return 'sealed'
