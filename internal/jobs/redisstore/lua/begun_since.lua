-- When the oldest batch was asked for that has something to be done. Returns that in ms, 0 when there is none, and 1 when there are too many
-- to look at.
local ids, oldest = redis.call('ZRANGE', K.tasks, 0, 999), nil
if #ids == 1000 then return '1' end
for _, id in ipairs(ids) do
  local at = tonumber(redis.call('HGET', K.batch(id), 'asked_for'))
  if at and (not oldest or at < oldest) then oldest = at end
end
return string.format('%.0f', oldest or 0)
