//go:build unix

package app_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/pkg/urn"
)

// reached reports whether an operation legitimately applies to an entity: a data product by the
// right over its domain, which has no tag, and an absent group, which a patch creates.
func reached(operation string, u urn.URN) bool {
	return u.Type() == "dataProduct" || operation == "mutation patchEntity (of a group)" && u.Type() == "corpGroup"
}

const secretTag = "urn:li:tag:zzsecret"

// TestNotEqualsDoesNotTellWhetherAHiddenEntityExists runs the operations of
// testdata/authorization.tsv and the requests of testdata/existence.tsv with hidden and with absent
// entities, as an actor who holds privileges by a policy over all entities without a tag. The two
// responses must be equal, except for operations that create an absent entity.
func TestNotEqualsDoesNotTellWhetherAHiddenEntityExists(t *testing.T) {
	t.Parallel()
	w := newTwins(t)
	rows := append(readRows(t), readTable(t, "testdata/existence.tsv")...)
	w.store(t, rows)
	tagged := map[string]bool{}
	for u := range w.hidden {
		entity, _ := w.registry.Entity(u.Type())
		if _, ok := entity.Aspect("globalTags"); ok {
			put(t, w.app, string(u), "globalTags", `{"tags":[{"tag":"`+secretTag+`"}]}`)
			tagged[u.Type()] = true
		}
	}
	w.asBefore = w.changes()
	grant := func(privileges ...string) {
		value, _ := json.Marshal(map[string]any{
			"displayName": "Matrix", "description": "", "type": "METADATA", "state": "ACTIVE", "privileges": privileges, "editable": true,
			"actors": map[string]any{"users": []string{holderURN}, "allUsers": false, "allGroups": false, "resourceOwners": false},
			"resources": map[string]any{"allResources": false, "filter": map[string]any{"criteria": []any{
				map[string]any{"field": "TAG", "values": []string{secretTag}, "condition": "NOT_EQUALS"},
			}}},
		})
		put(t, w.app, policyURN, "dataHubPolicyInfo", string(value))
		w.asBefore = w.changes()
	}
	for i := range rows {
		r := &rows[i]
		if r.open == "public" || r.open == "system" {
			continue
		}
		for _, u := range urnsIn(r.path + " " + r.body) {
			if !w.hidden[twin(u, storedMark)] || !tagged[u.Type()] || slices.Contains(revealedTypes[r.operation], u.Type()) {
				continue
			}
			t.Run(r.api+" "+r.operation+" "+string(u), func(t *testing.T) {
				grant("VIEW_ENTITY_PAGE", "GET_ENTITY_PRIVILEGE")
				w.pairOf(t, r, u, u, "who views", w.holder)
				for _, privileges := range r.needs {
					if r.api == "graphql" && !reached(r.operation, u) {
						grant(append(slices.Clone(privileges), "VIEW_ENTITY_PAGE")...)
						w.pairOf(t, r, u, u, "who may do it", w.holder)
					}
				}
			})
		}
	}
	t.Logf("%d types, %d pairs", len(tagged), w.pairs)
	if w.pairs < 200 {
		t.Errorf("only %d pairs were compared", w.pairs)
	}
}
