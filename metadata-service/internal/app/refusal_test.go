//go:build unix

package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/redact"
	"github.com/cartulary/cartulary/pkg/trials"
)

// TestNoRefusalNamesHiddenEntities writes to visible entities whose aspects name hidden entities in
// every place that can hold a URN: by each operation that writes, and each API that writes any
// aspect, as a user who may view these entities and as one who may also edit them, except for their
// tags. The requests name no hidden entity, so no response may.
func TestNoRefusalNamesHiddenEntities(t *testing.T) {
	t.Parallel()
	c := newConcealment(t, func(cfg *app.Config) { cfg.Auth.ViewRestricted = true })
	_, editor := provision(t, c.app, "urn:li:corpuser:editor")
	seen := []string{}
	for _, u := range c.seen {
		seen = append(seen, string(u))
	}
	slices.Sort(seen)
	over, _ := json.Marshal(seen)
	put(t, c.app, "urn:li:dataHubPolicy:editor", "dataHubPolicyInfo", fmt.Sprintf(`{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE",
		"privileges":["VIEW_ENTITY_PAGE","EDIT_ENTITY","EDIT_GROUP_MEMBERS"],"actors":{"users":["urn:li:corpuser:editor"]},
		"resources":{"filter":{"criteria":[{"field":"URN","values":%s,"condition":"EQUALS"}]},"privilegeConstraints":{"criteria":[{"field":"URN","values":[%q],"condition":"EQUALS"}]}}}`, over, elsewhere))
	requests, refused, nameless := 0, 0, map[string]bool{}
	for variant := range trials.Count(2) {
		writes := c.writes(t, variant)
		for name, credential := range map[string]string{"viewer": c.viewer, "editor": editor} {
			facts := c.named(t, variant)
			restore := func(of string) {
				batch := facts[of]
				if batch == nil {
					batch = slices.Concat(slices.Collect(maps.Values(facts))...)
				}
				mustAsk(t, c.app, asTheSystem, http.MethodPost, "/aspects?action=ingestProposalBatch", `{"proposals":[`+strings.Join(batch, ",")+`],"async":"false"}`)
			}
			before, _ := c.app.Log().Last()
			for i := range writes {
				w := &writes[i]
				if name == "editor" && w.of != "" && i%4 != 0 {
					continue // its writes must be undone
				}
				got := ask(t, c.app, credential, w.method, w.path, w.body)
				requests++
				if isRefusal(got) {
					refused++
				}
				if strings.Contains(got.body, auth.HiddenEntity) {
					nameless[w.operation] = true
				}
				if strings.Contains(got.body, `"classification":"ValidationError"`) || strings.Contains(got.body, `"classification":"InvalidSyntax"`) {
					t.Errorf("%s is not asked: %.400s: %.400s", w, w.body, got.body)
				}
				if at := strings.Index(got.body, mark); at >= 0 {
					t.Errorf("%s, variant %d, %s: %.300s: %d ...%s...", name, variant, w, w.body, got.status, around(got.body, at))
				}
				if now, _ := c.app.Log().Last(); now != before {
					restore(w.of)
					before, _ = c.app.Log().Last()
				}
			}
		}
	}
	t.Logf("%d requests, %d of them refused; those of %d operations are told of an entity that they may not view: %v", requests, refused, len(nameless), slices.Sorted(maps.Keys(nameless)))
	if requests < 5000 || refused < 3000 || len(nameless) < 10 {
		t.Errorf("only %d requests were made, %d refused and those of %d operations about a hidden entity", requests, refused, len(nameless))
	}
}

// named writes every aspect of the visible entities with hidden entities in all places, and returns
// the proposals by entity. It skips values that the rules refuse.
func (c *concealment) named(t *testing.T, variant int) map[string][]string {
	t.Helper()
	named, count := map[string][]string{}, 0
	for _, entity := range c.registry.Entities() {
		for _, spec := range entity.All() {
			if spec.IsKey || spec.Managed || spec.Timeseries || entity.Key.Managed || entity.Name == "dataHubPolicy" || spec.Name == "status" {
				continue
			}
			value := c.value(spec, variant, nil)
			if redact.Omit(spec, jsontree.Clone(value).(model.Object), isMarked) == nil && spec.Name == "schemaMetadata" {
				value = c.value(spec, variant, c.required(spec, variant))
			}
			f := &fact{entity: entity, spec: spec, urn: c.seen[entity.Name], value: string(jsontree.Encode(value)), run: "fill"}
			path, body := writers[0].request(f)
			if got := ask(t, c.app, asTheSystem, http.MethodPost, path, body); got.status == http.StatusOK {
				named[string(f.urn)] = append(named[string(f.urn)], f.proposal("UPSERT", f.value))
				count++
			}
		}
	}
	if count < 400 {
		t.Errorf("only %d aspects name something hidden", count)
	}
	return named
}

// writes returns requests that write to the visible entities: those of the tables of operations,
// and for each aspect those of the APIs that write any aspect, in turn.
func (c *concealment) writes(t *testing.T, variant int) []read {
	t.Helper()
	var all []read
	for _, r := range append(readRows(t), readTable(t, "testdata/existence.tsv")...) {
		isWrite := strings.HasPrefix(r.operation, "mutation ") || r.api != "graphql" && r.method != http.MethodGet && r.method != http.MethodHead
		if !isWrite || r.open == "public" || r.open == "system" || strings.Contains(r.body, "{token}") || strings.Contains(r.body, "{secret}") {
			continue
		}
		w := read{r.api + " " + r.operation, "", r.method, r.path, strings.ReplaceAll(r.body, "{me}", viewerURN)}
		for _, u := range urnsIn(w.path + " " + w.body) {
			if to, ok := c.seen[u.Type()]; ok {
				w.path, w.body = replaceURN(w.path, u, to), replaceURN(w.body, u, to)
			}
			if escaped := url.PathEscape(string(u)); strings.Contains(w.path, escaped) && c.seen[u.Type()] != "" {
				w.path = strings.ReplaceAll(w.path, escaped, url.PathEscape(string(c.seen[u.Type()])))
			}
		}
		all = append(all, w)
	}
	for i, f := range facts(t, c.registry) {
		for k := range 8 {
			w := &writers[(i+variant+k*5)%len(writers)]
			if w.unless != nil && w.unless(&f) {
				continue
			}
			path, body := w.request(&f)
			all = append(all, read{w.operation, string(f.urn), w.method, path, body})
		}
	}
	return all
}
