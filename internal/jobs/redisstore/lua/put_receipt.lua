-- Keeps the receipt of a document that was issued, unless it has one. A document of an older build, which is under no number yet, joins the
-- indexes by this. ARGV: 1 document, 2 receipt, 3 hash of the bytes. Returns the receipt that stands, or gone or pending.
local document = K.document(ARGV[1])
local v = redis.call('HMGET', document, 'tenant', 'number', 'receipt', 'status')
if not v[1] then return 'gone' end
if not v[2] then return 'pending' end
if v[3] then return v[3] end
redis.call('HSET', document, 'receipt', ARGV[2])
if v[4] == 'purged' then redis.call('HDEL', document, 'made') end
if numbered(v[1], v[2]) ~= ARGV[1] then register(v[1], v[2], ARGV[1], ARGV[3]) end
return ARGV[2]
