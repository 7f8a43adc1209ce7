-- One worker may make a preview, once; the same one may ask again. ARGV: 1 id, 2 owner. Returns {request, ms that somebody still
-- waits}, or {} when it is another's, over or gone.
local record = K.preview(ARGV[1])
local v = redis.call('HMGET', record, 'request', 'until', 'owner')
local left = v[1] and v[2] - now() or 0
if left <= 0 or v[3] and v[3] ~= ARGV[2] then return {} end
redis.call('HSET', record, 'owner', ARGV[2])
return {v[1], left}
