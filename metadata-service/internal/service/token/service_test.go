package token_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	authtoken "github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token/tokentest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const etl urn.URN = "urn:li:corpuser:service_etl"

func TestCreatedTokenSaysWhatClientsRead(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	text, info := f.Own(authtest.Jo, time.Hour)
	claims := tokentest.ClaimsOf(t, text)
	if id, _ := claims["jti"].(string); len(id) != 36 {
		t.Errorf("jti %q", id)
	}
	delete(claims, "jti")
	got, _ := json.Marshal(claims)
	want := `{"actorId":"jo","actorType":"USER","exp":1772370000,"iss":"datahub-metadata-service","sub":"jo","type":"PERSONAL","version":"2"}`
	if string(got) != want {
		t.Errorf("claims\n got %s\nwant %s", got, want)
	}
	salt, err := os.ReadFile(filepath.Join(f.Folder, "secrets", "token-salt"))
	if err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256([]byte(text + strings.TrimSpace(string(salt))))
	if want := base64.StdEncoding.EncodeToString(hash[:]); info.ID != want || info.URN != urn.URN("urn:li:dataHubAccessToken:"+want) {
		t.Errorf("id %q, want the base64 of the SHA-256 of text and salt, %q", info.ID, want)
	}
	info.ID, info.URN = "", ""
	if want := (token.Info{Name: "notebook", Actor: authtest.Jo, Owner: authtest.Jo, CreatedAt: tokentest.Start.UnixMilli(), ExpiresAt: tokentest.Start.Add(time.Hour).UnixMilli()}); info != want {
		t.Errorf("info %+v", info)
	}
	v, err := f.Verify(t.Context(), text)
	if err != nil || v.Actor != authtest.Jo || v.Kind != authtoken.Personal || v.ID == "" || !v.Expires.Equal(tokentest.Start.Add(time.Hour)) {
		t.Errorf("verified %+v, %v", v, err)
	}
}

func TestTokenWithoutExpiryHasNone(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	text, info := f.Own(authtest.Jo, token.Forever)
	if _, there := tokentest.ClaimsOf(t, text)["exp"]; there || info.ExpiresAt != 0 {
		t.Error("it expires")
	}
	f.Clock.Advance(100 * 365 * 24 * time.Hour)
	f.Accepts(text)
}

func TestTextOfATokenIsKeptNowhere(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	text, info := f.Own(authtest.Jo, time.Hour)
	session, err := f.NewSession(f.System(), authtest.Jo, "")
	if err != nil {
		t.Fatal(err)
	}
	f.Accepts(text)
	f.Accepts(session)
	if err := f.EndSession(t.Context(), session); err != nil {
		t.Fatal(err)
	}
	if err := f.Revoke(f.As(authtest.Jo), info.ID); err != nil {
		t.Fatal(err)
	}
	if err := f.RotateKeys(f.As(authtest.Root), time.Hour); err != nil {
		t.Fatal(err)
	}
	_, bad := f.Verify(t.Context(), text)
	_, worse := f.Verify(t.Context(), text+"x")
	seen := f.Log.String() + f.Catalog.Dump(t) + bad.Error() + worse.Error()
	for _, secret := range []string{text, session} {
		for part := range strings.SplitSeq(secret, ".") {
			if part != strings.Split(text, ".")[0] && strings.Contains(seen, part) {
				t.Error("a part of a token was stored or logged")
			}
		}
	}
	if !strings.Contains(f.Log.String(), "token revoked") {
		t.Error("the revocation was not logged")
	}
}

