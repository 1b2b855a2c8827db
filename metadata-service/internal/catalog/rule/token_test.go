package rule_test

import (
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// untilThen are tokens of a user that expire at a time, 0 for never.
func untilThen(prefix string, n int, user urn.URN, expires int64) []catalog.Proposal {
	var tokens []catalog.Proposal
	for i := range n {
		expiry := ""
		if expires != 0 {
			expiry = fmt.Sprintf(`,"expiresAt":%d`, expires)
		}
		tokens = append(tokens, catalogtest.Proposal(urn.Make("dataHubAccessToken", fmt.Sprintf("%s%05d", prefix, i)), "dataHubAccessTokenInfo",
			fmt.Sprintf(`{"name":"n","actorUrn":%[1]q,"ownerUrn":%[1]q,"createdAt":1%[2]s}`, user, expiry)))
	}
	return tokens
}

func asSystem(f *catalogtest.Fixture, tokens []catalog.Proposal) {
	f.T.Helper()
	if err := f.Managed("dataHubAccessTokenKey", "dataHubAccessTokenInfo").Write(f.As(model.SystemActor), tokens); err != nil {
		f.T.Fatal(err)
	}
}

func TestTokensOfAUserAreLimited(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	f.Put(jo, "corpUserInfo", `{"active":true}`)
	f.Put(mia, "corpUserInfo", `{"active":true}`)
	asSystem(f, untilThen("a", rule.MaxTokens-1, jo, 0))
	if err := writeTokens(f, untilThen("last", 1, jo, 0)...); err != nil {
		t.Fatal(err)
	}
	catalogtest.WantFault(t, writeTokens(f, untilThen("more", 1, jo, 0)...), fault.Invalid, "has 1000 access tokens that have not expired")
	if err := writeTokens(f, untilThen("other", 1, mia, 0)...); err != nil {
		t.Errorf("another user: %v", err)
	}
	asSystem(f, untilThen("system", 1, jo, 0))
	for _, id := range []string{"system00000", "last00000"} {
		if err := f.Managed("dataHubAccessTokenKey", "dataHubAccessTokenInfo").Revoke(f.As(root), urn.Make("dataHubAccessToken", id)); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeTokens(f, untilThen("again", 1, jo, 0)...); err != nil {
		t.Errorf("after one was revoked: %v", err)
	}
}

func TestExpiredTokensMakeRoom(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	f.Put(jo, "corpUserInfo", `{"active":true}`)
	asSystem(f, untilThen("good", rule.MaxTokens-150, jo, 0))
	asSystem(f, untilThen("short", 150, jo, f.Clock.Load()+1))
	catalogtest.WantFault(t, writeTokens(f, untilThen("new", 1, jo, 0)...), fault.Invalid, "have not expired")
	f.Clock.Add(2)
	if err := writeTokens(f, untilThen("new", 1, jo, 0)...); err != nil {
		t.Fatal(err)
	}
	left, err := f.Store.Lookup(t.Context(), rule.TokensOf(jo), "", 2*rule.MaxTokens)
	if err != nil || len(left) != rule.MaxTokens-100+1 {
		t.Errorf("%d tokens are left, %v", len(left), err)
	}
	f.WantValue("urn:li:dataHubAccessToken:good00000", "dataHubAccessTokenInfo", string(untilThen("good", 1, jo, 0)[0].Value))
	f.WantValue("urn:li:dataHubAccessToken:short00000", "dataHubAccessTokenInfo", "")
}

func TestServiceAccountsHaveMoreTokens(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	const robot urn.URN = "urn:li:corpuser:service_robot"
	f.Must(catalogtest.Proposal(robot, "corpUserInfo", `{"active":true}`), catalogtest.Proposal(robot, "subTypes", `{"typeNames":["SERVICE_ACCOUNT"]}`))
	asSystem(f, untilThen("a", rule.MaxTokens, robot, 0))
	if err := writeTokens(f, untilThen("more", 1, robot, 0)...); err != nil {
		t.Error(err)
	}
}
