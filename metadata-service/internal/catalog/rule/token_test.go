package rule_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// untilThen returns tokens of a user that expire at a time, 0 for never.
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
	revoke(f, "system00000")
	revoke(f, "last00000")
	if err := writeTokens(f, untilThen("again", 1, jo, 0)...); err != nil {
		t.Errorf("after one was revoked: %v", err)
	}
}

// tokenReads counts the tokens that transactions read from a store.
type tokenReads struct {
	store.Store
	tokens int
}

func (r *tokenReads) Unwrap() store.Store { return r.Store }

func (r *tokenReads) Update(ctx context.Context, fn func(store.Tx) error) (store.Commit, error) {
	return r.Store.Update(ctx, func(tx store.Tx) error { return fn(tokenReadsTx{tx, r}) })
}

type tokenReadsTx struct {
	store.Tx
	reads *tokenReads
}

func (tx tokenReadsTx) Get(ctx context.Context, keys ...store.Key) ([]*model.Record, error) {
	for _, key := range keys {
		if key.Aspect == "dataHubAccessTokenInfo" {
			tx.reads.tokens++
		}
	}
	return tx.Tx.Get(ctx, keys...)
}

// All writes wait for the transaction that refuses a token.
func TestTokensAreReadOnceHoweverOftenOneMoreIsRefused(t *testing.T) {
	t.Parallel()
	on := catalogtest.InMemory()
	reads := &tokenReads{Store: on.Store}
	on.Store = reads
	f := catalogtest.New(t, on)
	f.Put(jo, "corpUserInfo", `{"active":true}`)
	later := f.Clock.Load() + 1000
	asSystem(f, untilThen("a", rule.MaxTokens-1, jo, 0))
	asSystem(f, untilThen("short", 1, jo, later))
	refuse := func() int {
		reads.tokens = 0
		catalogtest.WantFault(t, writeTokens(f, untilThen("more", 1, jo, 0)...), fault.Invalid, "have not expired")
		return reads.tokens
	}
	if refuse(); refuse() > 10 {
		t.Errorf("a second refusal reads %d tokens", reads.tokens)
	}
	revoke(f, "a00000")
	asSystem(f, untilThen("other", 1, jo, 0))
	if refuse() < rule.MaxTokens {
		t.Errorf("with another token, %d tokens are read", reads.tokens)
	}
	f.Clock.Store(later)
	if err := writeTokens(f, untilThen("more", 1, jo, 0)...); err != nil {
		t.Errorf("when one has expired: %v", err)
	}
	f.WantValue("urn:li:dataHubAccessToken:short00000", "dataHubAccessTokenInfo", "")
}

// A changed token is read again.
func TestATokenThatIsShortenedMakesRoom(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	f.Put(jo, "corpUserInfo", `{"active":true}`)
	asSystem(f, untilThen("a", rule.MaxTokens, jo, 0))
	catalogtest.WantFault(t, writeTokens(f, untilThen("more", 1, jo, 0)...), fault.Invalid, "have not expired")
	asSystem(f, untilThen("a", 1, jo, f.Clock.Load()))
	if err := writeTokens(f, untilThen("more", 1, jo, 0)...); err != nil {
		t.Error(err)
	}
}

func revoke(f *catalogtest.Fixture, id string) {
	f.T.Helper()
	if err := f.Managed("dataHubAccessTokenKey", "dataHubAccessTokenInfo").Revoke(f.As(root), urn.Make("dataHubAccessToken", id)); err != nil {
		f.T.Fatal(err)
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
