-- Records a replay of many deliveries: of those that there are now, the oldest first. ARGV: 1 replay, 2 tenant, 3 status, 4 host,
-- 5 type, 6 after, 7 before, 8 from, 9 to: a range of ids, 10 deliveries a second, 11 the API key, 12 the first id of a replay that is
-- still listed, 13 how many of the tenant may go on at once. Returns 1, 0 when it is there, or -1 when too many go on.
local id, tenant = ARGV[1], ARGV[2]
if redis.call('EXISTS', K.replay(id)) == 1 then return 0 end
if redis.call('SCARD', K.going(tenant)) >= tonumber(ARGV[13]) then return -1 end
local n, to = now(), ARGV[9]
local newest = redis.call('ZREVRANGEBYLEX', K.dlvs(tenant, ARGV[3]), '+', '-', 'LIMIT', 0, 1)[1] or ''
if to == '+' or string.sub(to, 2) > newest then to = '[' .. newest end
redis.call('HSET', K.replay(id), 'tenant', tenant, 'status', ARGV[3], 'host', ARGV[4], 'type', ARGV[5], 'after', ARGV[6],
  'before', ARGV[7], 'cursor', ARGV[8], 'to', to, 'rate', ARGV[10], 'by', ARGV[11], 'replayed', 0, 'skipped', 0, 'created', n)
redis.call('ZADD', K.replays, n, id)
redis.call('SADD', K.going(tenant), id)
redis.call('ZREMRANGEBYLEX', K.runs(tenant), '-', '(' .. ARGV[12])
redis.call('ZADD', K.runs(tenant), 0, id)
return 1