func TestWhoMayCreate(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	f.Catalog.Set(t, etl, "subTypes", `{"typeNames":["SERVICE_ACCOUNT"]}`)
	f.Catalog.Set(t, "urn:li:corpuser:service_no", "corpUserInfo", `{"active":true}`)
	f.Catalog.Set(t, "urn:li:corpuser:program", "subTypes", `{"typeNames":["SERVICE_ACCOUNT"]}`)
	f.Catalog.Set(t, "urn:li:corpuser:odd", "subTypes", `{"typeNames":["SERVICE_ACCOUNT"]}`)
	f.Catalog.Set(t, "urn:li:corpuser:odd", "corpUserStatus", `{"status":"SUSPENDED","lastModified":{"time":1,"actor":"urn:li:corpuser:datahub"}}`)
	for name, tc := range map[string]struct {
		caller, actor urn.URN
		kind          authtoken.Kind
		refused       fault.Kind // Internal means allowed
		message       string
	}{
		"user makes a token for itself":                {authtest.Jo, authtest.Jo, authtoken.Personal, fault.Internal, ""},
		"user may not make one for another":            {authtest.Jo, authtest.Mia, authtoken.Personal, fault.Forbidden, "MANAGE_ACCESS_TOKENS"},
		"administrator makes one for another":          {authtest.Root, authtest.Jo, authtoken.Personal, fault.Internal, ""},
		"system actor makes one for a user":            {model.SystemActor, authtest.Jo, authtoken.Personal, fault.Internal, ""},
		"system actor has none itself":                 {model.SystemActor, model.SystemActor, authtoken.Personal, fault.Malformed, "no access tokens"},
		"administrator makes one for a service":        {authtest.Root, etl, authtoken.ServiceAccount, fault.Internal, ""},
		"user may not make one for a service":          {authtest.Jo, etl, authtoken.ServiceAccount, fault.Forbidden, "MANAGE_SERVICE_ACCOUNTS"},
		"service token for a person is refused":        {authtest.Root, authtest.Jo, authtoken.ServiceAccount, fault.Malformed, "not a service account"},
		"service token without the sub-type":           {authtest.Root, "urn:li:corpuser:service_no", authtoken.ServiceAccount, fault.Malformed, "not a service account"},
		"the sub-type decides, not the id":             {authtest.Root, "urn:li:corpuser:program", authtoken.ServiceAccount, fault.Internal, ""},
		"who may not hears what is no service account": {authtest.Jo, authtest.Mia, authtoken.ServiceAccount, fault.Malformed, "The specified URN is not a service account: urn:li:corpuser:mia"},
		"session is no kind to create":                 {authtest.Root, authtest.Jo, authtoken.Session, fault.Malformed, "SESSION"},
		"administrator makes one for a user to come":   {authtest.Root, "urn:li:corpuser:nobody", authtoken.Personal, fault.Internal, ""},
		"user may not make one for a user to come":     {authtest.Jo, "urn:li:corpuser:nobody", authtoken.Personal, fault.Forbidden, "MANAGE_ACCESS_TOKENS"},
		"system actor makes none for a user to come":   {model.SystemActor, "urn:li:corpuser:nobody", authtoken.Personal, fault.Malformed, "does not exist"},
		"administrator makes none for a suspended one": {authtest.Root, "urn:li:corpuser:odd", authtoken.Personal, fault.Malformed, "suspended"},
		"token for something that is no user":          {authtest.Root, "urn:li:corpGroup:g", authtoken.Personal, fault.Malformed, "must be a user"},
		"token for something that is no URN":           {authtest.Root, "jo", authtoken.Personal, fault.Malformed, "must be a user"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, info, err := f.Create(authtest.As(t, tc.caller), token.Draft{Kind: tc.kind, Actor: tc.actor, Name: "n", Lifetime: time.Hour})
			if tc.refused != fault.Internal {
				tokentest.Expect(t, err, tc.refused, tc.message)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			owner := tc.caller
			if tc.caller == model.SystemActor {
				owner = tc.actor
			}
			if info.Owner != owner || info.Actor != tc.actor {
				t.Errorf("owner %s, actor %s", info.Owner, info.Actor)
			}
		})
	}
	t.Run("anonymous is refused", func(t *testing.T) {
		t.Parallel()
		_, _, err := f.Create(t.Context(), token.Draft{Actor: authtest.Jo, Name: "n"})
		tokentest.Expect(t, err, fault.Unauthenticated, "sign in")
	})
}

