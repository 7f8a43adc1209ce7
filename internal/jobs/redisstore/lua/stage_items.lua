-- Items of an upload are kept, and their document keys reserved. ARGV: 1 batch, then the items. Returns the state of the batch and, while
-- it is open, verdict, document, other index, batch and what is gone of each item. Behind one that differs from what came before under
-- its index nothing new is kept: that would be of another upload.
local batch = ARGV[1]
local b = redis.call('HMGET', K.batch(batch), 'state', 'tenant')
if b[1] ~= 'open' then return {b[1] or ''} end
local tenant, answer, changed = b[2], {b[1]}, false

-- Whether the rules of the document key let an item in.
local function named(item)
  if item.hash == '' then return 'ok' end
  local other, index, state = reservation(tenant, item.hash)
  if other == batch then return 'duplicate', '', index end
  if state == 'open' then return 'reserved', '', '', other end
  if other then
    promote(other, tenant, index, now())
    told(other, now())
  end
  local document = known_document(tenant, item.hash)
  if not document then return 'ok' end
  local status, _, failure = answered(document, item.fingerprint)
  if status ~= 'failed' or failure == FLAWS.purged then return 'ok' end
  return failure == FLAWS.conflict and 'conflict' or 'crowded', document
end

local function stage(item)
  local before = redis.call('HGET', K.item(batch, item.index), 'fingerprint')
  changed = changed or before and before ~= item.fingerprint
  if before then return before == item.fingerprint and 'ok' or 'changed' end
  if changed then return 'ok' end
  local verdict, document, other, holder = named(item)
  if verdict ~= 'ok' then return verdict, document, other, holder end
  local missing = take_uses(tenant, item.uses)
  if missing then return 'input_gone', '', '', '', missing end
  keep_item(batch, item)
  if item.hash ~= '' then redis.call('SET', K.reserved(tenant, item.hash), batch .. ' ' .. item.index) end
  local unexpected = '0'
  if item.key ~= '' and redis.call('EXISTS', K.expects(batch)) == 1 then
    redis.call('ZADD', K.expects(batch), 'XX', 1, item.key)
    if not redis.call('ZSCORE', K.expects(batch), item.key) then
      unexpected = '1'
      redis.call('HINCRBY', K.batch(batch), 'unexpected', 1)
    end
  end
  write_row(batch, item.index, {status = 'waiting', document = '-', job = '-', unexpected = unexpected, key = item.key})
  redis.call('ZADD', K.items(batch, 'waiting'), item.index, item.index)
  redis.call('HINCRBY', K.batch(batch), 'n:waiting', 1)
  return 'ok'
end

local i = 2
while i <= #ARGV do
  local item
  item, i = read_item(i)
  local verdict, document, other, holder, missing = stage(item)
  for _, x in ipairs({verdict, document or '', other or '', holder or '', missing or ''}) do answer[#answer + 1] = x end
end
return answer
