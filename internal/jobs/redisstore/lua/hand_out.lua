-- Ready jobs for the queue. ARGV: 1 grace ms, then for each line: its name, how many of its jobs may be handed out and not claimed,
-- how many to hand out now at most. Returns whether more are ready (1 or 0), whether it was the turn of a tenant with a limit (1 or 0), then
-- line, id, generation for each.
local n, answer = now(), {0, 0}
for i = 2, #ARGV, 3 do
  local line = ARGV[i]
  if redis.call('EXISTS', K.turn(line)) == 1 then
    local room = tonumber(ARGV[i + 1]) - redis.call('ZCARD', K.handed(line))
    if turns(answer, line, math.min(room, tonumber(ARGV[i + 2])), n, ARGV[1]) then answer[2] = 1 end
    if redis.call('EXISTS', K.turn(line)) == 1 then answer[1] = 1 end
  end
end
return answer
