-- What was remembered under a key. ARGV: 1 tenant, 2 key, 3 how long ago it may have been issued, in ms.
local v = redis.call('GET', K.cached(ARGV[1], ARGV[2]))
if not v then return '' end
local issued, known = string.match(v, '^(%d+) (.*)$')
if issued + ARGV[3] < now() then return '' end
return known
