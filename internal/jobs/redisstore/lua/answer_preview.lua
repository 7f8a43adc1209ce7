-- What became of a preview. ARGV: 1 id, 2 owner, 3 answer. Returns kept, or gone when nobody waits for it.
local record = K.preview(ARGV[1])
if redis.call('HGET', record, 'owner') ~= ARGV[2] then return 'gone' end
redis.call('HSET', record, 'answer', ARGV[3])
publish('preview', ARGV[1])
return 'kept'
