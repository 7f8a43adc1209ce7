-- The sealed callback of a job and that of its delivery are replaced, each where it is as it was. KEYS: job, delivery. ARGV:
-- old and new of the job, old and new of the delivery; the same twice leaves one alone. Returns 1, or 0 when one was
-- changed in the meantime; what is gone needs nothing.
local all = 1
for i, record in ipairs(KEYS) do
  local old, new = ARGV[2 * i - 1], ARGV[2 * i]
  local now = redis.call('HGET', record, 'sealed')
  if old ~= new and now and now ~= new then
    if now == old then
      redis.call('HSET', record, 'sealed', new)
    else
      all = 0
    end
  end
end
-- A job that has ended since it was looked at has left its delivery a copy of the old text.
if ARGV[1] ~= ARGV[2] and ARGV[3] == '' and redis.call('HGET', KEYS[2], 'sealed') == ARGV[1] then
  redis.call('HSET', KEYS[2], 'sealed', ARGV[2])
end
return all
