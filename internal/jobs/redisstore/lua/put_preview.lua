-- A preview is asked for. ARGV: 1 id, 2 request, 3 how long somebody waits in ms, 4 how long it is kept in ms.
local record = K.preview(ARGV[1])
if redis.call('EXISTS', record) == 1 then return 'again' end
redis.call('HSET', record, 'request', ARGV[2], 'until', now() + ARGV[3])
redis.call('PEXPIRE', record, ARGV[4])
return 'put'
