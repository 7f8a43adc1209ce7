-- An event that is about no job, and its delivery: one attempt. ARGV: 1 event, 2 delivery, 3 tenant, 4 host, 5 hash of the URL,
-- 6 sealed callback. One that nobody makes goes after two days.
local event, id = ARGV[1], ARGV[2]
if redis.call('EXISTS', K.dlv(id)) == 1 then return 0 end
local n = now()
redis.call('HSET', K.evt(event), 'type', 'ping', 'created', n, 'body', '{"type":"ping","timestamp":"' .. rfc3339(n) .. '","data":{}}')
redis.call('HSET', K.dlv(id), 'status', 'pending', 'event', event, 'type', 'ping', 'ping', 1, 'tenant', ARGV[3], 'host', ARGV[4],
  'url', ARGV[5], 'sealed', ARGV[6], 'gen', 1, 'att', 0, 'from', 0, 'created', n, 'next', n)
redis.call('PEXPIRE', K.evt(event), 2 * DAY)
redis.call('PEXPIRE', K.dlv(id), 2 * DAY)
admit(id, about(id), n)
return 1
