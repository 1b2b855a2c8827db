package main_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cartulary/cartulary/pkg/trials"
)

// revocationTries is the number of requests sent with tokens that were revoked before.
var revocationTries = int64(trials.Count(10_000))

// graphql sends a GraphQL request and returns the status and the response.
func (in *installation) graphql(t *testing.T, address, token, document string) (int, string) {
	t.Helper()
	return in.send(t, http.MethodPost, address, `{"query":`+quoted(t, document)+`}`, "Authorization", "Bearer "+token)
}

type madeToken struct{ text, id string }

func (in *installation) makeToken(t *testing.T, address, token string) madeToken {
	t.Helper()
	status, answer := in.graphql(t, address, token, `mutation { createAccessToken(input: {type: PERSONAL, actorUrn: "urn:li:corpuser:datahub", duration: ONE_HOUR, name: "short"}) { accessToken metadata { id } } }`)
	var made struct {
		Data struct {
			CreateAccessToken struct {
				AccessToken string
				Metadata    struct{ ID string }
			}
		}
	}
	if err := json.Unmarshal([]byte(answer), &made); err != nil || made.Data.CreateAccessToken.AccessToken == "" {
		t.Fatalf("%d %s", status, answer)
	}
	return madeToken{made.Data.CreateAccessToken.AccessToken, made.Data.CreateAccessToken.Metadata.ID}
}

// Many clients send requests all the time, through the proxy and directly. A request that begins
// after the response to the revocation must be refused, and so must all requests after a restart.
func TestARevokedTokenIsRefusedFromTheNextRequestOn(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test builds and starts both programs")
	}
	in := build(t)
	stop := in.start(t)
	root := in.firstToken(t)
	doors := []string{"http://" + in.proxy + "/api/gms/entities/urn%3Ali%3Acorpuser%3Adatahub", "http://" + in.service + "/entities/urn%3Ali%3Acorpuser%3Adatahub"}
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	defer transport.CloseIdleConnections()
	try := func(door int, token string) int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, doors[door%len(doors)], nil)
		if err != nil {
			t.Error(err)
			return 0
		}
		r.Header.Set("Authorization", "Bearer "+token)
		res, err := transport.RoundTrip(r)
		if err != nil {
			t.Error(err)
			return 0
		}
		defer res.Body.Close()
		_, _ = io.Copy(io.Discard, res.Body)
		return res.StatusCode
	}
	const rounds, workers = 25, 16
	var after, leaks, others atomic.Int64
	var revoked []string
	for round := range rounds {
		made := in.makeToken(t, "http://"+in.service+"/api/graphql", root)
		revoked = append(revoked, made.text)
		for door := range doors {
			if status := try(door, made.text); status != http.StatusOK {
				t.Fatalf("a good token: %d", status)
			}
		}
		var gone atomic.Bool
		var left atomic.Int64
		left.Store(revocationTries / rounds)
		var crowd sync.WaitGroup
		for worker := range workers {
			crowd.Go(func() {
				for n := worker; left.Load() > 0; n++ {
					began := gone.Load()
					status := try(n, made.text)
					switch {
					case !began:
					case status == http.StatusUnauthorized:
						after.Add(1)
						left.Add(-1)
					case status == http.StatusOK:
						leaks.Add(1)
						left.Add(-1)
					default:
						others.Add(1)
						left.Add(-1)
					}
				}
			})
		}
		by := []string{in.proxy, in.service}[round%2]
		if status, answer := in.graphql(t, "http://"+by+"/api/graphql", root, `mutation { revokeAccessToken(tokenId: "`+made.id+`") }`); !strings.Contains(answer, `"revokeAccessToken":true`) {
			t.Errorf("revocation: %d %s", status, answer)
		}
		gone.Store(true)
		crowd.Wait()
	}
	t.Logf("%d refused of %d requests after a revocation", after.Load(), after.Load()+leaks.Load()+others.Load())
	if leaks.Load() != 0 || others.Load() != 0 || after.Load() < revocationTries {
		t.Errorf("%d leaks, %d other answers, %d refused", leaks.Load(), others.Load(), after.Load())
	}

	stop()
	in.start(t)
	for door := range doors {
		for _, token := range revoked {
			if status := try(door, token); status != http.StatusUnauthorized {
				t.Errorf("after a restart: %d", status)
			}
		}
		if status := try(door, root); status != http.StatusOK {
			t.Errorf("a token that was not revoked, after a restart: %d", status)
		}
	}
}

