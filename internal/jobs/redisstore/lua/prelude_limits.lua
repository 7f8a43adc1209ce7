-- What a tenant may use. The limits are fields of its hash ('limit:<name>', whole numbers; one that is absent is none), so that a change
-- holds from the next script on; what is used lies in the hash `used` beside it. Both are of the tenant's partition, as what is limited is.

-- A limit of a tenant by its name, or nil: requests_per_second, request_burst, concurrent_renders, queued_jobs, batch_items,
-- stored_bytes, stored_versions.
local function limit(tenant, name)
  return tonumber(redis.call('HGET', K.tenant(tenant), 'limit:' .. name))
end

-- So many requests of a tenant are let pass now, or it is said in how many ms they would be: nil, or at least 1.
--
-- This is the continuous-state leaky bucket of GCRA (ITU-T I.371, annex A). A request fills in a million; what was filled in drains by
-- the rate in a microsecond, and no more fits in than the burst. All of that are whole numbers, so that nothing is ever rounded.
local function charge(tenant, requests)
  local v = redis.call('HMGET', K.tenant(tenant), 'limit:requests_per_second', 'limit:request_burst')
  local rate = tonumber(v[1])
  if not rate then return nil end
  local t = redis.call('TIME')
  local at = t[1] * 1000000 + t[2]
  local u = redis.call('HMGET', K.used(tenant), 'level', 'at')
  local passed = math.max(0, at - tonumber(u[2] or at)) -- a clock that was set back fills in nothing
  local level = math.max(0, tonumber(u[1] or 0) - passed * rate) + requests * 1000000
  local over = level - (v[2] or v[1]) * 1000000
  if over > 0 then return math.ceil(over / rate / 1000) end
  redis.call('HSET', K.used(tenant), 'level', string.format('%.0f', level), 'at', string.format('%.0f', at))
  return nil
end

-- How many jobs of a tenant wait that are not of a batch.
local function lined_up(tenant)
  return redis.call('ZCARD', K.idx(tenant, 'queued')) - math.max(0, tonumber(redis.call('HGET', K.used(tenant), 'batch') or 0))
end

local function used(tenant, what) return tonumber(redis.call('HGET', K.used(tenant), what) or 0) end

-- Whether a limit refuses new work of a tenant: nil, and then one request of it is charged, or {'limited', limit, its value, ms until
-- the same request passes, or '0' where that does not follow from the limit}. Class 'batch' is for a whole batch, which is one request.
local function limited(tenant, class)
  local v = redis.call('HMGET', K.tenant(tenant), 'limit:stored_bytes', 'limit:queued_jobs', 'limit:requests_per_second')
  if v[1] and used(tenant, 'bytes') >= tonumber(v[1]) then return {'limited', 'stored_bytes', v[1], '0'} end
  if v[2] and class ~= 'batch' and lined_up(tenant) >= tonumber(v[2]) then return {'limited', 'queued_jobs', v[2], '0'} end
  local ms = v[3] and charge(tenant, 1)
  if ms then return {'limited', 'requests_per_second', v[3], string.format('%.0f', ms)} end
  return nil
end

-- Bytes are kept for a record of a tenant, or no longer. A record says itself what was counted of it, so that it is taken off once, and
-- what a build has stored that did not count is never taken off. Returns whether it was.
local function count_bytes(tenant, record, bytes)
  redis.call('HSET', record, 'counted', bytes)
  redis.call('HINCRBY', K.used(tenant), 'bytes', bytes)
end

local function uncount_bytes(tenant, record)
  local bytes = redis.call('HGET', record, 'counted')
  if not bytes then return false end
  redis.call('HDEL', record, 'counted')
  redis.call('HINCRBY', K.used(tenant), 'bytes', 0 - bytes) -- "-0" is no integer
  return true
end

-- Whether a tenant may store no further version of a template or an asset, as limited says it.
local function stocked(tenant)
  local bytes, versions = limit(tenant, 'stored_bytes'), limit(tenant, 'stored_versions') or VERSIONS
  if bytes and used(tenant, 'bytes') >= bytes then return {'limited', 'stored_bytes', string.format('%.0f', bytes), '0'} end
  if used(tenant, 'versions') >= versions then return {'limited', 'stored_versions', string.format('%.0f', versions), '0'} end
  return nil
end
