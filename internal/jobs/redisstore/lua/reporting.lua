-- What waits for some hosts. ARGV: the hosts. Returns how many deliveries, and how many of the hosts do not answer.
local parked, down = 0, 0
for _, host in ipairs(ARGV) do
  local n = redis.call('ZCARD', K.park(host))
  parked = parked + n
  if n > 0 and broken(redis.call('HGET', K.host(host), 'fails')) then down = down + 1 end
end
return {parked, down}
