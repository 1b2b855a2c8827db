package apptest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/adminsocket"
	"github.com/cartulary/cartulary/pkg/trials"
	"github.com/cartulary/cartulary/pkg/urn"
)

const tokenStamp = `"lastModified":{"time":1,"actor":"urn:li:corpuser:datahub"}`

// graphql executes a document as a caller and decodes the data of the response, unless into is nil.
func graphql(t *testing.T, c caller, document string, into any) (status int, answer string) {
	t.Helper()
	query, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	status, answer = c.Call(http.MethodPost, "/api/graphql", `{"query":`+string(query)+`}`)
	if into == nil {
		return status, answer
	}
	out := struct{ Data any }{into}
	if err := json.Unmarshal([]byte(answer), &out); err != nil || status != http.StatusOK || strings.Contains(answer, `"errors"`) {
		t.Fatalf("%s: %d %s", document, status, answer)
	}
	return status, answer
}

// makeToken creates a token of a user, as the system, with additional members of the input.
func makeToken(t *testing.T, s *apptest.Service, user urn.URN, more string) (text, id string) {
	t.Helper()
	var made struct {
		CreateAccessToken struct {
			AccessToken string
			Metadata    struct{ ID string }
		}
	}
	graphql(t, s, fmt.Sprintf(`mutation { createAccessToken(input: {type: PERSONAL, actorUrn: %q, duration: ONE_HOUR, name: "tests"%s}) { accessToken metadata { id } } }`, user, more), &made)
	return made.CreateAccessToken.AccessToken, made.CreateAccessToken.Metadata.ID
}

func revokeToken(t *testing.T, c caller, id string) {
	t.Helper()
	if status, answer := graphql(t, c, fmt.Sprintf(`mutation { revokeAccessToken(tokenId: %q) }`, id), nil); !strings.Contains(answer, `"revokeAccessToken":true`) {
		t.Fatalf("revocation: %d %s", status, answer)
	}
}

// statusWithToken returns the status of a request with a token.
func statusWithToken(s *apptest.Service, token string) int {
	status, _ := s.WithToken(token).Call(http.MethodGet, "/entities/urn%3Ali%3Acorpuser%3Adatahub", "")
	return status
}

// A revoked token is refused for all requests that begin after the response to the revocation,
// while other requests run all the time, and after a restart. For the test with both programs see
// frontend-proxy/token_test.go.
func TestNoRequestBehindARevocationIsServed(t *testing.T) {
	t.Parallel()
	tries, rounds := int64(trials.Count(10_000)), int64(20)
	if testing.Short() {
		tries, rounds = 500, 5
	}
	s := apptest.New(t)
	root := s.As("urn:li:corpuser:datahub")
	var refused, leaks, others atomic.Int64
	var revoked []string
	for range rounds {
		text, id := makeToken(t, s, "urn:li:corpuser:datahub", "")
		if status := statusWithToken(s, text); status != http.StatusOK {
			t.Fatalf("a good token: %d", status)
		}
		var gone atomic.Bool
		var left atomic.Int64
		left.Store(tries / rounds)
		var crowd sync.WaitGroup
		for range 8 {
			crowd.Go(func() {
				for left.Load() > 0 {
					began := gone.Load()
					status := statusWithToken(s, text)
					if !began {
						continue
					}
					left.Add(-1)
					switch status {
					case http.StatusUnauthorized:
						refused.Add(1)
					case http.StatusOK:
						leaks.Add(1)
					default:
						others.Add(1)
					}
				}
			})
		}
		revokeToken(t, root, id)
		gone.Store(true)
		crowd.Wait()
		revoked = append(revoked, text)
	}
	t.Logf("%d requests after a revocation were refused", refused.Load())
	if leaks.Load() != 0 || others.Load() != 0 || refused.Load() < tries {
		t.Errorf("%d leaks, %d other answers, %d refused", leaks.Load(), others.Load(), refused.Load())
	}
	kept, _ := makeToken(t, s, "urn:li:corpuser:datahub", "")
	s.Stop()
	s = apptest.Start(t, s.DataDir)
	for _, text := range revoked {
		if status := statusWithToken(s, text); status != http.StatusUnauthorized {
			t.Errorf("after a restart: %d", status)
		}
	}
	if status := statusWithToken(s, kept); status != http.StatusOK {
		t.Errorf("a token that was not revoked, after a restart: %d", status)
	}
}

