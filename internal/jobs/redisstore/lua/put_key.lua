-- Records an API key. KEYS: 1 the key's own name. ARGV: 1 lifetime in ms or 0, then the fields.
local t = redis.call('TIME')
local n = t[1] * 1000 + math.floor(t[2] / 1000)
redis.call('HSET', KEYS[1], 'created', n, 'expires', tonumber(ARGV[1]) > 0 and n + ARGV[1] or 0, unpack(ARGV, 2))
return n
