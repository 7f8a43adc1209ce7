-- Expected document keys that were not sent, in byte order. ARGV: 1 batch, 2 the key to go on behind or '', 3 limit.
local set = K.expects(ARGV[1])
local from = ARGV[2] ~= '' and redis.call('ZRANK', set, ARGV[2])
from = from and from + 1 or 0
local last = redis.call('ZCOUNT', set, 0, 0) - 1
if from > last then return {} end
return redis.call('ZRANGE', set, from, math.min(last, from + ARGV[3] - 1))
