-- Records of batches past their retention go, each as one step: Redis frees what is large in the background. ARGV: 1 limit, 2 retention
-- of dead letters in ms. Returns how many went. The records of their jobs go first, and they stay while a delivery of theirs is pending or
-- can be replayed.
local n, deadMs, went = now(), tonumber(ARGV[2]), 0
if redis.call('ZCOUNT', K.ret, '-inf', n) > 0 then return 0 end

-- The event and the delivery of each epoch.
local function reports(id)
  local v = redis.call('HMGET', K.batch(id), 'evt', 'dlv', 'epoch')
  local all = {{v[1], v[2]}}
  for epoch = 1, v[3] - 1 do
    all[#all + 1] = {string.match(redis.call('HGET', K.batch(id), 'past:' .. epoch), '^(%S+) (%S+)$')}
  end
  return all
end

local function until_when(id)
  if redis.call('EXISTS', K.items(id, 'mended')) == 1 then return n + 60000 end
  for _, report in ipairs(reports(id)) do
    local again = reportUntil(report[2], n, deadMs)
    if again then return again end
  end
  return nil
end

local function forget(id)
  local v = redis.call('HMGET', K.batch(id), 'tenant', 'status', 'idem')
  for _, report in ipairs(reports(id)) do forget_delivery(report[2], report[1], v[1], deadMs) end
  if v[3] ~= '' then redis.call('DEL', K.idem(v[1], v[3])) end
  redis.call('ZREM', K.batches(v[1]), id)
  redis.call('ZREM', K.batches(v[1], v[2]), id)
  redis.call('UNLINK', K.batch(id), K.rows(id), K.expects(id), K.flaws(id), K.codes(id), K.pace(id))
  for _, status in ipairs({'waiting', 'queued', 'running', 'succeeded', 'reused', 'failed', 'canceled', 'again'}) do
    redis.call('UNLINK', K.items(id, status))
  end
end

for _, id in ipairs(redis.call('ZRANGEBYSCORE', K.bret, '-inf', n, 'LIMIT', 0, ARGV[1])) do
  local again = redis.call('EXISTS', K.batch(id)) == 1 and until_when(id)
  if again then
    redis.call('ZADD', K.bret, again, id)
  else
    redis.call('ZREM', K.bret, id)
    if redis.call('EXISTS', K.batch(id)) == 1 then forget(id) end
    went = went + 1
  end
end
return went
