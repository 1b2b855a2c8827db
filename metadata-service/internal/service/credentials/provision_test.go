package credentials_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const guest urn.URN = "urn:li:corpuser:mia.may@example.org"

// person returns a user as identified by an identity provider.
func person() credentials.Guest {
	return credentials.Guest{User: guest, Create: true, Update: true, FirstName: "Mia", LastName: "May", Email: "mia.may@example.org"}
}

func (f *fixture) provision(g credentials.Guest) credentials.Provisioned {
	f.t.Helper()
	out, err := f.Provision(f.system(), g)
	if err != nil {
		f.t.Fatal(err)
	}
	return out
}

// value returns an aspect, or nil when it is absent.
func (f *fixture) value(u urn.URN, aspect string) jsontree.Object {
	f.t.Helper()
	row, err := f.catalog.Get(f.t.Context(), u, aspect)
	if err != nil {
		f.t.Fatal(err)
	}
	if row == nil {
		return nil
	}
	value, err := jsontree.DecodeObject(row.Value)
	if err != nil {
		f.t.Fatal(err)
	}
	return value
}

func (f *fixture) version(u urn.URN, aspect string) string {
	f.t.Helper()
	row, err := f.catalog.Get(f.t.Context(), u, aspect)
	if err != nil || row == nil {
		f.t.Fatal(aspect, row, err)
	}
	return row.System.Version
}

func TestANewUserOfAProviderHasItsProfileAndMaySignIn(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	g := person()
	g.Picture = "https://pictures.example.com/mia.png"
	if out := f.provision(g); !out.Created {
		t.Errorf("got %+v", out)
	}
	info := f.value(guest, "corpUserInfo")
	for member, want := range map[string]string{"fullName": "Mia May", "displayName": "Mia May", "firstName": "Mia", "lastName": "May", "email": "mia.may@example.org"} {
		if info[member] != want {
			t.Errorf("%s is %v, want %s", member, info[member], want)
		}
	}
	if info["active"] != true || jsontree.Text(f.value(guest, "corpUserStatus"), "status") != account.Active {
		t.Errorf("info %v, status %v", info, f.value(guest, "corpUserStatus"))
	}
	if got := jsontree.Text(f.value(guest, "corpUserEditableInfo"), "pictureLink"); got != g.Picture {
		t.Errorf("picture %q", got)
	}
	for _, aspect := range []string{"roleMembership", "groupMembership", "corpUserCredentials"} {
		if got := f.value(guest, aspect); got != nil {
			t.Errorf("%s: %v", aspect, got)
		}
	}
}

func TestAUserWhoSignsInAgainIsWrittenOnlyWhereSomethingChanged(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	g := person()
	g.Groups = []string{"b", "a", "b"}
	f.provision(g)
	f.catalog.Set(t, guest, "corpUserInfo", `{"active":true,"displayName":"Mia May","fullName":"Mia May","firstName":"Mia","lastName":"May","email":"mia.may@example.org","title":"Analyst"}`)
	infoBefore, groupsBefore := f.version(guest, "corpUserInfo"), f.version(guest, "groupMembership")
	if out := f.provision(g); out.Created {
		t.Errorf("got %+v", out)
	}
	if f.version(guest, "corpUserInfo") != infoBefore || f.version(guest, "groupMembership") != groupsBefore {
		t.Error("what has not changed was written")
	}
	g.LastName = "Day"
	f.provision(g)
	if info := f.value(guest, "corpUserInfo"); info["fullName"] != "Mia Day" || info["title"] != "Analyst" {
		t.Errorf("got %v", info)
	}
	g.LastName, g.Update = "Night", false
	f.provision(g)
	if info := f.value(guest, "corpUserInfo"); info["fullName"] != "Mia Day" {
		t.Errorf("updated without being asked to: %v", info)
	}
}

func TestGroupsFollowTheProvider(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.catalog.Set(t, "urn:li:corpGroup:here", "corpGroupInfo", `{"displayName":"Ours","admins":[],"members":[],"groups":[]}`)
	g := person()
	groups := func() string {
		return strings.Join(jsontree.Texts(f.value(guest, "groupMembership"), "groups"), " ")
	}
	g.Groups = []string{"Data team", "here", "bad\x00name", "", " here", "Data team\u00a0", "he\u200bre", "he\u202ere", "here\n", "he\u3164re"}
	if out := f.provision(g); out.Skipped != 8 {
		t.Errorf("got %+v", out)
	}
	if got, want := groups(), "urn:li:corpGroup:Data+team urn:li:corpGroup:here"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if made := f.value("urn:li:corpGroup:Data+team", "corpGroupInfo"); made["displayName"] != "Data team" {
		t.Errorf("made %v", made)
	}
	if origin := f.value("urn:li:corpGroup:Data+team", "origin"); origin["type"] != "EXTERNAL" {
		t.Errorf("origin %v", origin)
	}
	if kept := f.value("urn:li:corpGroup:here", "corpGroupInfo"); kept["displayName"] != "Ours" || f.value("urn:li:corpGroup:here", "origin") != nil {
		t.Errorf("a group that was there was changed: %v", kept)
	}
	g.Groups = nil
	f.provision(g)
	if groups() == "" {
		t.Error("without groups memberships are to stay")
	}
	g.Groups = []string{"here"}
	f.provision(g)
	if got := groups(); got != "urn:li:corpGroup:here" {
		t.Errorf("after leaving one: %s", got)
	}
	g.Groups = []string{}
	f.provision(g)
	if got := groups(); got != "" {
		t.Errorf("after leaving all: %s", got)
	}
}

