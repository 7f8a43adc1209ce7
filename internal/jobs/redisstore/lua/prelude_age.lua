-- How long work waits, and who is refused for it.

-- The score of the first member, or nil.
local function first(set) return tonumber(redis.call('ZRANGE', set, 0, 0, 'WITHSCORES')[2]) end

-- Whether new work of a tenant and class would wait for too long: the tenant whose turn is next has waited for it for MAX_AGE, and whoever
-- comes now comes behind it; or a ready job of this tenant is as old. That others have old jobs is nothing to it, since it has turns of
-- its own. A batch is meant to wait, so of its class only the turns count.
local function late(tenant, class)
  if MAX_AGE == 0 then return false end
  local line, oldest = lineOf(class), now() - MAX_AGE
  local turn, own = first(K.turn(line)), class ~= 'batch' and first(K.ready(line, tenant))
  return turn and turn <= oldest or own and own <= oldest
end

-- What refuses new work of a tenant: {'overloaded'}, or as limited says it; nil charges one request. It is for the caller to see to it that
-- nobody else answers the request, and to ask before anything is written.
local function barred(tenant, class)
  if late(tenant, class) then return {'overloaded'} end
  return limited(tenant, class)
end