// No attempt of a user with all rights restores the record, and its token stays refused.
func TestNothingBringsARevokedTokenBack(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	root := s.As("urn:li:corpuser:datahub")
	text, id := makeToken(t, s, "urn:li:corpuser:datahub", "")
	record := urn.Make("dataHubAccessToken", id)
	// A run that writes, and during which the token is revoked.
	s.JSON(http.MethodPost, "/aspects?action=ingestProposal", `{"proposal":{"entityType":"tag","entityUrn":"urn:li:tag:x","changeType":"UPSERT","aspectName":"tagProperties",
		"aspect":{"contentType":"application/json","value":"{\"name\":\"x\"}"},"systemMetadata":{"runId":"run-1","lastObserved":1}}}`, nil)
	revokeToken(t, root, id)
	value := `{"name":"tests","actorUrn":"urn:li:corpuser:datahub","ownerUrn":"urn:li:corpuser:datahub","createdAt":1}`
	refusedAfter := func(what string) {
		t.Helper()
		if status := statusWithToken(s, text); status != http.StatusUnauthorized {
			t.Errorf("after %s: %d", what, status)
		}
	}
	written := 0
	for _, d := range writeAPIs {
		for who, c := range map[string]caller{"the administrator": root, "the system": s} {
			for _, f := range []fact{{record, "dataHubAccessTokenInfo", value}, {record, "dataHubAccessTokenKey", `{"id":"` + id + `"}`}, {record, "status", `{"removed":false}`}} {
				written++
				status, answer := d.write(c, f)
				if status < 300 && !strings.Contains(answer, `"success":false`) && !strings.Contains(answer, `"errors"`) {
					t.Errorf("%s writes %s by %s: %d %s", who, f, d.name, status, answer)
				}
				refusedAfter(d.name)
			}
		}
	}
	if written < 60 {
		t.Errorf("%d writes were tried", written)
	}
	escaped := url.PathEscape(string(record))
	for what, request := range map[string][3]string{
		"a snapshot":                   {http.MethodPost, "/entities?action=ingest", `{"entity":{"value":{"com.linkedin.metadata.snapshot.DataHubAccessTokenSnapshot":{"urn":"` + string(record) + `","aspects":[]}}}}`},
		"a rollback of its run":        {http.MethodPost, "/runs?action=rollback", `{"runId":"run-1","dryRun":false,"safe":false}`},
		"a rollback of no run":         {http.MethodPost, "/runs?action=rollback", `{"runId":"no-run-id-provided","dryRun":false,"safe":false}`},
		"restoring indices":            {http.MethodPost, "/operations?action=restoreIndices", `{"urnLike":"urn:li:dataHubAccessToken:%"}`},
		"restoring one":                {http.MethodPost, "/aspects?action=restoreIndices", `{"urn":"` + string(record) + `"}`},
		"retention":                    {http.MethodPost, "/operations?action=applyRetention", `{}`},
		"deleting it again":            {http.MethodPost, "/entities?action=delete", `{"urn":"` + string(record) + `"}`},
		"deleting it by OpenAPI":       {http.MethodDelete, "/openapi/v3/entity/dataHubAccessToken/" + escaped, ""},
		"deleting its references":      {http.MethodPost, "/entities?action=deleteReferences", `{"urn":"` + string(record) + `","dryRun":false}`},
		"ingesting what a reader gets": {http.MethodPost, "/openapi/v3/entity/dataHubAccessToken?async=false", `[{"urn":"` + string(record) + `","dataHubAccessTokenKey":{"value":{"id":"` + id + `"}},"dataHubAccessTokenInfo":{"value":` + value + `}}]`},
	} {
		status, answer := s.Call(request[0], request[1], request[2])
		if status >= 500 {
			t.Errorf("%s: %d %s", what, status, answer)
		}
		refusedAfter(what)
	}
	s.Stop()
	s = apptest.Start(t, s.DataDir)
	refusedAfter("a restart")
	var listed struct {
		ListAccessTokens struct{ Tokens []struct{ ID string } }
	}
	graphql(t, s, `{ listAccessTokens(input: {count: 100}) { tokens { id } } }`, &listed)
	for _, one := range listed.ListAccessTokens.Tokens {
		if one.ID == id {
			t.Error("it is listed")
		}
	}
}

