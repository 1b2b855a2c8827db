package catalog

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Versions of an asset are entities of their own, tied together by a version
// set. The set names the latest of them; each of them knows whether it is.

const (
	lexicographic  = "LEXICOGRAPHIC_STRING"
	generatedIDs   = "ALPHANUMERIC_GENERATED_BY_DATAHUB"
	generatedIDLen = 8
)

func schemeOf(v model.Object) string {
	if s := jsontree.Text(v, "versioningScheme"); s != "" {
		return s
	}
	return lexicographic
}

// checkVersion holds what the version of an asset must keep whatever is stored.
func checkVersion(it *item, value model.Object) error {
	set := urn.URN(jsontree.Text(value, "versionSet"))
	parts := set.Parts()
	if set.Type() != "versionSet" || len(parts) != 2 {
		return broken(versionProperties, "/versionSet", "must be the URN of a version set, found %q", set)
	}
	if parts[1] != it.entity.Name {
		return broken(versionProperties, "/versionSet", "is a set of %s, the entity is a %s", parts[1], it.entity.Name)
	}
	sortID := jsontree.Text(value, "sortId")
	if schemeOf(value) == generatedIDs && (len(sortID) != generatedIDLen || strings.Trim(sortID, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "") {
		return broken(versionProperties, "/sortId", "must be %d upper-case letters under its versioning scheme, found %q", generatedIDLen, sortID)
	}
	return nil
}

// checkVersionChange compares with the version set: sort ids and labels are
// unique among its members.
func (t *txn) checkVersionChange(n *change) error {
	before, err := n.before()
	if err != nil {
		return err
	}
	if latest, stated := n.value["isLatest"]; stated && latest != before["isLatest"] && !t.system {
		return broken(versionProperties, "/isLatest", "is set by the service alone")
	}
	set, err := t.read(urn.URN(jsontree.Text(n.value, "versionSet")), versionSetProperties)
	if err != nil || set == nil {
		return err
	}
	if schemeOf(set) != schemeOf(n.value) {
		return broken(versionProperties, "/versioningScheme", "the version set uses %s", schemeOf(set))
	}
	return t.members(urn.URN(jsontree.Text(n.value, "versionSet")), n.urn, func(member urn.URN, other model.Object) error {
		if jsontree.Text(other, "sortId") == jsontree.Text(n.value, "sortId") {
			return broken(versionProperties, "/sortId", "%s has the same sort id in the set: %q", member, jsontree.Text(other, "sortId"))
		}
		if label := versionLabel(n.value); label != "" && label == versionLabel(other) {
			return broken(versionProperties, "/version/versionTag", "%s has the same label in the set: %q", member, label)
		}
		return nil
	})
}

// members visits the versions of a set but for one: those that edges tell of,
// and the latest, which may have been written a moment ago.
func (t *txn) members(set, except urn.URN, visit func(member urn.URN, value model.Object) error) error {
	properties, err := t.read(set, versionSetProperties)
	if err != nil {
		return err
	}
	urns := []urn.URN{urn.URN(jsontree.Text(properties, "latest"))}
	err = t.Graph.Expand(t.ctx, []urn.URN{set}, []graph.Step{{Direction: graph.Incoming, Types: []string{"VersionOf"}}}, func(_ int, e *model.Edge) bool {
		urns = append(urns, e.Source)
		return len(urns) < maxMembers
	})
	if err != nil {
		return err
	}
	slices.Sort(urns)
	for _, member := range slices.Compact(urns) {
		if member == "" || member == except {
			continue
		}
		value, err := t.read(member, versionProperties)
		if err != nil {
			return err
		}
		if value == nil || jsontree.Text(value, "versionSet") != string(set) {
			continue // left the set meanwhile
		}
		if err := visit(member, value); err != nil {
			return err
		}
	}
	return nil
}

// maxMembers bounds how many versions of a set are looked at.
const maxMembers = 10_000

func versionLabel(v model.Object) string {
	return jsontree.Text(jsontree.Child(v, "version"), "versionTag")
}

func (t *txn) checkVersionScheme(n *change) error {
	before, err := n.before()
	if err != nil || n.old == nil {
		return err
	}
	if schemeOf(before) != schemeOf(n.value) {
		return broken(versionSetProperties, "/versioningScheme", "cannot be changed, is %s", schemeOf(before))
	}
	return nil
}

// versioned makes the set point at its latest member after a member changed.
func (t *txn) versioned(n *change) error {
	if n.effect > 0 {
		return nil // the mark was moved, by the set that is being looked at
	}
	setURN := urn.URN(jsontree.Text(n.value, "versionSet"))
	set, err := t.read(setURN, versionSetProperties)
	if err != nil {
		return err
	}
	latest := urn.URN(jsontree.Text(set, "latest"))
	if latest == n.urn {
		return t.replaceLowered(n, setURN, set)
	}
	if latest != "" {
		other, err := t.read(latest, versionProperties)
		if err != nil {
			return err
		}
		if other != nil && jsontree.Text(other, "sortId") >= jsontree.Text(n.value, "sortId") {
			if jsontree.Bool(n.value, "isLatest") {
				return t.follow(n.item, n.urn, versionProperties, jsontree.With(n.value, model.Object{"isLatest": false}))
			}
			return nil
		}
	}
	return t.follow(n.item, setURN, versionSetProperties,
		jsontree.With(set, model.Object{"latest": string(n.urn), "versioningScheme": schemeOf(n.value)}))
}

// replaceLowered finds a new latest member when the one there was has been
// lowered below another.
func (t *txn) replaceLowered(n *change, setURN urn.URN, set model.Object) error {
	before, err := n.before()
	if err != nil || jsontree.Text(before, "sortId") <= jsontree.Text(n.value, "sortId") {
		return err
	}
	highest, sortID := n.urn, jsontree.Text(n.value, "sortId")
	err = t.members(setURN, n.urn, func(member urn.URN, other model.Object) error {
		if jsontree.Text(other, "sortId") > sortID {
			highest, sortID = member, jsontree.Text(other, "sortId")
		}
		return nil
	})
	if err != nil || highest == n.urn {
		return err
	}
	return t.follow(n.item, setURN, versionSetProperties, jsontree.With(set, model.Object{"latest": string(highest)}))
}

// versionSetMoved moves the mark of the latest from the former member to the new one.
func (t *txn) versionSetMoved(n *change) error {
	before, err := n.before()
	if err != nil {
		return err
	}
	for _, member := range []struct {
		urn    urn.URN
		latest bool
	}{{urn.URN(jsontree.Text(before, "latest")), false}, {urn.URN(jsontree.Text(n.value, "latest")), true}} {
		if member.urn == "" || !member.latest && member.urn == urn.URN(jsontree.Text(n.value, "latest")) {
			continue
		}
		version, err := t.read(member.urn, versionProperties)
		if err != nil {
			return err
		}
		if version == nil || jsontree.Bool(version, "isLatest") == member.latest && version["isLatest"] != nil {
			continue
		}
		if err := t.follow(n.item, member.urn, versionProperties, jsontree.With(version, model.Object{"isLatest": member.latest})); err != nil {
			return err
		}
	}
	return nil
}

// keepLatestMark carries the mark of the latest over to a value without it:
// writers of versions do not know which of them is the latest.
func keepLatestMark(n *change) error {
	before, err := n.before()
	if err != nil || n.value["isLatest"] != nil || before["isLatest"] == nil || jsontree.Text(before, "versionSet") != jsontree.Text(n.value, "versionSet") {
		return err
	}
	n.set(jsontree.With(n.value, model.Object{"isLatest": before["isLatest"]}))
	return nil
}
