package graphql_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/urn"
)

// A query text ranks the groups; without one the newest come first.
func TestGroupsAreRankedByAText(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	const team, alpha urn.URN = "urn:li:corpGroup:team", "urn:li:corpGroup:alpha"
	for i, g := range []struct {
		urn  urn.URN
		name string
	}{{team, "Team"}, {alpha, "Alpha Team of the North"}} {
		world.Put(t, g.urn, "corpGroupInfo", fmt.Sprintf(`{"displayName":%q,"admins":[],"members":[],"groups":[],"created":{"time":%d,"actor":"urn:li:corpuser:jo"}}`, g.name, i+1))
	}
	for text, first := range map[string]urn.URN{"team": team, " Team ": team, "": alpha, "*": alpha} {
		got := data(t, engine, world, servicetest.Root, fmt.Sprintf(`{ listGroups(input: {query: %q}) { groups { urn } } }`, text))
		before, after := strings.Index(got, string(first)), strings.Index(got, string(map[urn.URN]urn.URN{team: alpha, alpha: team}[first]))
		if before < 0 || after < before {
			t.Errorf("%q: got %s, want %s first", text, got, first)
		}
	}
}
