-- ARGV: 1 job. Returns the status: canceled when it ended here, running when it was asked to end, the final one
-- when it had ended, or '' for no such job.
local id = ARGV[1]
local status = redis.call('HGET', K.job(id), 'status')
if not status then return '' end
if status == 'running' then
  redis.call('HSET', K.job(id), 'cancel', 1)
elseif status == 'queued' then
  finish(id, 'canceled', now(), {})
  return 'canceled'
end
return status
