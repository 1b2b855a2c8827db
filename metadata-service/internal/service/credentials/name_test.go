package credentials_test

import (
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func (f *fixture) invite(terms credentials.Terms) config.Secret {
	f.t.Helper()
	text, err := f.Invite(f.as(authtest.Root), terms)
	if err != nil {
		f.t.Fatal(err)
	}
	return text
}

// named returns a newcomer with a user name of its own.
func named(name string, invite config.Secret) credentials.Newcomer {
	n := newcomer(invite)
	n.User = urn.Make(account.EntityType, name)
	return n
}

func TestNamesThatPeopleHave(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	invite := f.invite(credentials.Terms{})
	for _, name := range []string{
		"jo.smith", "Jo-Ann_2", "o'brien", "jo+catalog@example.org", "service_desk@example.org", "josé@example.org", "иван", "иван@example.org", "名前", "東京タワー", "αλέξης", "3po",
	} {
		if err := f.SignUp(f.system(), named(name, invite)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNamesThatLookLikeOthersOrLikeNothingAreRefused(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	invite := f.invite(credentials.Terms{})
	for _, tt := range []struct{ why, name, message string }{
		{"a zero-width space", "datahub\u200b", "U+200B"},
		{"a zero-width joiner", "data\u200dhub", "U+200D"},
		{"a soft hyphen", "data\u00adhub", "U+00AD"},
		{"a change of direction", "\u202ebuhatad", "U+202E"},
		{"a filler that is a letter", "datahub\u115f", "U+115F"},
		{"full-width letters", "ｄａｔａｈｕｂ", `must be written as "datahub"`},
		{"full-width letters of an ordinary name", "ｍｉａ", `must be written as "mia"`},
		{"letters in pieces", "jose\u0301", `must be written as "josé"`},
		{"percent-encoding", "data%68ub2", "'%' is neither"},
		{"markup", "<img/src=x>", "'<' is neither"},
		{"quotes", `a"b`, "is neither"},
		{"a space", "jo smith", "must not contain white space"},
		{"a slash", "../jo", "'/' is neither"},
		{"nothing but punctuation", "..", "must have a letter or a digit"},
		{"a Cyrillic letter in a Latin name", "jаck", "mixes letters of several scripts"},
		{"a Greek letter in a Latin name", "jοck", "mixes letters of several scripts"},
		{"a letter that is a symbol", "\u2460jo", "may not have"},
		{"a ligature", "ﬁona", "may not have"},
		{"a wrong direction of writing", "דוד1a", "may not have, or not there"},
		{"the administrator in capitals", "DataHub", "cannot be signed up for"},
		{"the administrator with an accent", "dåtahub", "cannot be signed up for"},
		{"the administrator in another script", "\u0501\u0430\u0442\u0430\u04bb\u0446\u044c", "cannot be signed up for"},
		{"the system actor in capitals", "__DataHub_System", "cannot be signed up for"},
		{"the unknown actor", "Unknown", "cannot be signed up for"},
		{"a part of the system", "__datahub_cli_", "cannot be signed up for"},
		{"a service account", "service_etl", "cannot be signed up for"},
		{"a service account in capitals", "Service_ETL", "cannot be signed up for"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			expect(t, f.SignUp(authtest.As(t, "urn:li:corpuser:__datahub_system"), named(tt.name, invite)), fault.Malformed, tt.message)
			n := newcomer(invite)
			if n.Email, n.User = tt.name+"@example.org", ""; tt.message != "cannot be signed up for" && tt.why != "nothing but punctuation" {
				expect(t, f.SignUp(authtest.As(t, "urn:li:corpuser:__datahub_system"), n), fault.Malformed, "email: ")
			}
		})
	}
}

func TestTheUserFollowsFromTheAddressUnlessItIsGiven(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	invite := f.invite(credentials.Terms{})
	n := newcomer(invite)
	n.User = ""
	if err := f.SignUp(f.system(), n); err != nil || !f.verdict(newbie, password).Match {
		t.Errorf("without a user: %v", err)
	}
	n = named("boss", invite)
	if err := f.SignUp(f.system(), n); err != nil || !f.verdict(n.User, password).Match {
		t.Errorf("with a user: %v", err)
	}
	expect(t, f.SignUp(f.system(), named("chief", "no invitation")), fault.Malformed, "inviteToken")
	expect(t, f.SignUp(f.system(), named("boss", invite)), fault.Conflict, "exists already")
}

func TestNamesThatExistInAnotherSpellingAreTaken(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	invite := f.invite(credentials.Terms{})
	// Names from directories; none of these conforms to the profile of sign-ups.
	for _, ingested := range []urn.URN{"urn:li:corpuser:ＭＩＡ", "urn:li:corpuser:Ann\u200b Lee", "urn:li:corpuser:max%40example.org", "urn:li:corpuser:рере"} {
		f.catalog.Set(t, ingested, "corpUserInfo", `{"active":true}`)
	}
	for _, name := range []string{"JO", "mia", "Mia", "annlee", "max@example.org", "pepe"} {
		expect(t, f.SignUp(f.system(), named(name, invite)), fault.Conflict, "exists already")
	}
	for _, name := range []string{"jo2", "ann", "max", "miá"} {
		if err := f.SignUp(f.system(), named(name, invite)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSpellingsOfOneNameAtOnceMakeOneUser(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	invite := f.invite(credentials.Terms{})
	names := []string{"Kim", "kim", "KIM"}
	failures := make([]error, len(names))
	var wg sync.WaitGroup
	for i, name := range names {
		wg.Go(func() { failures[i] = f.SignUp(f.system(), named(name, invite)) })
	}
	wg.Wait()
	made := 0
	for _, err := range failures {
		if err == nil {
			made++
			continue
		}
		expect(t, err, fault.Conflict, "exists already")
	}
	if made != 1 {
		t.Errorf("%d of %d spellings were made", made, len(names))
	}
}
