-- An upload is forgotten, a part of it with each call. ARGV: 1 batch, 2 how many items. Returns 1 when there is more.
local state = redis.call('HGET', K.batch(ARGV[1]), 'state')
if state ~= 'open' and state ~= 'dropping' then return 0 end
return drop(ARGV[1], tonumber(ARGV[2]), now())