func TestDeletingTheRecordOfATokenRevokesIt(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	for what, request := range map[string]func(record string) (method, path, body string){
		"Rest.li": func(u string) (string, string, string) {
			return http.MethodPost, "/entities?action=delete", `{"urn":"` + u + `"}`
		},
		"OpenAPI v3": func(u string) (string, string, string) {
			return http.MethodDelete, "/openapi/v3/entity/dataHubAccessToken/" + url.PathEscape(u), ""
		},
		"OpenAPI v2": func(u string) (string, string, string) {
			return http.MethodDelete, "/openapi/v2/entity/dataHubAccessToken/" + url.PathEscape(u), ""
		},
	} {
		s.As(jo)
		text, id := makeToken(t, s, jo, "")
		method, path, body := request(string(urn.Make("dataHubAccessToken", id)))
		if status, answer := s.As(mia).Call(method, path, body); status != http.StatusUnauthorized && status != http.StatusForbidden {
			t.Errorf("%s by somebody else: %d %s", what, status, answer)
		}
		if status := statusWithToken(s, text); status != http.StatusOK {
			t.Errorf("%s: gone before: %d", what, status)
		}
		if status, answer := s.Call(method, path, body); status != http.StatusOK {
			t.Errorf("%s: %d %s", what, status, answer)
		}
		if status := statusWithToken(s, text); status != http.StatusUnauthorized {
			t.Errorf("%s: alive after: %d", what, status)
		}
	}
}

// A change of the state of its user applies to a token from the next request on.
func TestATokenGoesTheWayOfItsUser(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	set := func(u urn.URN, aspect, value string) {
		t.Helper()
		s.JSON(http.MethodPost, "/openapi/v3/entity/corpuser?async=false", fmt.Sprintf(`[{"urn":%q,%q:{"value":%s}}]`, u, aspect, value), nil)
	}
	for name, tc := range map[string]struct {
		stop, again func(u urn.URN) // again is nil if the state is final
	}{
		"suspended": {
			func(u urn.URN) { set(u, "corpUserStatus", `{"status":"SUSPENDED",`+tokenStamp+`}`) },
			func(u urn.URN) { set(u, "corpUserStatus", `{"status":"ACTIVE",`+tokenStamp+`}`) },
		},
		"soft-deleted": {
			func(u urn.URN) { set(u, "status", `{"removed":true}`) },
			func(u urn.URN) { set(u, "status", `{"removed":false}`) },
		},
		"deleted": {func(u urn.URN) {
			graphql(t, s, fmt.Sprintf(`mutation { removeUser(urn: %q) }`, u), &struct{}{})
		}, nil},
	} {
		u := urn.Make("corpuser", name)
		s.As(u)
		text, _ := makeToken(t, s, u, "")
		if status := statusWithToken(s, text); status != http.StatusOK {
			t.Errorf("%s: before %d", name, status)
		}
		tc.stop(u)
		for _, path := range []string{"/entities/urn%3Ali%3Acorpuser%3Adatahub", "/openapi/v3/entity/corpuser/urn%3Ali%3Acorpuser%3Adatahub", "/api/graphql"} {
			if status, answer := s.WithToken(text).Call(http.MethodGet, path, ""); status != http.StatusUnauthorized || !strings.Contains(answer, "token") {
				t.Errorf("%s at %s: %d %s", name, path, status, answer)
			}
		}
		if tc.again != nil {
			tc.again(u)
			if status := statusWithToken(s, text); status != http.StatusOK {
				t.Errorf("%s and back: %d", name, status)
			}
			continue
		}
		set(u, "corpUserInfo", `{"active":true}`)
		if status := statusWithToken(s, text); status != http.StatusUnauthorized {
			t.Errorf("%s and made again: %d", name, status)
		}
	}
}

