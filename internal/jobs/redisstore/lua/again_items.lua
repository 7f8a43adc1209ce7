-- Items whose jobs are to be made again from their old inputs. What is listed is not listed to others for a while, so that not every
-- process reads the same inputs. ARGV: 1 limit, 2 that while in ms. Returns batch, epoch, index, old job and document of each, with - for
-- none.
local n, answer, left = now(), {}, tonumber(ARGV[1])
for _, id in ipairs(redis.call('ZRANGE', K.repeats, 0, 99)) do
  local v = redis.call('HMGET', K.batch(id), 'status', 'epoch', 'taken')
  if v[1] ~= 'running' or redis.call('EXISTS', K.items(id, 'again')) == 0 then
    redis.call('ZREM', K.repeats, id)
  elseif left > 0 and redis.call('EXISTS', K.items(id, 'mended')) == 0 and tonumber(v[3] or 0) <= n then
    redis.call('HSET', K.batch(id), 'taken', n + ARGV[2])
    for _, index in ipairs(redis.call('ZRANGE', K.items(id, 'again'), 0, left - 1)) do
      local r = read_row(id, index)
      for _, x in ipairs({id, v[2], index, r.job, r.document}) do answer[#answer + 1] = x end
      left = left - 1
    end
  end
end
return answer
