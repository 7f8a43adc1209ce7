-- ARGV: 1 tenant. Returns {created or nil, sealed secrets, sealed callback, now, sealed signing keys}.
local v = redis.call('HMGET', K.tenant(ARGV[1]), 'created', 'secrets', 'callback', 'signing')
return {v[1] or '', v[2] or '', v[3] or '', string.format('%.0f', now()), v[4] or ''}
