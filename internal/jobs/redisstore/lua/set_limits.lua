-- Limits of a tenant change, each by itself, so that of two changes at once none undoes the other. ARGV: 1 tenant, then field and value,
-- '' being none. Returns set, or gone.
local tenant = K.tenant(ARGV[1])
if redis.call('EXISTS', tenant) == 0 then return 'gone' end
for i = 2, #ARGV, 2 do
  if ARGV[i + 1] == '' then
    redis.call('HDEL', tenant, ARGV[i])
  else
    redis.call('HSET', tenant, ARGV[i], ARGV[i + 1])
  end
end
return 'set'
