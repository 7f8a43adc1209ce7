-- KEYS: the canary. ARGV: the old one, '' for none, and the new one, which takes its place if it is still there. Returns what
-- stands now.
local now = redis.call('GET', KEYS[1])
if (now or '') == ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[2])
  return ARGV[2]
end
return now or ''
