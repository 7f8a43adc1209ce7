-- One request of a tenant that brings work which is not a job. ARGV: 1 tenant. Returns {} or {'limited', limit, its value, ms to wait}.
local ms = charge(ARGV[1], 1)
return ms and {'limited', 'requests_per_second', tostring(limit(ARGV[1], 'requests_per_second')), string.format('%.0f', ms)} or {}
