-- How long the jobs of a line wait. ARGV: 1 line, 2 how many tenants to look at. Returns in ms how long the tenant has waited whose turn is
-- next, and how long the job has that is ready for longest, of the tenants that are next, or is handed out and not claimed.
local line, n = ARGV[1], now()
local oldest = first(K.handed(line)) or n
for _, tenant in ipairs(redis.call('ZRANGE', K.turn(line), 0, ARGV[2] - 1)) do
  oldest = math.min(oldest, first(K.ready(line, tenant)) or n)
end
return {math.max(0, math.floor(n - (first(K.turn(line)) or n))), math.max(0, math.floor(n - oldest))}
