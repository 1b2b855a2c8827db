//go:build unix

package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Size of the benchmark's catalog. Each user is in a hundred groups.
const (
	benchPolicies = 200
	benchGroups   = 1000
	benchUsers    = 200
)

const benchDataset urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)"

// chain is a service whose handlers are called without a network.
type chain struct{ handler http.Handler }

func (c chain) ask(b *testing.B, path, credential string) time.Duration {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	if credential != "" {
		r.Header.Set("Authorization", credential)
	}
	w := httptest.NewRecorder()
	began := time.Now()
	c.handler.ServeHTTP(w, r)
	took := time.Since(began)
	if w.Code != http.StatusNoContent {
		b.Fatalf("status %d: %s", w.Code, w.Body)
	}
	return took
}

func benchChain(b *testing.B, authenticated bool) (*app.App, chain) {
	b.Helper()
	cfg := app.Defaults()
	cfg.Listen, cfg.DataDir, cfg.SystemSecret = "127.0.0.1:0", b.TempDir(), systemSecret
	cfg.Auth.Enabled = authenticated
	a, err := app.Open(b.Context(), cfg, "bench", logging.Discard())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = a.Close() })
	a.AddProbe("/probe/empty")
	return a, chain{a.Handler()}
}

// company writes policies, groups and users, and creates a token for each user. Only the last
// policy allows a user to edit the dataset.
func company(b *testing.B, a *app.App) (tokens []string) {
	b.Helper()
	policies := make([]map[string]any, benchPolicies)
	for i := range policies {
		group := fmt.Sprintf("urn:li:corpGroup:g%d", i)
		if i == benchPolicies-1 {
			group = "urn:li:corpGroup:g990"
		}
		policies[i] = map[string]any{"urn": fmt.Sprintf("urn:li:dataHubPolicy:p%d", i), "dataHubPolicyInfo": value(map[string]any{
			"displayName": "p", "description": "", "type": "METADATA", "state": "ACTIVE", "privileges": []string{"VIEW_ENTITY_PAGE", "EDIT_ENTITY", "EDIT_ENTITY_TAGS"},
			"actors": map[string]any{"groups": []string{group}, "allUsers": false, "allGroups": false, "resourceOwners": false},
			"resources": map[string]any{"allResources": false, "filter": map[string]any{"criteria": []any{
				map[string]any{"field": "DOMAIN", "values": []string{fmt.Sprintf("urn:li:domain:d%d", i)}, "condition": "EQUALS"},
			}}},
		})}
	}
	groups := make([]map[string]any, benchGroups)
	var joined []string
	for i := range groups {
		groups[i] = map[string]any{"urn": fmt.Sprintf("urn:li:corpGroup:g%d", i), "corpGroupInfo": value(map[string]any{"admins": []any{}, "members": []any{}, "groups": []any{}})}
		if i%10 == 0 {
			joined = append(joined, fmt.Sprintf("urn:li:corpGroup:g%d", i))
		}
	}
	users := make([]map[string]any, benchUsers)
	for i := range users {
		users[i] = map[string]any{
			"urn": fmt.Sprintf("urn:li:corpuser:u%d", i), "corpUserInfo": value(map[string]any{"active": true}), "groupMembership": value(map[string]any{"groups": joined}),
		}
	}
	for kind, entities := range map[string][]map[string]any{"datahubpolicy": policies, "corpgroup": groups, "corpuser": users} {
		body, err := json.Marshal(entities)
		if err != nil {
			b.Fatal(err)
		}
		mustAsk(b, a, asTheSystem, http.MethodPost, "/openapi/v3/entity/"+kind+"?async=false", string(body))
	}
	put(b, a, string(benchDataset), "domains", fmt.Sprintf(`{"domains":["urn:li:domain:d%d"]}`, benchPolicies-1))
	for i := range users {
		var made struct {
			Data struct{ CreateAccessToken struct{ AccessToken string } }
		}
		answer := operate(b, a, asTheSystem, fmt.Sprintf(`mutation { createAccessToken(input: {type: PERSONAL, actorUrn: "urn:li:corpuser:u%d", duration: ONE_HOUR, name: "x"}) { accessToken } }`, i))
		if err := json.Unmarshal([]byte(answer), &made); err != nil {
			b.Fatal(err)
		}
		tokens = append(tokens, "Bearer "+made.Data.CreateAccessToken.AccessToken)
	}
	return tokens
}

func value(of map[string]any) map[string]any { return map[string]any{"value": of} }

// BenchmarkRequest prints the time that authentication and authorization add to a request, measured
// on the service's chain of handlers in comparison with a service without both whose handler is
// empty. The medians are from one run, in which all variants take turns:
//
//	token       the token only; the handler is empty
//	cached      the token, and cached rights of the user
//	not-cached  the token, and rights that depend on stored data of the dataset
//	first       the first request of a token and its user, with nothing cached
//
// The goals are 3 us for cached rights and 12 us for others. The catalog has 200 policies over
// domains and 1,000 groups; each user is in a hundred of them.
func BenchmarkRequest(b *testing.B) {
	_, open := benchChain(b, false)
	guarded, probe := benchChain(b, true)
	guarded.AddProbe("/probe/cached", auth.ForPlatform(auth.GenerateTokens))
	guarded.AddProbe("/probe/not-cached", auth.Over(benchDataset, auth.EditTags, auth.EditEntity))
	tokens := company(b, guarded)
	for range 1000 { // warms up all caches
		open.ask(b, "/probe/empty", "")
		probe.ask(b, "/probe/not-cached", tokens[0])
	}
	const again = 200 // requests of each user after the first
	var empty, token, cached, computed, first []time.Duration
	n := 1
	for b.Loop() {
		if n == len(tokens) {
			break
		}
		first = append(first, probe.ask(b, "/probe/not-cached", tokens[n]))
		for range again {
			empty = append(empty, open.ask(b, "/probe/empty", ""))
			token = append(token, probe.ask(b, "/probe/empty", tokens[n]))
			cached = append(cached, probe.ask(b, "/probe/cached", tokens[n]))
			computed = append(computed, probe.ask(b, "/probe/not-cached", tokens[n]))
		}
		n++
	}
	b.ReportMetric(0, "ns/op") // the time of one turn has no meaning
	b.ReportMetric(micros(empty), "us-empty")
	for unit, times := range map[string][]time.Duration{"token": token, "cached": cached, "not-cached": computed, "first": first} {
		b.ReportMetric(micros(times)-micros(empty), "us-added-"+unit)
	}
}

// micros returns the median in microseconds.
func micros(times []time.Duration) float64 {
	sorted := slices.Sorted(slices.Values(times))
	return float64(sorted[len(sorted)/2].Nanoseconds()) / 1000
}