func TestTokenOfAUserToComeIsRefusedUntilThen(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	const later urn.URN = "urn:li:corpuser:later"
	text, _, err := f.Create(f.As(authtest.Root), token.Draft{Kind: authtoken.Personal, Actor: later, Name: "n", Lifetime: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	f.Refuses(text, "does not exist")
	f.Catalog.Set(t, later, "corpUserInfo", `{"active":true}`)
	f.Accepts(text)
}

func TestKindIsChosenByWhatTheActorIs(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	f.Catalog.Set(t, etl, "subTypes", `{"typeNames":["SERVICE_ACCOUNT"]}`)
	for actor, want := range map[urn.URN]authtoken.Kind{authtest.Jo: authtoken.Personal, etl: authtoken.ServiceAccount} {
		text, _, err := f.Create(f.System(), token.Draft{Actor: actor, Name: "n"})
		if err != nil {
			t.Fatal(err)
		}
		v, err := f.Verify(t.Context(), text)
		if err != nil || v.Kind != want {
			t.Errorf("%s: kind %s, %v", actor, v.Kind, err)
		}
	}
}

func TestDraftsThatAreRefused(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	good := token.Draft{Kind: authtoken.Personal, Actor: authtest.Jo, Name: "n", Lifetime: time.Hour}
	for name, spoil := range map[string]func(*token.Draft){
		"empty name":                 func(d *token.Draft) { d.Name = " " },
		"name that is too long":      func(d *token.Draft) { d.Name = strings.Repeat("x", token.MaxName+1) },
		"name that is no UTF-8":      func(d *token.Draft) { d.Name = "\xff" },
		"description beyond reason":  func(d *token.Draft) { d.Description = strings.Repeat("x", token.MaxDescription+1) },
		"lifetime below a minute":    func(d *token.Draft) { d.Lifetime = time.Second },
		"negative lifetime":          func(d *token.Draft) { d.Lifetime = -time.Hour },
		"lifetime of hundreds years": func(d *token.Draft) { d.Lifetime = 1 << 62 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := good
			spoil(&d)
			_, _, err := f.Create(authtest.As(t, authtest.Jo), d)
			tokentest.Expect(t, err, fault.Malformed, "")
		})
	}
}

func TestWhoMayRevoke(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	text, info := f.Own(authtest.Jo, time.Hour)
	tokentest.Expect(t, f.Revoke(t.Context(), info.ID), fault.Unauthenticated, "sign in")
	tokentest.Expect(t, f.Revoke(f.As(authtest.Mia), info.ID), fault.Forbidden, "MANAGE_ACCESS_TOKENS")
	f.Accepts(text)
	if err := f.Revoke(f.As(authtest.Root), info.ID); err != nil {
		t.Fatal(err)
	}
	f.Refuses(text, "revoked")
	for _, id := range []string{info.ID, "", "(", "none", strings.Repeat("x", 10_000)} {
		tokentest.Expect(t, f.Revoke(f.As(authtest.Root), id), fault.NotFound, "Access token no longer exists")
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	for _, user := range []urn.URN{authtest.Jo, authtest.Mia, authtest.Jo} {
		f.Clock.Advance(time.Minute)
		f.Own(user, time.Hour)
	}
	if _, _, err := f.Create(f.As(authtest.Root), token.Draft{Actor: authtest.Jo, Name: "given", Description: "for the Nightly run"}); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		caller urn.URN
		query  token.Query
		total  int
		page   int
	}{
		"administrator sees all":       {authtest.Root, token.Query{}, 4, 4},
		"administrator asks by actor":  {authtest.Root, token.Query{Actor: authtest.Jo}, 3, 3},
		"administrator asks by owner":  {authtest.Root, token.Query{Owner: authtest.Jo}, 2, 2},
		"user sees its own":            {authtest.Jo, token.Query{Owner: authtest.Jo}, 2, 2},
		"text is sought ignoring case": {authtest.Root, token.Query{Text: "nightly"}, 1, 1},
		"page in the middle":           {authtest.Root, token.Query{Start: 1, Count: 2}, 4, 2},
		"page behind the end":          {authtest.Root, token.Query{Start: 9}, 4, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page, err := f.List(authtest.As(t, tc.caller), tc.query)
			if err != nil {
				t.Fatal(err)
			}
			if page.Total != tc.total || len(page.Infos) != tc.page {
				t.Errorf("total %d, page of %d", page.Total, len(page.Infos))
			}
			for i := 1; i < len(page.Infos); i++ {
				if page.Infos[i-1].CreatedAt < page.Infos[i].CreatedAt {
					t.Error("not newest first")
				}
			}
		})
	}
	_, err := f.List(f.As(authtest.Jo), token.Query{})
	tokentest.Expect(t, err, fault.Forbidden, "MANAGE_ACCESS_TOKENS")
	_, err = f.List(f.As(authtest.Jo), token.Query{Owner: authtest.Mia})
	tokentest.Expect(t, err, fault.Forbidden, "MANAGE_ACCESS_TOKENS")
	_, err = f.List(t.Context(), token.Query{})
	tokentest.Expect(t, err, fault.Unauthenticated, "sign in")
	_, err = f.List(f.As(authtest.Root), token.Query{Count: -1})
	tokentest.Expect(t, err, fault.Malformed, "count")
}