// The administrator's token is refused outside of its scope, by every API.
func TestAScopeHoldsAtEveryDoor(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	const root urn.URN = "urn:li:corpuser:datahub"
	s.JSON(http.MethodPost, "/openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:in","tagProperties":{"value":{"name":"in"}}},{"urn":"urn:li:tag:out","tagProperties":{"value":{"name":"out"}}}]`, nil)
	in, out := fact{"urn:li:tag:in", "tagProperties", `{"name":"changed"}`}, fact{"urn:li:tag:out", "tagProperties", `{"name":"changed"}`}
	with := func(scope string) apptest.User {
		t.Helper()
		text, _ := makeToken(t, s, root, ", scope: "+scope)
		return s.WithToken(text)
	}
	readOnly := with(`{readOnly: true}`)
	one := with(`{resources: [{field: "URN", values: ["urn:li:tag:in"], condition: EQUALS}]}`)
	viewing := with(`{privileges: ["VIEW_ENTITY_PAGE"]}`)
	for _, d := range writeAPIs {
		for name, tc := range map[string]struct {
			by      apptest.User
			f       fact
			allowed bool
		}{
			"read-only":                   {readOnly, in, false},
			"viewing alone":               {viewing, in, false},
			"a resource in the scope":     {one, in, true},
			"a resource out of its scope": {one, out, false},
		} {
			status, answer := d.write(tc.by, tc.f)
			if tc.allowed && (status >= 300 && status != http.StatusConflict && status != http.StatusUnprocessableEntity) {
				t.Errorf("%s by %s: %d %s", name, d.name, status, answer)
			}
			if !tc.allowed && !refused(status, answer) {
				t.Errorf("%s by %s: %d %s", name, d.name, status, answer)
			}
		}
	}
	if got := stored(s, out.urn, out.aspect); !strings.Contains(got, `"name":"out"`) {
		t.Errorf("written beyond the scope: %s", got)
	}
	for name, tc := range map[string]struct {
		by   apptest.User
		path string
		want int
	}{
		"read-only reads":                    {readOnly, "/entities/urn%3Ali%3Atag%3Aout", 200},
		"viewing reads":                      {viewing, "/entities/urn%3Ali%3Atag%3Aout", 200},
		"a resource in the scope is read":    {one, "/entities/urn%3Ali%3Atag%3Ain", 200},
		"a resource out of its scope is not": {one, "/entities/urn%3Ali%3Atag%3Aout", 401},
		"nor by OpenAPI":                     {one, "/openapi/v3/entity/tag/urn%3Ali%3Atag%3Aout", 403},
	} {
		if status, answer := tc.by.Call(http.MethodGet, tc.path, ""); status != tc.want {
			t.Errorf("%s: %d %s", name, status, answer)
		}
	}
	for name, document := range map[string]string{
		"a token":               `mutation { createAccessToken(input: {type: PERSONAL, actorUrn: "urn:li:corpuser:datahub", duration: ONE_HOUR, name: "x"}) { accessToken } }`,
		"a token for others":    `mutation { createAccessToken(input: {type: PERSONAL, actorUrn: "urn:li:corpuser:jo", duration: ONE_HOUR, name: "x"}) { accessToken } }`,
		"a service account":     `mutation { createServiceAccount(input: {}) { urn } }`,
		"revoking all":          `mutation { revokeAllAccessTokens(actorUrn: "urn:li:corpuser:datahub") }`,
		"a setting of its own":  `mutation { updateUserSetting(input: {name: SHOW_THEME_V2, value: true}) }`,
		"removing a user":       `mutation { removeUser(urn: "urn:li:corpuser:jo") }`,
		"a tag":                 `mutation { createTag(input: {name: "x"}) }`,
		"an invitation":         `mutation { createInviteToken(input: {}) { inviteToken } }`,
		"a reset of a password": `mutation { createNativeUserResetToken(input: {userUrn: "urn:li:corpuser:datahub"}) { resetToken } }`,
	} {
		if status, answer := graphql(t, readOnly, document, nil); status != http.StatusOK || !strings.Contains(answer, `"code":403`) {
			t.Errorf("%s by a read-only token: %d %s", name, status, answer)
		}
	}
}

// The conditions of a scope are evaluated on stored data, as those of policies.
func TestAScopeFollowsWhatIsStoredOfAResource(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	const (
		root  urn.URN = "urn:li:corpuser:datahub"
		table string  = "urn:li:dataset:(urn:li:dataPlatform:hive,%s,PROD)"
		named string  = `{"name":"named"}`
	)
	s.JSON(http.MethodPost, "/openapi/v3/entity/domain?async=false", `[{"urn":"urn:li:domain:all","domainProperties":{"value":{"name":"All"}}},
		{"urn":"urn:li:domain:sales","domainProperties":{"value":{"name":"Sales","parentDomain":"urn:li:domain:all"}}}]`, nil)
	put := func(name, aspect, value string) {
		t.Helper()
		s.JSON(http.MethodPost, "/openapi/v3/entity/dataset?async=false", fmt.Sprintf(`[{"urn":%q,%q:{"value":%s}}]`, fmt.Sprintf(table, name), aspect, value), nil)
	}
	put("in", "domains", `{"domains":["urn:li:domain:sales"]}`)
	put("owned", "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"DATAOWNER"}]}`)
	put("tagged", "globalTags", `{"tags":[{"tag":"urn:li:tag:pii"}]}`)
	put("plain", "datasetProperties", named)
	text, id := makeToken(t, s, root, `, scope: {resources: [{field: "DOMAIN", values: ["urn:li:domain:all"], condition: EQUALS}]}`)
	owned, _ := makeToken(t, s, root, `, scope: {resources: [{field: "OWNER", values: ["urn:li:corpuser:jo"], condition: EQUALS}]}`)
	untagged, _ := makeToken(t, s, root, `, scope: {resources: [{field: "TAG", values: ["urn:li:tag:pii"], condition: NOT_EQUALS}, {field: "TYPE", values: ["dataset"], condition: EQUALS}]}`)
	may := func(token, name string) (reads, writes bool) {
		t.Helper()
		c, u := s.WithToken(token), urn.URN(fmt.Sprintf(table, name))
		read, _ := c.Call(http.MethodGet, "/entities/"+url.PathEscape(string(u)), "")
		written, answer := writeAPIs[0].write(c, fact{u, "datasetProperties", named})
		if written >= 500 || read >= 500 {
			t.Errorf("%s: %d, %d %s", name, read, written, answer)
		}
		return read == http.StatusOK, written == http.StatusOK
	}
	for name, want := range map[string][3]bool{
		"in": {true, false, true}, "owned": {false, true, true}, "tagged": {false, false, false}, "plain": {false, false, true},
	} {
		for i, token := range []string{text, owned, untagged} {
			if reads, writes := may(token, name); reads != want[i] || writes != want[i] {
				t.Errorf("token %d of %s: reads %v, writes %v, want %v", i, name, reads, writes, want[i])
			}
		}
	}
	// Searches find exactly the entities that may be read one by one.
	for i, token := range []string{text, owned, untagged} {
		c := s.WithToken(token)
		var want []string
		for _, name := range []string{"in", "owned", "plain", "tagged"} {
			if reads, _ := may(token, name); reads {
				want = append(want, fmt.Sprintf(table, name))
			}
		}
		var found struct {
			SearchAcrossEntities struct {
				Total         int
				SearchResults []struct{ Entity struct{ URN string } }
				Facets        []struct {
					Field        string
					Aggregations []struct {
						Value string
						Count int
					}
				}
			}
		}
		graphql(t, c, `{ searchAcrossEntities(input: {types: [DATASET], query: "*", count: 20}) { total searchResults { entity { urn } } facets { field aggregations { value count } } } }`, &found)
		var got []string
		for _, r := range found.SearchAcrossEntities.SearchResults {
			got = append(got, r.Entity.URN)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) || found.SearchAcrossEntities.Total != len(want) {
			t.Errorf("token %d finds %v of %d, want %v", i, got, found.SearchAcrossEntities.Total, want)
		}
		for _, f := range found.SearchAcrossEntities.Facets {
			for _, a := range f.Aggregations {
				if a.Count > len(want) {
					t.Errorf("token %d: facet %s counts %d of %s", i, f.Field, a.Count, a.Value)
				}
			}
		}
		status, answer := c.Call(http.MethodPost, "/entities?action=search", `{"input":"*","entity":"dataset","start":0,"count":10}`)
		if status != http.StatusOK || strings.Count(answer, `"entity":"urn:li:dataset:`) != len(want) {
			t.Errorf("token %d at Rest.li: %d %s", i, status, answer)
		}
		status, answer = c.Call(http.MethodGet, "/openapi/v3/entity/dataset?count=20", "")
		if status == http.StatusOK && strings.Count(answer, `"urn":"urn:li:dataset:`) != len(want) || status >= 500 {
			t.Errorf("token %d in a list: %d %s", i, status, answer)
		}
	}
	// For the next request the dataset has left the domain.
	put("in", "domains", `{"domains":[]}`)
	if reads, writes := may(text, "in"); reads || writes {
		t.Errorf("out of the domain: reads %v, writes %v", reads, writes)
	}
	// Operations without a resource are outside of the scope; revoking the token itself is allowed.
	if status, answer := graphql(t, s.WithToken(text), `mutation { createTag(input: {name: "x"}) }`, nil); !strings.Contains(answer, `"code":403`) {
		t.Errorf("of the platform: %d %s", status, answer)
	}
	revokeToken(t, s.WithToken(text), id)
}