func TestWhatAProviderSaysIsNoReasonToRefuseButNotBelieved(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	g := person()
	g.FullName, g.FirstName, g.LastName = "<script>", "Mia\u202e", strings.Repeat("x", 301)
	g.Email, g.Picture = "mia@example.org, root@example.org", "https://10.0.0.1/inside"
	f.provision(g)
	info := f.value(guest, "corpUserInfo")
	if info["displayName"] != guest.Key() || info["fullName"] != nil || info["firstName"] != nil || info["lastName"] != nil || info["email"] != nil {
		t.Errorf("got %v", info)
	}
	if got := f.value(guest, "corpUserEditableInfo"); got != nil {
		t.Errorf("picture %v", got)
	}
}

func TestOnlyPicturesOnTheWebAreTakenFromAProvider(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	const start = "https://pictures.example.com/"
	for _, picture := range []string{
		"assets/platforms/x.png", "/x.png", "javascript:alert(1)", "data:image/png;base64,AAAA", "file:///etc/passwd", "//pictures.example.com/x.png",
		"https:pictures.example.com", "https://", " " + start, start + "a\nb", start + "a b", start + "\u202ex", start + strings.Repeat("x", 2001-len(start)),
		"https://user:password@pictures.example.com/x.png", "https://localhost/x.png", "ftp://pictures.example.com/x.png",
	} {
		g := person()
		g.Picture = picture
		f.provision(g)
		if got := f.value(guest, "corpUserEditableInfo"); got != nil {
			t.Fatalf("%.60q was stored: %v", picture, got)
		}
	}
	g := person()
	g.Picture = start + strings.Repeat("x", 2000-len(start))
	f.provision(g)
	if got := jsontree.Text(f.value(guest, "corpUserEditableInfo"), "pictureLink"); got != g.Picture {
		t.Errorf("picture %q", got)
	}
}

func TestAPictureOfOnesOwnStays(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.provision(person())
	f.catalog.Set(t, guest, "corpUserEditableInfo", `{"pictureLink":"https://pictures.example.com/own.png","aboutMe":"x"}`)
	g := person()
	g.Picture = "https://pictures.example.com/mia.png"
	f.provision(g)
	if got := f.value(guest, "corpUserEditableInfo"); got["pictureLink"] != "https://pictures.example.com/own.png" {
		t.Errorf("got %v", got)
	}
}

func TestWhoMayNotSignInIsNotProvisioned(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		before func(*fixture)
		create bool
		want   account.DenialReason
	}{
		"suspended":                          {func(f *fixture) { f.catalog.Set(f.t, guest, "corpUserStatus", `{"status":"SUSPENDED"`+stamp) }, true, account.IsSuspended},
		"soft-deleted":                       {func(f *fixture) { f.catalog.Set(f.t, guest, "status", `{"removed":true}`) }, true, account.SoftDeleted},
		"not there, and not to be made":      {func(*fixture) {}, false, account.NotProvisioned},
		"named by others, and not to be set": {func(f *fixture) { f.catalog.Set(f.t, guest, "globalTags", `{"tags":[]}`) }, false, account.NotProvisioned},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setUp(t)
			tc.before(f)
			g := person()
			g.Create, g.Groups = tc.create, []string{"team"}
			dump := f.catalog.Dump(t)
			_, err := f.Provision(f.system(), g)
			var denied *account.DeniedError
			if !errors.As(err, &denied) || denied.Reason != tc.want {
				t.Fatalf("got %v, want %s", err, tc.want)
			}
			if f.catalog.Dump(t) != dump {
				t.Error("something was written")
			}
		})
	}
}