func TestMetadataOfAToken(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	text, info := f.Own(authtest.Jo, time.Hour)
	got, err := f.Metadata(f.As(authtest.Root), text)
	if err != nil || got != info {
		t.Errorf("%+v, %v", got, err)
	}
	for _, user := range []urn.URN{authtest.Jo, authtest.Mia} {
		_, err := f.Metadata(f.As(user), text)
		tokentest.Expect(t, err, fault.Forbidden, "MANAGE_ACCESS_TOKENS")
	}
	_, err = f.Metadata(t.Context(), text)
	tokentest.Expect(t, err, fault.Unauthenticated, "access token")
	_, err = f.Metadata(f.As(authtest.Root), "unknown")
	tokentest.Expect(t, err, fault.NotFound, "no longer exists")
	_, err = f.Metadata(f.As(authtest.Root), strings.Repeat("x", 1<<20))
	tokentest.Expect(t, err, fault.Malformed, "longer")
}

func TestATokenInTheFormOfTheOlderInterface(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	text, err := f.CreateOwn(f.As(authtest.Jo), authtoken.Personal, authtest.Jo, time.Hour, "")
	if err != nil {
		t.Fatal(err)
	}
	f.Accepts(text)
	page, err := f.List(f.As(authtest.Jo), token.Query{Owner: authtest.Jo})
	if err != nil || page.Total != 1 || page.Infos[0].Name != token.OwnName {
		t.Fatalf("listed %+v, %v", page, err)
	}
	if err := f.Revoke(f.As(authtest.Jo), page.Infos[0].ID); err != nil {
		t.Fatal(err)
	}
	f.Refuses(text, "revoked")
	_, err = f.CreateOwn(f.As(authtest.Root), authtoken.Personal, authtest.Jo, time.Hour, "")
	tokentest.Expect(t, err, fault.Forbidden, "createAccessToken")
	_, err = f.CreateOwn(f.As(authtest.Jo), authtoken.ServiceAccount, authtest.Jo, time.Hour, "")
	tokentest.Expect(t, err, fault.Malformed, "SERVICE_ACCOUNT")
	_, err = f.CreateOwn(t.Context(), authtoken.Personal, authtest.Jo, time.Hour, "")
	tokentest.Expect(t, err, fault.Unauthenticated, "sign in")
	// The privilege to manage tokens does not include creating one's own.
	_, err = f.CreateOwn(f.With(authtest.Root, "id", &auth.Scope{Privileges: []auth.Privilege{auth.ManageTokens}}), authtoken.Personal, authtest.Root, time.Hour, "")
	tokentest.Expect(t, err, fault.Forbidden, "GENERATE_PERSONAL_ACCESS_TOKENS")
}

