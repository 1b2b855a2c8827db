package catalog_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	token       urn.URN = "urn:li:dataHubAccessToken:t1"
	tokenValue  string  = `{"name":"hidden-name","actorUrn":"urn:li:corpuser:jo","ownerUrn":"urn:li:corpuser:owner","createdAt":1}`
	credentials string  = `{"salt":"hidden-salt","hashedPassword":"hidden-hash"}`
)

// withSecrets stores a token and the password of a user.
func withSecrets(f *catalogtest.Fixture) *catalog.Managed {
	f.T.Helper()
	m := f.Managed("dataHubAccessTokenKey", "dataHubAccessTokenInfo", "corpUserCredentials")
	p := catalogtest.Proposal(token, "dataHubAccessTokenInfo", tokenValue)
	p.System.RunID = "r1"
	c := catalogtest.Proposal(jo, "corpUserCredentials", credentials)
	c.System.RunID = "r1"
	if err := m.Write(f.As(jo), []catalog.Proposal{p, c, catalogtest.Proposal(jo, "corpUserInfo", `{"active":true}`)}); err != nil {
		f.T.Fatal(err)
	}
	return m
}

func TestSecretsAreNotRead(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		withSecrets(f)
		ctx := f.As(root)
		for u, aspect := range map[urn.URN]string{jo: "corpUserCredentials", token: "dataHubAccessTokenInfo"} {
			for _, version := range []int64{0, 1, -1} {
				_, err := f.Aspect(ctx, u, aspect, version, catalog.Concealed)
				catalogtest.WantFault(t, err, fault.NotFound, "not readable")
			}
			states, err := f.Runs.Trace(ctx, strings.Repeat("1", 32), map[urn.URN][]string{u: {aspect}})
			if err != nil || states[u][aspect].Primary != run.StatusError {
				t.Errorf("trace: %v, %v", states, err)
			}
			if states, err = f.Runs.Trace(ctx, strings.Repeat("1", 32), map[urn.URN][]string{u: nil}); err != nil || states[u][aspect].Primary != "" {
				t.Errorf("trace of all: %v, %v", states, err)
			}
			for _, q := range []catalog.EntityQuery{{}, {Aspects: []string{aspect}, AlwaysKey: true, Timeseries: true}} {
				entities, err := f.Entities(ctx, []urn.URN{u}, q)
				if err != nil || slices.ContainsFunc(entities[0].Aspects, func(a catalog.Aspect) bool { return strings.Contains(string(a.Value), "hidden") }) {
					t.Errorf("entities: %v, %v", entities, err)
				}
				if _, found := entities[0].Find(aspect); found {
					t.Errorf("%s is served", aspect)
				}
			}
		}
		exists, err := f.Exists(ctx, []urn.URN{token, jo}, true)
		if err != nil || exists[0] || !exists[1] {
			t.Errorf("a token exists for those who ask by its id: %v, %v", exists, err)
		}
		if entities, err := f.Entities(ctx, []urn.URN{token}, catalog.EntityQuery{}); err != nil || entities[0].Exists {
			t.Errorf("a token is shown to exist: %+v, %v", entities, err)
		}
		rows, err := f.Runs.Describe(ctx, "r1", 0, 10, true)
		if err != nil || slices.ContainsFunc(rows, func(r run.Row) bool { return r.Record.Aspect != "corpUserKey" }) {
			t.Errorf("run: %v, %v", rows, err)
		}
		if out := f.Rollback("r1", run.Options{DryRun: true}); slices.ContainsFunc(out.Rows, func(r run.Row) bool { return r.Record.Aspect != "corpUserKey" }) {
			t.Errorf("rollback shows %v", out.Rows)
		}
	})
}

