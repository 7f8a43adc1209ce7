-- ARGV: 1 tenant, 2 sealed secrets. Returns 1 when it was created, 0 when it existed.
redis.call('ZADD', K.tenants, 0, ARGV[1])
if redis.call('EXISTS', K.tenant(ARGV[1])) == 1 then return 0 end
redis.call('HSET', K.tenant(ARGV[1]), 'created', now(), 'secrets', ARGV[2])
return 1
