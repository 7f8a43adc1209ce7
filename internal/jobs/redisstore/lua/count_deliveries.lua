-- Counts a part of what a filter selects. ARGV: 1 tenant, 2 status, 3 host, 4 type, 5 after, 6 before, 7 from, 8 to: a range of ids,
-- 9 how many to look at. Returns the number, and where to go on or ''.
local count, last = 0, nil
local ids = redis.call('ZRANGEBYLEX', K.dlvs(ARGV[1], ARGV[2]), ARGV[7], ARGV[8], 'LIMIT', 0, ARGV[9])
for _, id in ipairs(ids) do
  if matches(id, ARGV[3], ARGV[4], ARGV[5], ARGV[6]) then count = count + 1 end
  last = id
end
return {count, #ids == tonumber(ARGV[9]) and '(' .. last or ''}