func TestManagedAspectsAreNotWrittenFromOutside(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	withSecrets(f)
	unchanged := func() {
		t.Helper()
		f.WantValue(token, "dataHubAccessTokenInfo", tokenValue)
		f.WantValue(jo, "corpUserCredentials", credentials)
	}
	for _, c := range []struct {
		urn    urn.URN
		aspect string
		value  string
	}{{jo, "corpUserCredentials", credentials}, {jo, "CORPUSERCREDENTIALS", credentials}, {token, "dataHubAccessTokenInfo", tokenValue}, {"urn:li:inviteToken:x", "inviteTokenKey", `{}`}} {
		for _, change := range []model.ChangeType{"", model.Create, model.CreateEntity, model.Update, model.Restate, model.Patch, model.Delete} {
			for _, actor := range []urn.URN{root, model.SystemActor} {
				f.RefuseAs(f.As(actor), fault.Forbidden, "managed by the service", catalogtest.Proposal(c.urn, c.aspect, c.value, change))
			}
		}
	}
	f.Refuse(fault.Forbidden, "managed by the service", catalogtest.Proposal(token, "", "", model.Delete))
	ctx := f.As(root)
	_, err := f.DeleteAspects(ctx, token, "dataHubAccessTokenInfo")
	catalogtest.WantFault(t, err, fault.Forbidden, "managed")
	_, err = f.DeleteAspects(ctx, jo, "corpUserInfo", "corpUserCredentials")
	catalogtest.WantFault(t, err, fault.Forbidden, "managed")
	_, err = f.ClearEntity(ctx, token)
	catalogtest.WantFault(t, err, fault.Forbidden, "managed")
	unchanged()
	if _, err := f.ClearEntity(ctx, jo); err != nil {
		t.Error(err)
	}
	f.Rollback("r1", run.Options{})
	unchanged()
}

func TestDeletingAManagedEntityRevokesIt(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		m := withSecrets(f)
		_, err := f.DeleteEntity(f.As(jo), token)
		catalogtest.WantFault(t, err, fault.Forbidden, "MANAGE_ACCESS_TOKENS")
		if rec, err := m.Get(t.Context(), token, "dataHubAccessTokenInfo"); err != nil || rec == nil {
			t.Fatalf("it is gone: %v, %v", rec, err)
		}
		for _, rows := range []int{2, 0} {
			if out, err := f.DeleteEntity(f.As(root), token); err != nil || out.Rows != rows {
				t.Errorf("deleted %+v, %v, want %d rows", out, err, rows)
			}
		}
		catalogtest.WantFault(t, m.Write(f.As(root), []catalog.Proposal{catalogtest.Proposal(token, "dataHubAccessTokenInfo", tokenValue)}), fault.Invalid, "revoked for good")
	})
}

func TestOwnersOfManagedAspects(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		m := withSecrets(f)
		rec, err := m.Get(t.Context(), token, "dataHubAccessTokenInfo")
		if err != nil || string(rec.Value) != catalogtest.Canonical(t, tokenValue) {
			t.Errorf("got %v, %v", rec, err)
		}
		if rec, err := m.Get(t.Context(), jo, "corpUserInfo"); err != nil || rec == nil {
			t.Errorf("plain aspects: %v, %v", rec, err)
		}
		_, err = m.Get(t.Context(), "urn:li:inviteToken:x", "inviteToken")
		catalogtest.WantFault(t, err, fault.Internal, "another service")
		other := f.Managed("inviteToken", "inviteTokenKey")
		catalogtest.WantFault(t, other.Write(f.As(root), []catalog.Proposal{catalogtest.Proposal(token, "DATAHUBACCESSTOKENINFO", tokenValue)}), fault.Forbidden, "managed")
		urns, err := m.List(t.Context(), "dataHubAccessToken", "", 10)
		if err != nil || !slices.Equal(urns, []urn.URN{token}) {
			t.Errorf("list: %v, %v", urns, err)
		}
		_, err = m.List(t.Context(), "cow", "", 10)
		catalogtest.WantFault(t, err, fault.Malformed, "cow")
		defer func() {
			if recover() == nil {
				t.Error("an aspect that is not managed was handed out")
			}
		}()
		f.Managed("status")
	})
}

