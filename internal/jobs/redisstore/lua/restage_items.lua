-- Items that a retry has moved back get their inputs, or fail for want of them. ARGV: 1 batch, 2 epoch, 3 how many fail, then index and
-- why of each of these, then the items.
local batch, n = ARGV[1], now()
local b = redis.call('HMGET', K.batch(batch), 'status', 'epoch', 'tenant')
if b[1] ~= 'running' or b[2] ~= ARGV[2] then return 0 end

local function again(index) return redis.call('ZSCORE', K.items(batch, 'again'), index) end

local function fail(index, text)
  wait_again(batch, index)
  flaw(batch, index, n, text)
end

local i = 4
for _ = 1, tonumber(ARGV[3]) do
  if again(ARGV[i]) then fail(ARGV[i], ARGV[i + 1]) end
  i = i + 2
end
while i <= #ARGV do
  local item
  item, i = read_item(i)
  if not again(item.index) then
    -- another process was first
  elseif take_uses(b[3], item.uses) then
    fail(item.index, FLAWS.purged)
  else
    local document = read_row(batch, item.index).document
    keep_item(batch, item)
    if document ~= '-' then redis.call('HSET', K.item(batch, item.index), 'p_again', document) end
    wait_again(batch, item.index)
  end
end
told(batch, n)
redis.call('HDEL', K.batch(batch), 'taken')
redis.call('ZADD', K.tasks, n, batch)
return 1
