-- New inputs for failed items of a batch that has ended, kept for a retry. ARGV: 1 batch, 2 key of the retry, 3 the request that sends
-- them, 4 how long until it begins, in ms, then the items. Returns the state of the batch, and verdict, document, other index, batch and what is gone of each item.
local batch, request = ARGV[1], ARGV[3]
local b = redis.call('HMGET', K.batch(batch), 'state', 'tenant', 'status', 'retry:' .. ARGV[2])
if b[1] ~= 'sealed' then return {b[1] or ''} end
local tenant, answer = b[2], {b[1]}
local ended = b[3] == 'completed' or b[3] == 'canceled'

local function mend(item)
  if b[4] then return 'ok' end -- the retry has begun: this is the same call again
  local r = read_row(batch, item.index)
  if not r or not ended or r.status ~= 'failed' then return 'not_failed' end
  if r.key ~= item.key then return 'conflict', r.document end
  local before = redis.call('HMGET', K.item(batch, item.index), 'fingerprint', 'p_mend')
  if before[1] == item.fingerprint and before[2] == request then return 'ok' end
  discard(batch, item.index, tenant)
  local missing = take_uses(tenant, item.uses)
  if missing then return 'input_gone', '', missing end
  keep_item(batch, item, 'p_mend', request)
  redis.call('HINCRBY', K.batch(batch), 'mends:' .. request, 1)
  if r.document ~= '-' then redis.call('HSET', K.item(batch, item.index), 'p_again', r.document) end
  redis.call('ZADD', K.items(batch, 'mended'), item.index, item.index)
  redis.call('HSET', K.batch(batch), 'mended_until', now() + ARGV[4])
  redis.call('ZADD', K.tasks, 'NX', now() + ARGV[4], batch)
  return 'ok'
end

local i = 5
while i <= #ARGV do
  local item
  item, i = read_item(i)
  local verdict, document, missing = mend(item)
  for _, x in ipairs({verdict, document or '', '', '', missing or ''}) do answer[#answer + 1] = x end
end
return answer
