package rule_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// ofUser returns an access token that represents a user.
func ofUser(id string, user urn.URN) catalog.Proposal {
	return catalogtest.Proposal(urn.Make("dataHubAccessToken", id), "dataHubAccessTokenInfo",
		fmt.Sprintf(`{"name":%q,"actorUrn":%q,"ownerUrn":"urn:li:corpuser:owner","createdAt":1}`, id, user))
}

func writeTokens(f *catalogtest.Fixture, tokens ...catalog.Proposal) error {
	return f.Managed("dataHubAccessTokenKey", "dataHubAccessTokenInfo").Write(f.As(root), tokens)
}

// Otherwise they would be valid again for the next user with the name.
func TestTokensOfADeletedUserAreRevoked(t *testing.T) {
	onRemovals(t, jo, "corpUserKey", func(t *testing.T, f *catalogtest.Fixture, remove func()) {
		f.Must(byRun(catalogtest.Proposal(jo, "corpUserInfo", `{"active":true}`)))
		if err := writeTokens(f, ofUser("1", jo), ofUser("2", jo), ofUser("other", mia)); err != nil {
			t.Fatal(err)
		}
		remove()
		if f.Value(jo, "corpUserKey") != "" { // all aspects but the key were removed: the user stays, and so do the tokens
			f.WantValue("urn:li:dataHubAccessToken:1", "dataHubAccessTokenInfo", string(ofUser("1", jo).Value))
			return
		}
		for _, id := range []string{"1", "2"} {
			f.WantValue(urn.Make("dataHubAccessToken", id), "dataHubAccessTokenInfo", "")
			catalogtest.WantFault(t, writeTokens(f, ofUser(id, jo)), fault.Invalid, "revoked for good")
		}
		f.WantValue("urn:li:dataHubAccessToken:other", "dataHubAccessTokenInfo", string(ofUser("other", mia).Value))
		f.Put(jo, "corpUserInfo", `{"active":true}`)
		f.WantValue("urn:li:dataHubAccessToken:1", "dataHubAccessTokenInfo", "")
	})
}

// Otherwise a token created between the decision to remove a password and the write would stay
// valid.
func TestTokensEndInTheTransactionThatTakesAPasswordAway(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		secrets := f.Managed("corpUserCredentials")
		write := func(p catalog.Proposal) {
			t.Helper()
			if err := secrets.Write(f.As(model.SystemActor), []catalog.Proposal{p}); err != nil {
				t.Fatal(err)
			}
		}
		f.Must(catalogtest.Proposal(jo, "corpUserInfo", `{"active":true}`))
		write(catalogtest.Proposal(jo, "corpUserCredentials", `{"salt":"a","hashedPassword":"b"}`))
		if err := writeTokens(f, ofUser("1", jo), ofUser("other", mia)); err != nil {
			t.Fatal(err)
		}
		write(catalogtest.Proposal(jo, "corpUserCredentials", `{"salt":"c","hashedPassword":"d"}`))
		f.WantValue("urn:li:dataHubAccessToken:1", "dataHubAccessTokenInfo", string(ofUser("1", jo).Value))
		write(catalogtest.Proposal(jo, "corpUserCredentials", "", model.Delete))
		f.WantValue(jo, "corpUserCredentials", "")
		f.WantValue(jo, "corpUserInfo", `{"active":true}`)
		f.WantValue("urn:li:dataHubAccessToken:1", "dataHubAccessTokenInfo", "")
		f.WantValue("urn:li:dataHubAccessToken:other", "dataHubAccessTokenInfo", string(ofUser("other", mia).Value))
	})
}

func TestARemovedUserMakesNoTokens(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		own := catalogtest.Proposal("urn:li:dataHubAccessToken:own", "dataHubAccessTokenInfo", fmt.Sprintf(`{"name":"own","actorUrn":%q,"ownerUrn":%q,"createdAt":1}`, jo, jo))
		catalogtest.WantFault(t, writeTokens(f, own), fault.Malformed, "the user does not exist")
		if err := writeTokens(f, ofUser("ahead", jo)); err != nil {
			t.Errorf("a token that somebody else makes ahead: %v", err)
		}
		f.Must(byRun(catalogtest.Proposal(jo, "corpUserInfo", `{"active":true}`)))
		if err := writeTokens(f, own); err != nil {
			t.Error(err)
		}
	})
}

// A user must not be removed while one of its tokens is still valid.
func TestTokensAreRevokedInTheTransactionThatDeletesTheirUser(t *testing.T) {
	t.Parallel()
	errKept := errors.New("this token is kept")
	for name, remove := range removals(jo, "corpUserKey") {
		if name == "all but the key" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
				book, err := rule.NewBook(f.Registry, append(rule.All(), rule.Rule{
					Name: "tokens that stay", Aspects: []string{"dataHubAccessTokenInfo"},
					Derive: func(_ rule.Effects, c *rule.Change) error {
						if c.After == nil && c.URN == "urn:li:dataHubAccessToken:3" {
							return errKept
						}
						return nil
					},
				}))
				if err != nil {
					t.Fatal(err)
				}
				f.Service.Rules = book
				f.Must(byRun(catalogtest.Proposal(jo, "corpUserInfo", `{"active":true}`)))
				if err := writeTokens(f, ofUser("1", jo), ofUser("2", jo), ofUser("3", jo)); err != nil {
					t.Fatal(err)
				}
				if err := remove(f); !errors.Is(err, errKept) {
					t.Fatalf("got %v", err)
				}
				f.WantValue(jo, "corpUserInfo", `{"active":true}`)
				for _, id := range []string{"1", "2", "3"} {
					f.WantValue(urn.Make("dataHubAccessToken", id), "dataHubAccessTokenInfo", string(ofUser(id, jo).Value))
				}
			})
		})
	}
}

func TestAllOfManyTokensAreRevoked(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	f.Put(jo, "corpUserInfo", `{"active":true}`)
	const many = 1001 // one page of a look-up, and one more
	tokens := make([]catalog.Proposal, many)
	for i := range tokens {
		tokens[i] = ofUser(fmt.Sprintf("%04d", i), jo)
	}
	if err := f.Managed("dataHubAccessTokenKey", "dataHubAccessTokenInfo").Write(f.As(model.SystemActor), tokens); err != nil {
		t.Fatal(err)
	}
	if _, err := f.DeleteEntity(f.As(root), jo); err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 999, 1000} {
		f.WantValue(urn.URN(tokens[i].URN), "dataHubAccessTokenInfo", "")
	}
}

// A soft-deleted user may be restored.
func TestTokensOfASoftlyDeletedUserStay(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(jo, "corpUserInfo", `{"active":true}`)
		if err := writeTokens(f, ofUser("1", jo)); err != nil {
			t.Fatal(err)
		}
		f.Put(jo, "status", `{"removed":true}`)
		f.WantValue("urn:li:dataHubAccessToken:1", "dataHubAccessTokenInfo", string(ofUser("1", jo).Value))
	})
}
