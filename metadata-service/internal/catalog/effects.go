package catalog

import (
	"maps"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// effects writes what follows from a change of an aspect.
func (t *txn) effects(n *change) error {
	switch n.spec.Name {
	case versionProperties:
		return t.versioned(n)
	case versionSetProperties:
		return t.versionSetMoved(n)
	case "upstreamLineage", "subTypes":
		if n.entity.Name == "dataset" {
			return t.siblings(n)
		}
	case "incidentInfo":
		return t.summarizeIncident(n)
	case "dataProductProperties":
		return t.mirrorAssets(n)
	}
	return nil
}

// dbt is the platform whose datasets have a twin in the warehouse they are built in.
const dbt = "urn:li:dataPlatform:dbt"

func isDBT(u urn.URN) bool {
	parts := u.Parts()
	return u.Type() == "dataset" && len(parts) > 0 && parts[0] == dbt
}

// siblings ties a dbt dataset to its warehouse table. A table with exactly one
// dbt upstream is the twin of that; a dbt source with exactly one upstream in
// the warehouse is the twin of that.
func (t *txn) siblings(n *change) error {
	lineage, err := t.read(n.urn, "upstreamLineage")
	if err != nil || lineage == nil {
		return err
	}
	var twins []urn.URN
	for _, up := range jsontree.Children(lineage, "upstreams") {
		if u := urn.URN(jsontree.Text(up, "dataset")); isDBT(u) != isDBT(n.urn) {
			twins = append(twins, u)
		}
	}
	if len(twins) != 1 {
		return nil
	}
	built, table := twins[0], n.urn
	if isDBT(n.urn) {
		kinds, err := t.read(n.urn, "subTypes")
		if err != nil || !slices.ContainsFunc(jsontree.Texts(kinds, "typeNames"), func(k string) bool { return strings.EqualFold(k, "source") }) {
			return err
		}
		built, table = n.urn, twins[0]
	}
	return t.tie(n.item, built, table)
}

// tie makes two datasets siblings unless one of them has siblings already.
func (t *txn) tie(cause *item, primary, secondary urn.URN) error {
	for _, u := range []urn.URN{primary, secondary} {
		s, err := t.read(u, "siblings")
		if err != nil || len(jsontree.Texts(s, "siblings")) > 0 || t.carried[store.Key{URN: u, Aspect: "siblings"}] {
			return err
		}
	}
	if err := t.follow(cause, primary, "siblings", model.Object{"siblings": []any{string(secondary)}, "primary": true}); err != nil {
		return err
	}
	return t.follow(cause, secondary, "siblings", model.Object{"siblings": []any{string(primary)}, "primary": false})
}

// mirrorAssets tells assets that came to a data product, or left it, by an
// aspect of their own, which filters and facets look at.
func (t *txn) mirrorAssets(n *change) error {
	before, err := n.before()
	if err != nil {
		return err
	}
	listed := func(value model.Object) map[string]bool {
		out := map[string]bool{}
		for _, a := range jsontree.Children(value, "assets") {
			out[jsontree.Text(a, "destinationUrn")] = true
		}
		return out
	}
	had, has := listed(before), listed(n.value)
	for _, asset := range slices.Sorted(maps.Keys(has)) {
		if !had[asset] {
			if err := t.putProduct(n, urn.URN(asset), true); err != nil {
				return err
			}
		}
	}
	for _, asset := range slices.Sorted(maps.Keys(had)) {
		if !has[asset] {
			if err := t.putProduct(n, urn.URN(asset), false); err != nil {
				return err
			}
		}
	}
	return nil
}

// putProduct puts a data product into the mirror of an asset, or takes it out.
func (t *txn) putProduct(n *change, asset urn.URN, in bool) error {
	const aspect = "dataProducts"
	mirror, err := t.read(asset, aspect)
	if err != nil || mirror == nil && !in {
		return err
	}
	kept := []any{}
	for _, p := range jsontree.Children(mirror, aspect) {
		if jsontree.Text(p, "destinationUrn") != string(n.urn) {
			kept = append(kept, p)
		}
	}
	if in {
		kept = append(kept, model.Object{"destinationUrn": string(n.urn)})
	}
	return t.follow(n.item, asset, aspect, model.Object{aspect: kept})
}

// summarizeIncident keeps the summary of each asset an incident concerns, and
// takes it from those it no longer concerns.
func (t *txn) summarizeIncident(n *change) error {
	before, err := n.before()
	if err != nil {
		return err
	}
	details := incidentDetails(n.urn, n.value)
	concerned := map[string]bool{}
	for _, asset := range jsontree.Texts(n.value, "entities") {
		concerned[asset] = true
		if err := t.putIncident(n, urn.URN(asset), details); err != nil {
			return err
		}
	}
	for _, asset := range jsontree.Texts(before, "entities") {
		if concerned[asset] {
			continue
		}
		if err := t.putIncident(n, urn.URN(asset), nil); err != nil {
			return err
		}
	}
	return nil
}

func incidentDetails(incident urn.URN, info model.Object) model.Object {
	state := jsontree.Child(info, "status")
	kind := jsontree.Text(info, "type")
	if custom := jsontree.Text(info, "customType"); kind == "CUSTOM" && custom != "" {
		kind = custom
	}
	details := model.Object{"urn": string(incident), "type": kind, "createdAt": jsontree.Child(info, "created")["time"]}
	if jsontree.Text(state, "state") == "RESOLVED" {
		details["resolvedAt"] = jsontree.Child(state, "lastUpdated")["time"]
	}
	if p, stated := info["priority"]; stated {
		details["priority"] = p
	}
	return details
}

// putIncident puts an incident into the active or resolved list of an asset's
// summary; nil details take it out of both.
func (t *txn) putIncident(n *change, asset urn.URN, details model.Object) error {
	const aspect = "incidentsSummary"
	summary, err := t.read(asset, aspect)
	if err != nil || summary == nil && details == nil {
		return err
	}
	next := jsontree.With(summary, nil)
	for _, list := range []string{"activeIncidentDetails", "resolvedIncidentDetails"} {
		kept := []any{}
		for _, d := range jsontree.Children(summary, list) {
			if jsontree.Text(d, "urn") != string(n.urn) {
				kept = append(kept, d)
			}
		}
		if _, resolved := details["resolvedAt"]; details != nil && resolved == (list == "resolvedIncidentDetails") {
			kept = append(kept, details)
		}
		next[list] = kept
	}
	if summary != nil && jsontree.Equal(summary, next) {
		return nil
	}
	return t.follow(n.item, asset, aspect, next)
}

// summarizeRun keeps the last results of an assertion.
func (t *txn) summarizeRun(it *item) error {
	const aspect = "assertionRunSummary"
	result := jsontree.Text(jsontree.Child(it.value, "result"), "type")
	member, known := map[string][2]string{
		"SUCCESS": {"lastPassedAtMillis", "PASSING"}, "FAILURE": {"lastFailedAtMillis", "FAILING"},
		"ERROR": {"lastErroredAtMillis", "ERROR"}, "INIT": {"lastInitializedAtMillis", "INIT"},
	}[result]
	if !known {
		return nil
	}
	// The event is authorized for the entity it is written to, whatever its assertionUrn says.
	summary, err := t.read(it.urn, aspect)
	if err != nil {
		return err
	}
	at := jsontree.Int(it.value, "timestampMillis")
	if at < jsontree.Int(summary, member[0]) {
		return nil
	}
	next := jsontree.With(summary, model.Object{member[0]: jsontree.Number(at)})
	if at >= newest(summary) {
		next["assertionStatus"] = member[1]
	}
	if summary != nil && jsontree.Equal(summary, next) {
		return nil
	}
	return t.follow(it, it.urn, aspect, next)
}

func newest(summary model.Object) int64 {
	latest := int64(0)
	for _, member := range []string{"lastPassedAtMillis", "lastFailedAtMillis", "lastErroredAtMillis", "lastInitializedAtMillis"} {
		latest = max(latest, jsontree.Int(summary, member))
	}
	return latest
}
