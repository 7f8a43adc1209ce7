-- Items of a sealed batch, in their order. ARGV: 1 batch, 2 status or '', 3 index to begin with, 4 limit. Returns the state of the batch
-- and the number of its items, then index, row, 1 when it waits again after having failed, and why it failed without a job, of each.
local id, status, from, limit = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local b = redis.call('HMGET', K.batch(id), 'state', 'items')
if b[1] ~= 'sealed' then return {b[1] or '', '0'} end

local function of(name)
  return redis.call('ZRANGEBYSCORE', K.items(id, name), from, '+inf', 'LIMIT', 0, limit)
end

local indexes = {}
if status == '' then
  for index = from, math.min(from + limit, tonumber(b[2])) - 1 do indexes[#indexes + 1] = string.format('%d', index) end
else
  indexes = of(status)
  if status == 'waiting' then
    for _, index in ipairs(of('again')) do indexes[#indexes + 1] = index end
    table.sort(indexes, function(x, y) return tonumber(x) < tonumber(y) end)
  end
end
local answer = {b[1], b[2]}
for i = 1, math.min(limit, #indexes) do
  local index = indexes[i]
  local again = redis.call('ZSCORE', K.items(id, 'again'), index) and '1' or '0'
  local flawed = again == '0' and redis.call('HGET', K.flaws(id), index) or ''
  for _, x in ipairs({index, redis.call('HGET', K.rows(id), index), again, flawed}) do answer[#answer + 1] = x end
end
return answer