// keepPrivate sets the file modes that the service requires in its folder on copied files.
func keepPrivate(path string, entry fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	if entry.IsDir() {
		return os.Chmod(path, 0o700)
	}
	return os.Chmod(path, 0o600)
}

// A backup from before a revocation does not contain it. The procedure in the security
// documentation restores it: tokens that were revoked in any way are listed and revoked again.
func TestRevocationsAreMadeAgainAfterABackupFromBeforeThem(t *testing.T) {
	t.Parallel()
	folder, err := os.MkdirTemp("", "b") // short, for the socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	dir, backup := filepath.Join(folder, "data"), filepath.Join(folder, "backup")
	s := apptest.Start(t, dir)
	const root, leaver urn.URN = "urn:li:corpuser:datahub", "urn:li:corpuser:leaver"
	s.As(leaver)
	var texts []string
	var ids []string
	for _, user := range []urn.URN{root, root, leaver, root} {
		text, id := makeToken(t, s, user, "")
		texts, ids = append(texts, text), append(ids, id)
	}
	const stays = 3
	s.Stop()
	if err := os.CopyFS(backup, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	s = apptest.Start(t, dir)
	revokeToken(t, s, ids[0])
	s.JSON(http.MethodDelete, "/openapi/v3/entity/dataHubAccessToken/"+url.PathEscape("urn:li:dataHubAccessToken:"+ids[1]), "", nil)
	graphql(t, s, `mutation { removeUser(urn: "`+string(leaver)+`") }`, &struct{}{})
	auditEvents(t, s, 3, `{"eventTypes":["RevokeAccessTokenEvent"]}`, nil)
	var listed, notes bytes.Buffer
	if err := adminsocket.RunAudit(t.Context(), dir, []string{"--since", "1d", "--type", "RevokeAccessTokenEvent", "--json"}, &listed, &notes); err != nil {
		t.Fatal(err, notes.String())
	}
	s.Stop()
	if err := errors.Join(os.RemoveAll(dir), os.Rename(backup, dir), filepath.WalkDir(dir, keepPrivate)); err != nil {
		t.Fatal(err)
	}
	s = apptest.Start(t, dir)
	if status := statusWithToken(s, texts[0]); status != http.StatusOK {
		t.Fatalf("the backup holds no token that was good: %d", status)
	}
	for line := range strings.Lines(listed.String()) {
		var event struct{ Entity urn.URN }
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatal(line, err)
		}
		if err := adminsocket.RunCommand(t.Context(), dir, []string{"revoke", event.Entity.Key()}, &notes, &notes); err != nil && !strings.Contains(err.Error(), "no longer exists") {
			t.Error(line, err)
		}
	}
	for i, text := range texts {
		want := http.StatusUnauthorized
		if i == stays {
			want = http.StatusOK
		}
		if status := statusWithToken(s, text); status != want {
			t.Errorf("token %d: %d, want %d", i, status, want)
		}
	}
}

