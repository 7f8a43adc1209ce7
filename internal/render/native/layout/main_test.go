package layout_test

import (
	"os"
	"testing"

	"github.com/platen-render/platen/internal/render/native/layout/layouttest"
)

func TestMain(m *testing.M) { os.Exit(layouttest.Main(m)) }
