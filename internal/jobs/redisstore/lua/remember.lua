-- A document's bytes may be issued again. ARGV: 1 tenant, 2 key, 3 document, 4 what is known of it, 5 retention in ms.
local v = redis.call('HMGET', K.document(ARGV[3]), 'status', 'issued', 'tenant')
if v[1] ~= 'issued' or v[3] ~= ARGV[1] then return end
redis.call('SET', K.cached(ARGV[1], ARGV[2]), v[2] .. ' ' .. ARGV[4], 'PX', ARGV[5])
