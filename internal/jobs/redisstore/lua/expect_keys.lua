-- Document keys are expected in an upload. ARGV: 1 batch, then the keys. Returns the state of the batch, or ''.
local state = redis.call('HGET', K.batch(ARGV[1]), 'state') or ''
if state ~= 'open' then return state end
for i = 2, #ARGV do redis.call('ZADD', K.expects(ARGV[1]), 'NX', 0, ARGV[i]) end
return state
