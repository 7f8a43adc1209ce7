-- What has not ended of a batch is to end. ARGV: 1 batch. Returns its status, or '' for no such batch.
local id = ARGV[1]
if redis.call('HGET', K.batch(id), 'state') ~= 'sealed' then return '' end
local b, n = standing(id), now()
if b.status == 'running' then
  move_batch(b, 'canceling')
  redis.call('HDEL', K.batch(id), 'asked')
  redis.call('ZADD', K.tasks, n, id)
  told(id, n)
end
return b.status
