-- A delivery becomes due again. ARGV: 1 delivery, 2 retention of dead letters in ms, 3 the API key. Returns ok, pending, expired,
-- url_gone, test or gone.
local n = now()
local answer = replay(ARGV[1], n, tonumber(ARGV[2]), ARGV[3])
if answer == 'ok' then admit(ARGV[1], about(ARGV[1]), n) end
return answer
