package redisstore_test

import (
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/jobs/redisstore"
)

func TestAScriptCarriesWhatItUsesAndNoMore(t *testing.T) {
	t.Parallel()
	shared := `-- What is shared.
local DAY, HOUR = 86400, 3600
local later

local function now() return DAY end -- used by feed

local function feed(id)
  -- later is defined below
  redis.call('XADD', K.feed, later(id), now())
end

later = function(id)
  return K.job(id)
end

local function unused() return K.unused end
`
	got := redisstore.Before(shared, "-- unused is only named here\nreturn feed(ARGV[1]) .. 'unused'\n")
	want := `local P = KEYS[1]
local K = {}
K.job = function(a, b) if b then a = a .. ':' .. b end return P .. 'job:' .. a end
K.feed = P .. 'feed'
local DAY, HOUR = 86400, 3600
local later
local function now() return DAY end
local function feed(id)
  redis.call('XADD', K.feed, later(id), now())
end
later = function(id)
  return K.job(id)
end
`
	if strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