// secret returns a secret that the programs share.
func (in *installation) secret(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(in.dir, "kept here", "secrets", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Forged, truncated and internal credentials grant no access, through the proxy and directly.
func TestCredentialsFromOutsideThatOpenNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test builds and starts both programs")
	}
	in := install(t)
	good := in.firstToken(t)
	parts := strings.Split(good, ".")
	system := "Basic __datahub_system:" + strings.TrimSpace(in.secret(t, "system"))
	none := "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0." + parts[1] + "."
	for name, tc := range map[string]struct {
		header         []string
		proxy, service int
	}{
		"a good token":                                 {[]string{"Authorization", "Bearer " + good}, 200, 200},
		"nothing":                                      {nil, 401, 401},
		"a token cut off":                              {[]string{"Authorization", "Bearer " + good[:len(good)-8]}, 401, 401},
		"a token without signature":                    {[]string{"Authorization", "Bearer " + parts[0] + "." + parts[1] + "."}, 401, 401},
		"algorithm none":                               {[]string{"Authorization", "Bearer " + none}, 401, 401},
		"the actor's name":                             {[]string{"X-DataHub-Actor", "urn:li:corpuser:datahub"}, 401, 401},
		"basic credentials of the programs":            {[]string{"Authorization", system}, 401, 200},
		"basic credentials that are wrong":             {[]string{"Authorization", "Basic __datahub_system:x"}, 401, 401},
		"the actor's name beside a bad token":          {[]string{"Authorization", "Bearer x", "X-DataHub-Actor", "urn:li:corpuser:datahub"}, 401, 401},
		"a cookie that somebody made up":               {[]string{"Cookie", "PLAY_SESSION=x; actor=urn:li:corpuser:datahub"}, 401, 401},
		"a good token with a cookie that was made up":  {[]string{"Authorization", "Bearer " + good, "Cookie", "PLAY_SESSION=x; actor=urn:li:corpuser:mia"}, 200, 200},
		"a good token beside the name of another user": {[]string{"Authorization", "Bearer " + good, "X-DataHub-Actor", "urn:li:corpuser:__datahub_system"}, 200, 200},
	} {
		for at, want := range map[string]int{"http://" + in.proxy + "/api/gms/entities/urn%3Ali%3Acorpuser%3Adatahub": tc.proxy, "http://" + in.service + "/entities/urn%3Ali%3Acorpuser%3Adatahub": tc.service} {
			status, answer := in.send(t, http.MethodGet, at, "", tc.header...)
			if status != want {
				t.Errorf("%s at %s: %d, want %d: %s", name, at, status, want, answer)
			}
		}
	}
}

// With authentication off, clients of the service need no token, and users sign in at the proxy.
// The token management reports that.
func TestWithoutAuthenticationNobodyNeedsAToken(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test builds and starts both programs")
	}
	in := build(t)
	in.start(t, "CARTULARY_AUTH_ENABLED=false")
	if !strings.Contains(in.banner, "none is needed") || strings.Contains(in.banner, "token create") {
		t.Errorf("the banner: %s", in.banner)
	}
	cookies := in.signIn(t)
	asked := func(at, cookies, document string) (int, string) {
		t.Helper()
		return in.send(t, http.MethodPost, "http://"+at+"/api/graphql", `{"query":`+quoted(t, document)+`}`, "Cookie", cookies)
	}
	for at, cookies := range map[string]string{in.proxy: cookies, in.service: ""} {
		for document, want := range map[string]string{
			`{ appConfig { authConfig { tokenAuthEnabled } } }`:                          `"tokenAuthEnabled":false`,
			`{ listAccessTokens(input: {}) { total } }`:                                  `"total":0`,
			`mutation { createTag(input: {id: "` + at[len(at)-4:] + `", name: "Tag"}) }`: `urn:li:tag:`,
			`mutation { createAccessToken(input: {type: PERSONAL, actorUrn: "urn:li:corpuser:datahub", duration: ONE_HOUR, name: "x"}) { accessToken } }`: "Token based authentication is disabled",
			`{ getAccessToken(input: {type: PERSONAL, actorUrn: "urn:li:corpuser:datahub", duration: ONE_HOUR}) { accessToken } }`:                        "Token based authentication is disabled",
		} {
			if status, answer := asked(at, cookies, document); status != http.StatusOK || !strings.Contains(answer, want) {
				t.Errorf("%s: %d %s", document, status, answer)
			}
		}
	}
	if status, answer := in.send(t, http.MethodPost, "http://"+in.service+"/aspects?action=ingestProposal", proposal); status != http.StatusOK {
		t.Errorf("ingestion: %d %s", status, answer)
	}
	if status, answer := in.send(t, http.MethodGet, "http://"+in.service+"/entities/urn%3Ali%3Atag%3Aingested", ""); status != http.StatusOK || !strings.Contains(answer, "from a pipeline") {
		t.Errorf("reading: %d %s", status, answer)
	}
}

const proposal = `{"proposal":{"entityType":"tag","entityUrn":"urn:li:tag:ingested","changeType":"UPSERT","aspectName":"tagProperties",
	"aspect":{"contentType":"application/json","value":"{\"name\":\"from a pipeline\"}"}}}`

func quoted(t *testing.T, text string) string {
	t.Helper()
	out, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// send sends a request with a body, unless it is empty, and pairs of header names and values.
func (in *installation) send(t *testing.T, method, address, body string, header ...string) (int, string) {
	t.Helper()
	res := in.exchange(t, method, address, body, header...)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

func (in *installation) exchange(t *testing.T, method, address, body string, header ...string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		if header[i+1] != "" {
			r.Header.Set(header[i], header[i+1])
		}
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// signIn returns the cookies of a session of the administrator.
func (in *installation) signIn(t *testing.T) string {
	t.Helper()
	password, err := os.ReadFile(filepath.Join(in.dir, "kept here", "initial-admin-password"))
	if err != nil {
		t.Fatal(err)
	}
	res := in.exchange(t, http.MethodPost, "http://"+in.proxy+"/logIn", `{"username":"datahub","password":`+quoted(t, strings.TrimSpace(string(password)))+`}`)
	defer res.Body.Close()
	var cookies []string
	for _, c := range res.Cookies() {
		cookies = append(cookies, c.Name+"="+c.Value)
	}
	if res.StatusCode != http.StatusOK || len(cookies) < 2 {
		t.Fatalf("sign-in: %d, cookies %d", res.StatusCode, len(cookies))
	}
	return strings.Join(cookies, "; ")
}