// beginSession returns the token of a session, as the proxy requests it for a browser.
func beginSession(t *testing.T, s *apptest.Service, user urn.URN) string {
	t.Helper()
	var session struct{ AccessToken string }
	status, text := request(t, s, "/auth/generateSessionTokenForUser", `{"userId":"`+string(user)+`"}`)
	if err := json.Unmarshal([]byte(text), &session); err != nil || status != http.StatusOK {
		t.Fatalf("%d %s", status, text)
	}
	return session.AccessToken
}

func TestSigningOutEverywhereHoldsOverARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := apptest.Start(t, dir)
	s.JSON(http.MethodPost, "/openapi/v3/entity/corpuser?async=false", `[{"urn":"urn:li:corpuser:mia","corpUserInfo":{"value":{"active":true}}}]`, &[]any{})
	const mia urn.URN = "urn:li:corpuser:mia"
	laptop, phone := beginSession(t, s, mia), beginSession(t, s, mia)
	token, _ := makeToken(t, s, mia, "")
	other := beginSession(t, s, "urn:li:corpuser:datahub")
	check := func(when string, want map[string]int) {
		t.Helper()
		for text, status := range want {
			if got := statusWithToken(s, text); got != status {
				t.Errorf("%s: %d, want %d", when, got, status)
			}
		}
	}
	check("before", map[string]int{laptop: 200, phone: 200, token: 200, other: 200})
	if status, answer := graphql(t, s.WithToken(phone), `mutation { endSessions(userUrn: "urn:li:corpuser:datahub") }`, nil); !strings.Contains(answer, "MANAGE_USER_CREDENTIALS") {
		t.Errorf("of somebody else: %d %s", status, answer)
	}
	graphql(t, s.WithToken(phone), `mutation { endSessions(userUrn: "`+string(mia)+`") }`, &struct{}{})
	after := beginSession(t, s, mia)
	want := map[string]int{laptop: 401, phone: 401, token: 200, other: 200, after: 200}
	check("afterwards", want)
	events := auditEvents(t, s, 1, `{"eventTypes":["EndSessionsEvent"]}`, nil)
	if e := events[0]; len(events) != 1 || e.ActorURN != string(mia) || e.EntityURN != string(mia) {
		t.Errorf("recorded as %+v", events)
	}
	s.Stop()
	s = apptest.Start(t, dir)
	check("after a restart", want)
	graphql(t, s, `mutation { endSessions(userUrn: "`+string(mia)+`") }`, &struct{}{})
	check("by an administrator", map[string]int{after: 401, token: 200, other: 200})
}

