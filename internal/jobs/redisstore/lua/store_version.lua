-- An item gets a current version. ARGV: 1 tenant, 2 shelf:name, 3 shelf, 4 name, 5 SHA-256, 6 place of the bytes or '' for nothing
-- new, 7 size, 8 media type. Returns the version as the script version does, {} when there would have to be a new one, or what refuses
-- that: it is asked before the bytes are written, too.
local cat = K.cat(ARGV[1], ARGV[2])
local v = redis.call('HGET', cat, ARGV[5])
if not v then
  local refused = stocked(ARGV[1])
  if refused then return refused end
  if ARGV[6] == '' then return {} end
  v = tostring(redis.call('HINCRBY', cat, 'last', 1))
  redis.call('HSET', cat, ARGV[5], v)
  redis.call('HSET', K.ver(ARGV[1], ARGV[2] .. ':' .. v), 'sha256', ARGV[5], 'blob', ARGV[6], 'size', ARGV[7], 'type', ARGV[8],
    'created', now(), 'uses', 0)
  count_bytes(ARGV[1], K.ver(ARGV[1], ARGV[2] .. ':' .. v), ARGV[7])
  redis.call('HINCRBY', K.used(ARGV[1]), 'versions', 1)
  redis.call('ZADD', K.vers(ARGV[1], ARGV[2]), v, v)
end
redis.call('HSET', cat, 'current', v)
redis.call('ZADD', K.names(ARGV[1], ARGV[3]), 0, ARGV[4])
return {v, v, redis.call('HGETALL', K.ver(ARGV[1], ARGV[2] .. ':' .. v))}
