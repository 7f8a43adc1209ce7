-- ARGV: 1 retention of dead letters in ms. Returns how many there are inside it, and the age of the oldest in ms.
local n = now()
local from = '(' .. string.format('%.0f', n - ARGV[1])
local oldest = redis.call('ZRANGEBYSCORE', K.died, from, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
return {redis.call('ZCOUNT', K.died, from, '+inf'), oldest[2] and string.format('%.0f', n - oldest[2]) or '0'}
