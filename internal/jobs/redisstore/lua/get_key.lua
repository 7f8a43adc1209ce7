-- Reads an API key. KEYS: 1 the key's own name. Returns {fields, now in ms}.
local t = redis.call('TIME')
return {redis.call('HGETALL', KEYS[1]), t[1] * 1000 + math.floor(t[2] / 1000)}
