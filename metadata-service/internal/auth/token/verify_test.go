package token_test

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	servicetoken "github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token/tokentest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func forge(t testing.TB, method jwt.SigningMethod, key any, claims jwt.MapClaims) string {
	t.Helper()
	text, err := jwt.NewWithClaims(method, claims).SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// sessionClaims returns the claims of a valid session.
// sessionClaims returns the claims of a valid session.
func sessionClaims(f *tokentest.Fixture) jwt.MapClaims {
	f.T.Helper()
	return jwt.MapClaims{"life": tokentest.ClaimsOf(f.T, f.Session(authtest.Jo))["life"], "actorType": "USER", "actorId": "jo", "type": "SESSION", "version": "1",
		"jti": "00000000-0000-4000-8000-000000000000", "sub": "jo", "iss": "anybody", "exp": tokentest.Start.Add(time.Hour).Unix()}
}

// asRS256 returns a token whose header names RS256, signed as HS256 with the key of the service. A
// verifier that chooses the algorithm by the header, with one key for both, would accept it.
func asRS256(key []byte, payload string, more ...string) string {
	text := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"RS256","typ":"JWT"`+strings.Join(more, "")+`}`)) + "." + payload
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return text + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func TestTokensThatAreNotOurs(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	text, _ := f.Own(authtest.Jo, time.Hour)
	parts := strings.Split(text, ".")
	pair, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	with := func(name string, value any) string {
		c := sessionClaims(f)
		if value == nil {
			delete(c, name)
		} else {
			c[name] = value
		}
		return forge(t, jwt.SigningMethodHS256, f.Key(), c)
	}
	f.Accepts(with("iss", "somebody else"))
	flip := func(s string) string { // changes significant bits, unlike those of the last character
		return string(s[0]^1) + s[1:]
	}
	for name, bad := range map[string]string{
		"empty text":                          "",
		"text without dots":                   "token",
		"endless text":                        strings.Repeat("a.", 1<<20),
		"changed header":                      flip(parts[0]) + "." + parts[1] + "." + parts[2],
		"changed claims":                      parts[0] + "." + flip(parts[1]) + "." + parts[2],
		"changed signature":                   parts[0] + "." + parts[1] + "." + flip(parts[2]),
		"truncated signature":                 text[:len(text)-4],
		"truncated claims":                    parts[0] + "." + parts[1][:len(parts[1])/2],
		"no signature":                        parts[0] + "." + parts[1] + ".",
		"white space after it":                text + " ",
		"another key":                         forge(t, jwt.SigningMethodHS256, []byte(strings.Repeat("k", 43)), sessionClaims(f)),
		"algorithm none":                      forge(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, sessionClaims(f)),
		"algorithm HS512 with the right key":  forge(t, jwt.SigningMethodHS512, f.Key(), sessionClaims(f)),
		"algorithm RS256 signed with our key": asRS256(f.Key(), parts[1]),
		"header that names our key as RSA's":  asRS256(f.Key(), parts[1], `,"jwk":{"kty":"RSA"}`),
		"algorithm RS256":                     forge(t, jwt.SigningMethodRS256, pair, sessionClaims(f)),
		"no actor":                            with("actorId", nil),
		"no actor type":                       with("actorType", nil),
		"actor type of something else":        with("actorType", "GROUP"),
		"no type":                             with("type", nil),
		"no version":                          with("version", nil),
		"version that is a number":            with("version", 1),
		"session without expiry":              with("exp", nil),
		"expiry that is a text":               with("exp", "tomorrow"),
		"no id":                               with("jti", nil),
		"personal token that is not stored":   with("type", "PERSONAL"),
		"stored version of a session":         with("version", "2"),
		"system actor":                        with("actorId", "__datahub_system"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := f.Verify(t.Context(), bad)
			tokentest.Expect(t, err, fault.Unauthenticated, "not valid")
			if len(bad) > 20 && strings.Contains(err.Error(), bad[:20]) {
				t.Error("the error quotes the token")
			}
		})
	}
}

func TestTextWithSpareBitsIsNotTheSameToken(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	text, err := f.NewSession(f.System(), authtest.Jo, "")
	if err != nil {
		t.Fatal(err)
	}
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	last := strings.IndexByte(alphabet, text[len(text)-1])
	f.Refuses(text[:len(text)-1]+string(alphabet[last|1]), "not valid")
}

func TestExpiredTokenIsRefusedAndItsRecordDeleted(t *testing.T) {
	t.Parallel()
	for _, remembered := range []bool{false, true} {
		f := tokentest.New(t)
		text, info := f.Own(authtest.Jo, time.Hour)
		if remembered {
			f.Accepts(text)
		}
		f.Clock.Advance(time.Hour - time.Second)
		if remembered {
			f.Accepts(text)
		}
		f.Clock.Advance(time.Second)
		f.Refuses(text, "expired")
		f.Refuses(text, "expired")
		if row, err := f.Catalog.Get(t.Context(), info.URN, servicetoken.InfoAspect); err != nil || row != nil {
			t.Errorf("record is still there, %v", err)
		}
	}
}

func TestExpiryStandsWhenTheRecordCannotBeDeleted(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	text, _ := f.Own(authtest.Jo, time.Hour)
	f.Clock.Advance(time.Hour)
	f.Catalog.Fail(errors.New("read only"))
	f.Refuses(text, "expired")
	if !strings.Contains(f.Log.String(), "expired token not deleted") {
		t.Error("not logged")
	}
}

func TestUsersWhoMayNotAct(t *testing.T) {
	t.Parallel()
	const stamp = `,"lastModified":{"time":1,"actor":"urn:li:corpuser:datahub"}}`
	for name, tc := range map[string]struct {
		stop         func(*tokentest.Fixture)
		why, session string
	}{
		"suspended": {func(f *tokentest.Fixture) {
			f.Catalog.Set(f.T, authtest.Jo, "corpUserStatus", `{"status":"SUSPENDED"`+stamp)
		}, "suspended", "suspended"},
		"soft-deleted": {func(f *tokentest.Fixture) { f.Catalog.Set(f.T, authtest.Jo, "status", `{"removed":true}`) }, "removed", "removed"},
		"hard-deleted": {func(f *tokentest.Fixture) { f.Catalog.Remove(f.T, authtest.Jo) }, "revoked", "does not exist"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := tokentest.New(t)
			text, _ := f.Own(authtest.Jo, time.Hour)
			session, err := f.NewSession(f.System(), authtest.Jo, "")
			if err != nil {
				t.Fatal(err)
			}
			f.Accepts(text)
			f.Accepts(session)
			tc.stop(f)
			f.Refuses(text, tc.why)
			f.Refuses(session, tc.session)
		})
	}
}

func TestAUserWhoNeverSignedInHasGoodTokens(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	const found urn.URN = "urn:li:corpuser:found"
	f.Catalog.Set(t, found, "corpUserKey", `{"username":"found"}`) // the aspect that ingestion writes, and no other
	text, _ := f.CreateFor(authtest.Root, found)
	f.Accepts(text)
}

func TestANewPasswordLeavesAccessTokensAsTheyAre(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	text, _ := f.Own(authtest.Jo, time.Hour)
	f.Accepts(text)
	f.Catalog.Set(t, authtest.Jo, "corpUserCredentials", `{"salt":"new","hashedPassword":"new"}`)
	f.Accepts(text)
}

// Ingestion may find a user again that was removed.
func TestTokensOfARemovedUserStayWorthlessWhenItComesBack(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	text, _ := f.Own(authtest.Jo, time.Hour)
	others, _ := f.Own(authtest.Mia, time.Hour)
	f.Accepts(text)
	f.Catalog.Remove(t, authtest.Jo)
	f.Catalog.Set(t, authtest.Jo, "corpUserInfo", `{"active":true}`)
	f.Refuses(text, "revoked")
	f.Accepts(others)
	all, err := f.List(f.As(authtest.Root), servicetoken.Query{})
	if err != nil || all.Total != 1 || len(all.Infos) != 1 || all.Infos[0].Actor != authtest.Mia {
		t.Errorf("records %v, %v", all, err)
	}
	again, _ := f.Own(authtest.Jo, time.Hour)
	f.Accepts(again)
}

func TestFailureOfTheStoreIsNoVerdict(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	text, _ := f.Own(authtest.Jo, time.Hour)
	f.Catalog.Fail(fault.New(fault.Unavailable, "closed"))
	if _, err := f.Verify(t.Context(), text); fault.KindOf(err) != fault.Unavailable {
		t.Fatalf("got %v", err)
	}
	f.Catalog.Fail(nil)
	f.Accepts(text)
}

func TestRevocationHoldsAtOnceUnderConcurrentVerifies(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	for range 20 {
		text, info := f.Own(authtest.Jo, time.Hour)
		stop := make(chan struct{})
		var readers sync.WaitGroup
		for range 4 {
			readers.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						_, _ = f.Verify(t.Context(), text)
					}
				}
			})
		}
		f.Accepts(text)
		if err := f.Revoke(f.As(authtest.Jo), info.ID); err != nil {
			t.Fatal(err)
		}
		for range 50 {
			f.Refuses(text, "revoked")
		}
		close(stop)
		readers.Wait()
		f.Refuses(text, "revoked")
	}
}

func TestRecordDeletedByOthersIsNoticed(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	text, info := f.Own(authtest.Jo, time.Hour)
	f.Accepts(text)
	f.Catalog.Remove(t, info.URN)
	f.Refuses(text, "revoked")
}

func FuzzVerify(f *testing.F) {
	x := tokentest.New(f)
	text, _ := x.Own(authtest.Jo, time.Hour)
	session, err := x.NewSession(x.System(), authtest.Jo, "")
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{text, session, "", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", forge(f, jwt.SigningMethodHS256, x.Key(), jwt.MapClaims{"exp": 1e300})} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input string) {
		_, err := x.Verify(t.Context(), input)
		if err == nil && input != text && input != session {
			t.Fatalf("accepted %q", input)
		}
		if err != nil && fault.KindOf(err) != fault.Unauthenticated {
			t.Fatalf("%q: %v", input, err)
		}
	})
}

func BenchmarkVerify(b *testing.B) {
	f := tokentest.New(b)
	text, _ := f.Own(authtest.Jo, time.Hour)
	b.Run("cached", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := f.Verify(b.Context(), text); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("uncached", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f.Changed("urn:li:dataHubAccessToken:other", servicetoken.InfoAspect)
			if _, err := f.Verify(b.Context(), text); err != nil {
				b.Fatal(err)
			}
		}
	})
}
