package release_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/pkg/release"
)

func TestABuildWithoutAStampSaysSo(t *testing.T) {
	t.Parallel()
	if got := release.Version(); got != "dev" {
		t.Errorf("got version %q, want dev", got)
	}
	if got := release.Stamp(); !strings.HasPrefix(got, "dev (commit "+release.Commit()+", go1.") {
		t.Errorf("got stamp %q", got)
	}
}
