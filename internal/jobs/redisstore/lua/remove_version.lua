-- Versions of an item are forgotten unless a job needs one of them. ARGV: 1 tenant, 2 shelf:name, 3 shelf, 4 name, 5 number or '0' for
-- all. The number of the last one stays, so that none is used again. Returns {ok, places…}, {used, number} or {gone}.
local cat, vers = K.cat(ARGV[1], ARGV[2]), K.vers(ARGV[1], ARGV[2])
local function record(v) return K.ver(ARGV[1], ARGV[2] .. ':' .. v) end
local gone = ARGV[5] == '0' and redis.call('ZRANGE', vers, 0, -1) or {ARGV[5]}
if #gone == 0 or redis.call('EXISTS', record(gone[1])) == 0 then return {'gone'} end
for _, v in ipairs(gone) do
  if tonumber(redis.call('HGET', record(v), 'uses') or 0) > 0 then return {'used', v} end
end
local answer = {'ok'}
for _, v in ipairs(gone) do
  local f = redis.call('HMGET', record(v), 'blob', 'sha256')
  answer[#answer + 1] = f[1]
  redis.call('HDEL', cat, f[2])
  if uncount_bytes(ARGV[1], record(v)) then redis.call('HINCRBY', K.used(ARGV[1]), 'versions', -1) end
  redis.call('DEL', record(v))
  redis.call('ZREM', vers, v)
end
local left = redis.call('ZRANGE', vers, -1, -1)[1]
if not left then
  redis.call('HDEL', cat, 'current')
  redis.call('ZREM', K.names(ARGV[1], ARGV[3]), ARGV[4])
elseif redis.call('EXISTS', record(redis.call('HGET', cat, 'current'))) == 0 then
  redis.call('HSET', cat, 'current', left)
end
return answer
