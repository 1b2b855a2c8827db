package credentials_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
)

func TestSignUpThenSignIn(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.signUp(editor)
	if v := f.verdict(newbie, password); v != (credentials.Verdict{Match: true}) {
		t.Errorf("verdict %+v", v)
	}
	for aspect, want := range map[string]string{
		"corpUserInfo":   `{"active":true,"displayName":"New Person","email":"new@example.org","fullName":"New Person","title":"Other"}`,
		"corpUserStatus": `{"lastModified":{"actor":"urn:li:corpuser:__datahub_system","time":1772366400000},"status":"ACTIVE"}`,
	} {
		row, err := f.catalog.Get(t.Context(), newbie, aspect)
		if err != nil || row == nil {
			t.Fatalf("%s: %v", aspect, err)
		}
		var got, expected any
		if err := errors.Join(json.Unmarshal(row.Value, &got), json.Unmarshal([]byte(want), &expected)); err != nil {
			t.Fatal(err)
		}
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(expected)
		if aspect == "corpUserInfo" { // the model adds defaults
			for name, value := range expected.(map[string]any) {
				if got.(map[string]any)[name] != value {
					t.Errorf("%s: %s", aspect, a)
				}
			}
		} else if string(a) != string(b) {
			t.Errorf("%s: %s", aspect, a)
		}
	}
}

func TestANewUserHasNoRoleYet(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.signUp(editor)
	for _, aspect := range []string{"roleMembership", "groupMembership", "nativeGroupMembership"} {
		if row, err := f.catalog.Get(t.Context(), newbie, aspect); err != nil || row != nil {
			t.Errorf("%s: %+v, %v", aspect, row, err)
		}
	}
}

func TestABlankTitleIsNone(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	invite := f.invite(credentials.Terms{})
	n := newcomer(invite)
	n.Title = " \t"
	if err := f.SignUp(f.system(), n); err != nil {
		t.Fatal(err)
	}
	row, err := f.catalog.Get(t.Context(), newbie, "corpUserInfo")
	if err != nil || strings.Contains(string(row.Value), "title") {
		t.Errorf("got %s, %v", row.Value, err)
	}
}

func TestSignUpsThatAreRefused(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	invite, err := f.Invite(f.as(authtest.Root), credentials.Terms{})
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		spoil   func(*credentials.Newcomer)
		kind    fault.Kind
		message string
	}{
		"no name":                  {func(n *credentials.Newcomer) { n.FullName = " " }, fault.Malformed, "fullName"},
		"no address":               {func(n *credentials.Newcomer) { n.Email = "" }, fault.Malformed, "email"},
		"address that is none":     {func(n *credentials.Newcomer) { n.Email = "new" }, fault.Malformed, "must be an address"},
		"two addresses":            {func(n *credentials.Newcomer) { n.Email = "a@b@c" }, fault.Malformed, "must be an address"},
		"markup as a name":         {func(n *credentials.Newcomer) { n.FullName = "<b>Jo</b>" }, fault.Malformed, "fullName must not contain < or >"},
		"name that turns around":   {func(n *credentials.Newcomer) { n.FullName = "Jo \u202eadmin" }, fault.Malformed, "fullName must not contain control or invisible"},
		"title of many lines":      {func(n *credentials.Newcomer) { n.Title = "a\nb" }, fault.Malformed, "title must not contain control or invisible"},
		"endless title":            {func(n *credentials.Newcomer) { n.Title = strings.Repeat("x", 301) }, fault.Malformed, "title"},
		"no password":              {func(n *credentials.Newcomer) { n.Password = "" }, fault.Malformed, "at least 8"},
		"short password":           {func(n *credentials.Newcomer) { n.Password = "1234567" }, fault.Malformed, "at least 8"},
		"endless password":         {func(n *credentials.Newcomer) { n.Password = config.Secret(strings.Repeat("x", 1025)) }, fault.Malformed, "at most 1024"},
		"password that is no text": {func(n *credentials.Newcomer) { n.Password = "\xff\xfe12345678" }, fault.Malformed, "UTF-8"},
		"no invitation":            {func(n *credentials.Newcomer) { n.Invite = "" }, fault.Malformed, "inviteToken"},
		"unknown invitation":       {func(n *credentials.Newcomer) { n.Invite = "nonsense" }, fault.Malformed, "inviteToken"},
		"group":                    {func(n *credentials.Newcomer) { n.User = "urn:li:corpGroup:g" }, fault.Malformed, "userUrn"},
		"administrator":            {func(n *credentials.Newcomer) { n.User = model.RootUser }, fault.Malformed, "userUrn"},
		"system actor":             {func(n *credentials.Newcomer) { n.User = model.SystemActor }, fault.Malformed, "userUrn"},
		"unknown actor":            {func(n *credentials.Newcomer) { n.User = "urn:li:corpuser:unknown" }, fault.Malformed, "userUrn"},
		"user that exists":         {func(n *credentials.Newcomer) { n.User = authtest.Jo }, fault.Conflict, "exists already"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newcomer(invite)
			tc.spoil(&n)
			expect(t, f.SignUp(authtest.As(t, model.SystemActor), n), tc.kind, tc.message)
		})
	}
}

// arriving is a catalog in which another way creates a user just before the sign-up is written.
type arriving struct {
	*authtest.Catalog
	arrive func()
}

func (a arriving) Write(ctx context.Context, batch []catalog.Proposal) error {
	a.arrive()
	return a.Catalog.Write(ctx, batch)
}

func TestAUserWhoExistsInAnyFormIsNotSignedUpFor(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(*fixture){
		"by an identity provider": func(f *fixture) { f.provision(credentials.Guest{User: newbie, Create: true}) },
		"ingested":                func(f *fixture) { f.catalog.Set(f.t, newbie, "corpUserInfo", `{"active":true}`) },
		"named, and no more":      func(f *fixture) { f.catalog.Set(f.t, newbie, "globalTags", `{"tags":[]}`) },
		"removed":                 func(f *fixture) { f.catalog.Set(f.t, newbie, "status", `{"removed":true}`) },
		"suspended":               func(f *fixture) { f.catalog.Set(f.t, newbie, "corpUserStatus", `{"status":"SUSPENDED"`+stamp) },
		"signed up":               func(f *fixture) { f.signUp("") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setUp(t)
			invite := f.invite(credentials.Terms{})
			make(f)
			dump := f.catalog.Dump(t)
			expect(t, f.SignUp(f.system(), newcomer(invite)), fault.Conflict, "exists already")
			if f.catalog.Dump(t) != dump {
				t.Error("something was written")
			}
		})
		t.Run(name+", meanwhile", func(t *testing.T) {
			t.Parallel()
			f := setUp(t)
			invite := f.invite(credentials.Terms{})
			dump := ""
			late := f.over(arriving{f.catalog, sync.OnceFunc(func() { make(f); dump = f.catalog.Dump(t) })})
			_, err := late.SignUp(f.system(), newcomer(invite))
			expect(t, err, fault.Conflict, "exists already")
			if f.catalog.Dump(t) != dump {
				t.Error("something was written")
			}
		})
	}
}

func TestTwoSignUpsAtOnceMakeOneUser(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	invite, err := f.Invite(f.as(authtest.Root), credentials.Terms{})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	failures := make([]error, 3)
	for i := range failures {
		wg.Go(func() { failures[i] = f.SignUp(f.system(), newcomer(invite)) })
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
		t.Errorf("%d sign-ups succeeded", made)
	}
}
