-- ARGV: 1 job. Returns the status: canceled when it ended here, running when it was asked to end, the final one
-- when it had ended, or '' for no such job.
local id = ARGV[1]
local j = ending(id)
if not j.status then return '' end
if j.status == 'running' then
  redis.call('HSET', K.job(id), 'cancel', 1)
elseif j.status == 'queued' then
  finish(j, 'canceled', now(), {})
  return 'canceled'
end
return j.status
