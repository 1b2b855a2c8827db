package policy_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
)

// TestAPrivilegeAnywhereIsAskedByItself checks a privilege over the platform, and anywhere, in one
// request with a decision cache.
func TestAPrivilegeAnywhereIsAskedByItself(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{})
	f.put(t, "over", metadata(where(criterion{"TYPE", []string{"dataHubPolicy"}, "EQUALS"}), auth.ManagePolicies))
	plain := auth.ForPlatform(auth.ManagePolicies)
	anywhere := plain
	anywhere.Anywhere = true
	ctx := request(t, authtest.Jo)
	for _, c := range []struct {
		check   auth.Check
		allowed bool
	}{{plain, false}, {anywhere, true}, {plain, false}} {
		decided, err := f.Decide(ctx, []auth.Check{c.check})
		if err != nil || decided[0].Allowed() != c.allowed {
			t.Errorf("anywhere %t: %v, %v", c.check.Anywhere, decided, err)
		}
		if decided[0].Covers(authtest.Jo, auth.OpUpdate, "urn:li:dataHubPolicy:x", "dataHubPolicyInfo") {
			t.Error("the decision permits a write")
		}
	}
}