func TestNamesThatNoProviderGives(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	dump := f.catalog.Dump(t)
	for name, tc := range map[string]struct {
		user    urn.URN
		kind    fault.Kind
		message string
	}{
		"the root user":              {authtest.Root, fault.Malformed, "not a user who signs in"},
		"the root user, in capitals": {"urn:li:corpuser:DATAHUB", fault.Malformed, "not a user who signs in"},
		"the root user, in Cyrillic": {"urn:li:corpuser:d\u0430tahub", fault.Malformed, "not a user who signs in"},
		"a part of the system":       {"urn:li:corpuser:__x", fault.Malformed, "not a user who signs in"},
		"a service account":          {"urn:li:corpuser:service_x", fault.Malformed, "not a user who signs in"},
		"a group":                    {"urn:li:corpGroup:g", fault.Malformed, "not a user who signs in"},
		"a tuple":                    {"urn:li:corpuser:(a,b)", fault.Malformed, "separates the parts"},
		"a blank":                    {"urn:li:corpuser:a b", fault.Malformed, "white space"},
		"a percent sign":             {"urn:li:corpuser:a%2Cb", fault.Malformed, "must consist of letters"},
		"two scripts":                {"urn:li:corpuser:m\u0456a", fault.Malformed, "mixes letters"},
		"another spelling of a user": {"urn:li:corpuser:JO", fault.Conflict, "another spelling"},
	} {
		t.Run(name, func(t *testing.T) {
			g := person()
			g.User = tc.user
			_, err := f.Provision(f.system(), g)
			expect(t, err, tc.kind, tc.message)
		})
	}
	if f.catalog.Dump(t) != dump {
		t.Error("something was written")
	}
}

// TestUsersThatDifferOnlyInSpellingGoOn: users from before the comparison of names still sign in,
// but no new spelling is added.
func TestUsersThatDifferOnlyInSpellingGoOn(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	for _, u := range []urn.URN{"urn:li:corpuser:Alice", "urn:li:corpuser:alice"} {
		f.catalog.Set(t, u, "corpUserInfo", `{"active":true}`)
	}
	f.signUp("")
	for _, u := range []urn.URN{"urn:li:corpuser:Alice", "urn:li:corpuser:alice"} {
		if out := f.provision(credentials.Guest{User: u, Create: true, Update: true}); out.Created {
			t.Errorf("%s was made anew", u)
		}
	}
	if !f.verdict(newbie, password).Match {
		t.Error("a user with a password is kept out")
	}
	for _, u := range []urn.URN{"urn:li:corpuser:ALICE", "urn:li:corpuser:NEW@example.org"} {
		_, err := f.Provision(f.system(), credentials.Guest{User: u, Create: true})
		expect(t, err, fault.Conflict, "another spelling")
		n := newcomer(f.invite(credentials.Terms{}))
		n.User = u
		expect(t, f.SignUp(f.system(), n), fault.Conflict, "another spelling")
	}
	for _, u := range []urn.URN{"urn:li:corpuser:DataHub", "urn:li:corpuser:DATAHUB"} {
		_, err := f.Provision(f.system(), credentials.Guest{User: u, Create: true})
		expect(t, err, fault.Malformed, "not a user who signs in")
		n := newcomer(f.invite(credentials.Terms{}))
		n.User = u
		expect(t, f.SignUp(f.system(), n), fault.Malformed, "cannot be signed up for")
	}
}

func TestOneWhoSignsInTwiceAtOnceIsOneUser(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	var both sync.WaitGroup
	errs := make(chan error, 8)
	for range 8 {
		both.Go(func() {
			g := person()
			g.Groups = []string{"team"}
			_, err := f.Provision(f.system(), g)
			errs <- err
		})
	}
	both.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	if got := jsontree.Texts(f.value(guest, "groupMembership"), "groups"); len(got) != 1 {
		t.Errorf("groups %v", got)
	}
}

// robot is a service account whose name does not begin with service_.
const robot urn.URN = "urn:li:corpuser:etlbot"

const ofService = `{"typeNames":["SERVICE_ACCOUNT"]}`

func TestNoServiceAccountSignsInByAProviderWhateverItsName(t *testing.T) {
	t.Parallel()
	for name, aspects := range map[string][][2]string{
		"of a key alone": {{"subTypes", ofService}},
		"with a profile": {{"subTypes", ofService}, {"corpUserInfo", `{"active":true,"displayName":"ETL"}`}},
		"suspended":      {{"subTypes", ofService}, {"corpUserStatus", `{"status":"SUSPENDED"` + stamp}},
	} {
		make := func(f *fixture) {
			for _, a := range aspects {
				f.catalog.Set(f.t, robot, a[0], a[1])
			}
		}
		guest := func() credentials.Guest {
			g := person()
			g.User, g.Groups, g.Picture = robot, []string{"admins"}, "https://pictures.example.com/mia.png"
			return g
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setUp(t)
			make(f)
			dump, g := f.catalog.Dump(t), guest()
			for _, g.Create = range []bool{true, false} {
				if _, err := f.Provision(f.system(), g); name != "suspended" || fault.KindOf(err) != fault.Forbidden {
					expect(t, err, fault.Malformed, "not a user who signs in by an identity provider")
				}
			}
			if f.catalog.Dump(t) != dump {
				t.Error("something was written")
			}
		})
		t.Run(name+", meanwhile", func(t *testing.T) {
			t.Parallel()
			f := setUp(t)
			dump := ""
			late := f.over(arriving{f.catalog, sync.OnceFunc(func() { make(f); dump = f.catalog.Dump(t) })})
			if _, err := late.Provision(f.system(), guest()); name != "suspended" || fault.KindOf(err) != fault.Forbidden {
				expect(t, err, fault.Malformed, "not a user who signs in by an identity provider")
			}
			if f.catalog.Dump(t) != dump {
				t.Error("something was written")
			}
		})
	}
}

