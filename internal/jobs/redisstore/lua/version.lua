-- A version of an item. ARGV: 1 tenant, 2 shelf:name, 3 a number, or a SHA-256, or 'current'. Returns {number, number of the current
-- one, fields} or {}.
local v = redis.call('HMGET', K.cat(ARGV[1], ARGV[2]), 'current', ARGV[3])
local n = v[2] or ARGV[3]
local fields = redis.call('HGETALL', K.ver(ARGV[1], ARGV[2] .. ':' .. n))
if #fields == 0 then return {} end
return {n, v[1], fields}
