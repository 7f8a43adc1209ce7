-- Documents that were issued with some bytes. ARGV: 1 tenant, 2 hash, 3 limit. Returns their ids.
local answer = {}
for _, entry in ipairs(redis.call('ZRANGEBYLEX', K.sums(ARGV[1]), '[' .. ARGV[2] .. ' ', '(' .. ARGV[2] .. '!', 'LIMIT', 0, ARGV[3])) do
  local number = string.sub(entry, #ARGV[2] + 2)
  answer[#answer + 1] = redis.call('HGET', K.nums(ARGV[1], math.floor(number / 100)), number) or nil
end
return answer