func TestParseLifetime(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for text, want := range map[string]time.Duration{
		"ONE_HOUR": time.Hour, "ONE_DAY": day, "ONE_WEEK": 7 * day, "ONE_MONTH": 30 * day, "THREE_MONTHS": 90 * day,
		"SIX_MONTHS": 180 * day, "ONE_YEAR": 365 * day, "NO_EXPIRY": 0, "no-expiry": 0, "one_hour": time.Hour,
		"P30D": 30 * day, "p2w": 14 * day, "PT12H": 12 * time.Hour, "P1M": 30 * day, "p1y": 365 * day, "P1Y2M": 425 * day, "P1DT2H3M4S": day + 2*time.Hour + 3*time.Minute + 4*time.Second,
	} {
		if got, err := token.ParseLifetime(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "P", "PT", "P0D", "P99Y", "P1MT", "P-1D", "30d", "PT1S", "P99999D", "P9999W", "FOREVER", "P1D ", strings.Repeat("9", 1000)} {
		if _, err := token.ParseLifetime(text); fault.KindOf(err) != fault.Malformed {
			t.Errorf("%.20s: %v", text, err)
		}
	}
}

func TestTokensAreMadeWithAllowedLifetimes(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	narrow := token.Lifetimes{Periods: []string{"PT1H", "P1M"}}
	for _, c := range []struct {
		allowed  token.Lifetimes
		lifetime time.Duration
		text     string
		refusal  string
	}{
		{narrow, time.Hour, "ONE_HOUR", ""},
		{narrow, 30 * day, "P30D", ""},
		{narrow, 30 * day, "PT720H", ""},
		{narrow, 365 * day, "P1Y", "Access token duration P1Y is not allowed. Choose a value from ACCESS_TOKEN_ALLOWED_DURATIONS (currently: PT1H,P1M)."},
		{narrow, time.Hour + time.Second, "", "1h0m1s is not allowed"},
		{narrow, token.Forever, "NO_EXPIRY", "ACCESS_TOKEN_ALLOW_NO_EXPIRY"},
		{token.Lifetimes{NoExpiry: true}, token.Forever, "NO_EXPIRY", ""},
		{token.Lifetimes{NoExpiry: true}, day, "ONE_DAY", "(currently: )"},
		{token.DefaultLifetimes(), 180 * day, "SIX_MONTHS", ""},
	} {
		f := tokentest.New(t)
		f.Lifetimes = &c.allowed
		f.Open()
		_, _, err := f.Create(f.As(authtest.Root), token.Draft{Kind: authtoken.Personal, Actor: authtest.Root, Name: "n", Lifetime: c.lifetime, Period: c.text})
		_, own := f.CreateOwn(f.As(authtest.Root), authtoken.Personal, authtest.Root, c.lifetime, c.text)
		for _, err := range []error{err, own} {
			if c.refusal != "" {
				tokentest.Expect(t, err, fault.Invalid, c.refusal)
			} else if err != nil {
				t.Errorf("%s: %v", c.text, err)
			}
		}
		if _, _, err := f.Create(f.As(authtest.Root), token.Draft{Kind: authtoken.Personal, Actor: authtest.Root, Name: "n", Lifetime: c.lifetime, Ahead: true}); err != nil {
			t.Errorf("%s for an operator: %v", c.text, err)
		}
	}
}

// TestATokenIsNotCreatedByACredentialThatEndsMeanwhile ends the credential of the request before the
// creation, or right after the token was stored.
func TestATokenIsNotCreatedByACredentialThatEndsMeanwhile(t *testing.T) {
	t.Parallel()
	for _, last := range []int{0, 1} {
		f := tokentest.New(t)
		before := f.Catalog.Dump(t)
		checks := 0
		ctx := auth.WithCredential(f.As(authtest.Jo), func(context.Context) error {
			if checks++; checks > last {
				return fault.New(fault.Unauthenticated, "the session has ended")
			}
			return nil
		})
		text, _, err := f.Create(ctx, token.Draft{Actor: authtest.Jo, Name: "notebook", Lifetime: time.Hour})
		if text != "" || !errors.Is(err, fault.Unauthenticated) || checks != last+1 {
			t.Errorf("%d good checks: %q, %v, %d checks", last, text, err, checks)
		}
		if list, err := f.List(f.As(authtest.Root), token.Query{Count: 10}); err != nil || len(list.Infos) != 0 {
			t.Errorf("%d good checks: %d tokens are listed, %v", last, len(list.Infos), err)
		}
		if last == 0 && f.Catalog.Dump(t) != before {
			t.Error("something was written")
		}
	}
}