// TestTokensInTheFormOfTheOlderInterface requests a user's own tokens with every duration.
func TestTokensInTheFormOfTheOlderInterface(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	text, _ := makeToken(t, s, "urn:li:corpuser:datahub", "")
	root := s.WithToken(text)
	const hour, day = 3_600_000, 24 * 3_600_000
	lifetimes := map[string]int64{"ONE_HOUR": hour, "ONE_DAY": day, "ONE_WEEK": 7 * day, "ONE_MONTH": 30 * day, "THREE_MONTHS": 90 * day,
		"SIX_MONTHS": 180 * day, "ONE_YEAR": 365 * day}
	const input = `{ getAccessToken(input: {type: %s, actorUrn: %q, duration: %s}) { accessToken metadata { id } } }`
	for duration, lifetime := range lifetimes {
		var made struct {
			GetAccessToken struct {
				AccessToken string
				Metadata    *struct{ ID string }
			}
		}
		graphql(t, root, fmt.Sprintf(input, "PERSONAL", "urn:li:corpuser:datahub", duration), &made)
		text := made.GetAccessToken.AccessToken
		if status := statusWithToken(s, text); status != http.StatusOK || made.GetAccessToken.Metadata != nil {
			t.Fatalf("%s: a request with %+v is answered %d", duration, made, status)
		}
		var told struct {
			GetAccessTokenMetadata struct {
				ID, ActorURN         string
				CreatedAt, ExpiresAt int64
			}
		}
		graphql(t, s, fmt.Sprintf(`{ getAccessTokenMetadata(token: %q) { id actorUrn createdAt expiresAt } }`, text), &told)
		record := told.GetAccessTokenMetadata
		if record.ActorURN != "urn:li:corpuser:datahub" || lifetime == 0 && record.ExpiresAt != 0 || lifetime != 0 && record.ExpiresAt != record.CreatedAt-record.CreatedAt%1000+lifetime {
			t.Errorf("%s: %+v", duration, record)
		}
		revokeToken(t, s, record.ID)
		if status := statusWithToken(s, text); status != http.StatusUnauthorized {
			t.Errorf("%s: revoked, and answered %d", duration, status)
		}
	}
	for _, query := range []string{`mutation { createAccessToken(input: {type: PERSONAL, actorUrn: "urn:li:corpuser:datahub", duration: NO_EXPIRY, name: "forever"}) { accessToken } }`,
		fmt.Sprintf(input, "PERSONAL", "urn:li:corpuser:datahub", "NO_EXPIRY")} {
		if _, answer := graphql(t, root, query, nil); !strings.Contains(answer, "ACCESS_TOKEN_ALLOW_NO_EXPIRY") || !strings.Contains(answer, `"code":400`) {
			t.Errorf("a token that never expires is not refused: %s", answer)
		}
	}
	var config struct {
		AppConfig struct {
			AuthConfig struct {
				AllowNoExpiry               bool
				AllowedAccessTokenDurations []string
			}
			FeatureFlags struct{ ThemeDarkModeEnabled *bool }
		}
	}
	graphql(t, root, `{ appConfig { authConfig { allowNoExpiry allowedAccessTokenDurations } featureFlags { themeDarkModeEnabled } } }`, &config)
	if c := config.AppConfig; c.AuthConfig.AllowNoExpiry || !slices.Equal(c.AuthConfig.AllowedAccessTokenDurations, []string{"PT1H", "P1D", "P7D", "P30D", "P90D", "P180D", "P365D"}) ||
		c.FeatureFlags.ThemeDarkModeEnabled == nil || *c.FeatureFlags.ThemeDarkModeEnabled {
		t.Errorf("the configuration is %+v", c)
	}
	narrow, _ := makeToken(t, s, "urn:li:corpuser:datahub", `, scope: {privileges: ["MANAGE_ACCESS_TOKENS"]}`)
	for name, c := range map[string]struct {
		caller          caller
		kind, user, why string
	}{
		"of somebody else":  {root, "PERSONAL", "urn:li:corpuser:jo", `"code":403`},
		"of another type":   {root, "SERVICE_ACCOUNT", "urn:li:corpuser:datahub", `"code":400`},
		"without the right": {s.WithToken(narrow), "PERSONAL", "urn:li:corpuser:datahub", "GENERATE_PERSONAL_ACCESS_TOKENS"},
	} {
		if _, answer := graphql(t, c.caller, fmt.Sprintf(input, c.kind, c.user, "ONE_HOUR"), nil); !strings.Contains(answer, c.why) || !strings.Contains(answer, `"getAccessToken":null`) {
			t.Errorf("%s: %s", name, answer)
		}
	}
}