// TestAServiceAccountInThePlaceOfAPersonIsNotProvisioned deletes a user and creates a service
// account under the same name while the user signs in.
func TestAServiceAccountInThePlaceOfAPersonIsNotProvisioned(t *testing.T) {
	t.Parallel()
	for name, types := range map[string]string{"without a sub-type": "", "with a sub-type": `{"typeNames":["Contractor"]}`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setUp(t)
			g := person()
			f.provision(g)
			if types != "" {
				f.catalog.Set(t, guest, "subTypes", types)
			}
			g.Groups = []string{"admins"}
			f.provision(g) // a sub-type of another kind has no effect
			if got := f.value(guest, "subTypes"); types != "" && jsontree.Texts(got, "typeNames")[0] != "Contractor" {
				t.Errorf("sub-types %v", got)
			}
			g.Groups, g.Update = []string{"admins", "more"}, false
			dump := ""
			late := f.over(arriving{f.catalog, sync.OnceFunc(func() {
				f.catalog.Remove(t, guest)
				f.catalog.Set(t, guest, "subTypes", ofService)
				f.catalog.Set(t, guest, "groupMembership", `{"groups":[]}`)
				dump = f.catalog.Dump(t)
			})})
			if _, err := late.Provision(f.system(), g); err == nil {
				t.Error("not refused")
			}
			if f.catalog.Dump(t) != dump {
				t.Error("something was written")
			}
			_, err := f.Provision(f.system(), g)
			expect(t, err, fault.Malformed, "not a user who signs in by an identity provider")
		})
	}
}

func TestNobodySignsUpAsAServiceAccountWhateverItsName(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.catalog.Set(t, robot, "subTypes", ofService)
	n := newcomer(f.invite(credentials.Terms{}))
	for _, n.User = range []urn.URN{robot, "urn:li:corpuser:ETLbot"} {
		expect(t, f.SignUp(f.system(), n), fault.Conflict, "exists already")
	}
	_, _, err := f.CreateReset(f.as(authtest.Root), robot)
	expect(t, err, fault.NotFound, "it has no password here")
	err = f.catalog.Write(f.system(), []catalog.Proposal{{URN: string(robot), Aspect: credentials.Aspect, Change: model.Upsert, Value: []byte(`{"salt":"x","hashedPassword":"x"}`)}})
	expect(t, err, fault.Invalid, "is a service account and has no password")
}

// serving is a catalog of an earlier version, in which newbie is a service account with a password.
type serving struct{ *authtest.Catalog }

func (s serving) Get(ctx context.Context, u urn.URN, aspect string) (*model.Record, error) {
	if u == newbie && aspect == "subTypes" {
		return &model.Record{URN: u, Aspect: aspect, Value: []byte(ofService)}, nil
	}
	return s.Catalog.Get(ctx, u, aspect)
}

func TestThePasswordOfAServiceAccountOpensNothing(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.signUp("")
	reset, _, err := f.CreateReset(f.as(authtest.Root), newbie)
	if err != nil {
		t.Fatal(err)
	}
	late := f.over(serving{f.catalog})
	if v, err := late.Verify(f.system(), newbie, password); err != nil || v.Match || v.Reason != account.InvalidCredentials {
		t.Errorf("got %+v, %v", v, err)
	}
	_, err = late.Reset(f.system(), newbie, other, reset)
	expect(t, err, fault.Malformed, "reset link")
	_, _, err = late.CreateReset(f.as(authtest.Root), newbie)
	expect(t, err, fault.NotFound, "it has no password here")
	expect(t, late.Change(f.as(authtest.Root), newbie, "", other), fault.NotFound, "has no password here")
	expect(t, late.Change(f.as(newbie), newbie, password, other), fault.Malformed, "the old password is wrong")
	if has, err := late.HasCredentials(f.system(), newbie); err != nil || has {
		t.Errorf("has a password: %v, %v", has, err)
	}
}