func TestRevokedEntitiesStayRevoked(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		m := withSecrets(f)
		catalogtest.WantFault(t, m.Revoke(t.Context(), token), fault.Unauthenticated, "")
		catalogtest.WantFault(t, m.Revoke(f.As(root), jo), fault.Internal, "not managed")
		catalogtest.WantFault(t, m.Revoke(f.As(root), "urn:li:cow:x"), fault.Malformed, "")
		if err := f.SetWritable(f.As(root), false); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := m.Revoke(f.As(root), token); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.SetWritable(f.As(root), true); err != nil {
			t.Fatal(err)
		}
		for _, change := range []model.ChangeType{"", model.Create, model.CreateEntity, model.Patch} {
			value := tokenValue
			if change == model.Patch {
				value = `{"forceGenericPatch":true,"patch":[{"op":"add","path":"","value":` + tokenValue + `}]}`
			}
			for _, aspect := range []string{"dataHubAccessTokenInfo", "dataHubAccessTokenKey"} {
				catalogtest.WantFault(t, m.Write(f.As(model.SystemActor), []catalog.Proposal{catalogtest.Proposal(token, aspect, value, change)}), fault.Invalid, "revoked for good")
			}
		}
		catalogtest.WantFault(t, m.Write(f.As(root), []catalog.Proposal{
			catalogtest.Proposal(token, "", "", model.Delete), catalogtest.Proposal(token, "dataHubAccessTokenInfo", tokenValue),
		}), fault.Invalid, "revoked for good")
		f.Rollback("r1", rollbackHard)
		if _, err := f.ApplyRetention(f.As(root), "", ""); err != nil {
			t.Fatal(err)
		}
		if urns, err := m.List(t.Context(), "dataHubAccessToken", "", 10); err != nil || len(urns) != 0 {
			t.Errorf("listed: %v, %v", urns, err)
		}
		if rec, err := m.Get(t.Context(), token, "dataHubAccessTokenInfo"); err != nil || rec != nil {
			t.Errorf("read: %v, %v", rec, err)
		}
		catalogtest.WantFault(t, m.Write(f.As(root), []catalog.Proposal{catalogtest.Proposal(token, "dataHubAccessTokenInfo", tokenValue)}), fault.Invalid, "revoked for good")
	})
}

func TestRevokingWhatNeverWasLeavesNothing(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	m := withSecrets(f)
	const later urn.URN = "urn:li:dataHubAccessToken:later"
	if out, err := f.DeleteEntity(f.As(root), later); err != nil || out.Rows != 0 {
		t.Errorf("deleted %+v, %v", out, err)
	}
	if err := m.Revoke(f.As(root), later); err != nil {
		t.Error(err)
	}
	if err := m.Write(f.As(root), []catalog.Proposal{catalogtest.Proposal(later, "dataHubAccessTokenInfo", tokenValue)}); err != nil {
		t.Errorf("made later: %v", err)
	}
}

func TestListsPassOverTombstones(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		m := withSecrets(f)
		for i := range 5 {
			u := urn.Make("dataHubAccessToken", "a"+strconv.Itoa(i))
			if err := m.Write(f.As(root), []catalog.Proposal{catalogtest.Proposal(u, "dataHubAccessTokenInfo", tokenValue)}); err != nil {
				t.Fatal(err)
			}
			if err := m.Revoke(f.As(root), u); err != nil {
				t.Fatal(err)
			}
		}
		if urns, err := m.List(t.Context(), "dataHubAccessToken", "", 2); err != nil || !slices.Equal(urns, []urn.URN{token}) {
			t.Errorf("got %v, %v, want the one that is alive", urns, err)
		}
		_, err := m.List(t.Context(), "cow", "", 2)
		catalogtest.WantFault(t, err, fault.Malformed, "cow")
	})
}

// Services that authorize by themselves bypass the authorizer, and so could forget the scope of the
// token.
func TestAReadOnlyTokenWritesNothing(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	m := withSecrets(f)
	ctx := auth.WithActor(t.Context(), auth.Actor{URN: root, Scope: &auth.Scope{ReadOnly: true}})
	catalogtest.WantFault(t, m.Write(ctx, []catalog.Proposal{catalogtest.Proposal(jo, "corpUserCredentials", credentials)}), fault.Forbidden, "read-only")
	catalogtest.WantFault(t, m.Revoke(ctx, token), fault.Forbidden, "read-only")
	_, err := f.DeleteEntity(ctx, jo)
	catalogtest.WantFault(t, err, fault.Forbidden, "")
}
