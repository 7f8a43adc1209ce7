-- Replaces a field of a tenant if it still is what the caller has seen. ARGV: 1 tenant, 2 field, 3 old, 4 new; '' is none. Returns
-- swapped, other, or gone.
if redis.call('EXISTS', K.tenant(ARGV[1])) == 0 then return 'gone' end
if (redis.call('HGET', K.tenant(ARGV[1]), ARGV[2]) or '') ~= ARGV[3] then return 'other' end
if ARGV[4] == '' then
  redis.call('HDEL', K.tenant(ARGV[1]), ARGV[2])
else
  redis.call('HSET', K.tenant(ARGV[1]), ARGV[2], ARGV[4])
end
return 'swapped'
