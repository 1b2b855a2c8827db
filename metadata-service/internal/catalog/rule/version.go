package rule

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	versionProperties    = "versionProperties"
	versionSetProperties = "versionSetProperties"

	lexicographic  = "LEXICOGRAPHIC_STRING"
	generatedIDs   = "ALPHANUMERIC_GENERATED_BY_DATAHUB"
	generatedIDLen = 8
)

// versionRules apply to versions of an asset: separate entities in a version set. The set names its
// latest member; each member has a mark whether it is the latest. Members have unique sort ids and
// labels.
func versionRules() []Rule {
	return []Rule{
		{
			Name: "versions", Aspects: []string{versionProperties},
			Check: checkVersion, Adjust: keepLatestMark, Validate: checkMember, Derive: findLatest, Reads: memberReads,
			Terms: func(_ urn.URN, value model.Object) []Term {
				set := urn.URN(jsontree.Text(value, "versionSet"))
				terms := []Term{membersOf(set), sortIDIn(set, value)}
				if label := versionLabel(value); label != "" {
					terms = append(terms, labelIn(set, label))
				}
				return terms
			},
		},
		{Name: "rights over version sets", Aspects: []string{versionProperties}, Demands: demandSet},
		{Name: "version sets", Aspects: []string{versionSetProperties}, Validate: checkScheme, Derive: moveMark},
	}
}

// demandSet requires the right over a version set, or over its latest member, if a write adds a
// version to it or changes its position: the latest member may change. An actor needs no such right
// over a new set, or a set whose latest member is new in the batch.
func demandSet(tx Tx, c *Change) ([]Demand, error) {
	setURN := urn.URN(jsontree.Text(c.After, "versionSet"))
	isSame := jsontree.Text(c.Before, "versionSet") == string(setURN) && jsontree.Text(c.Before, "sortId") == jsontree.Text(c.After, "sortId")
	if setURN == "" || isSame {
		return nil, nil
	}
	set, err := tx.Value(setURN, versionSetProperties)
	if err != nil {
		return nil, err
	}
	latest := urn.URN(jsontree.Text(set, "latest"))
	if latest == "" || latest == c.URN || tx.Created(latest) {
		return nil, nil
	}
	return []Demand{{
		OneOf:   []auth.Check{{Operation: auth.OpUpdate, Entities: []urn.URN{setURN}}, {Operation: auth.OpUpdate, Entities: []urn.URN{latest}}},
		Refusal: Refusal{"Unauthorized to join version set ", setURN, " by entity: ", c.URN},
	}}, nil
}

// membersOf is the term of the versions of a set.
func membersOf(set urn.URN) Term { return term("version of", string(set)) }

func sortIDIn(set urn.URN, value model.Object) Term {
	return term("version sort id", string(set), jsontree.Text(value, "sortId"))
}

func labelIn(set urn.URN, label string) Term { return term("version label", string(set), label) }

func versionLabel(v model.Object) string {
	return jsontree.Text(jsontree.Child(v, "version"), "versionTag")
}

func schemeOf(v model.Object) string {
	if s := jsontree.Text(v, "versioningScheme"); s != "" {
		return s
	}
	return lexicographic
}

func memberReads(_ urn.URN, value model.Object) []model.Key {
	return []model.Key{{URN: urn.URN(jsontree.Text(value, "versionSet")), Aspect: versionSetProperties}}
}

// checkVersion checks the requirements of a version that do not depend on stored data.
func checkVersion(_ context.Context, p Proposed) error {
	set := urn.URN(jsontree.Text(p.Value, "versionSet"))
	parts := set.Parts()
	if set.Type() != "versionSet" || len(parts) != 2 {
		return violation(versionProperties, "/versionSet", "must be the URN of a version set, found %q", set)
	}
	if parts[1] != p.Entity.Name {
		return violation(versionProperties, "/versionSet", "is a set of %s, the entity is a %s", parts[1], p.Entity.Name)
	}
	return nil
}

// checkGenerated requires the form of generated ids for a sort id. The first version of a set
// determines the scheme and may have any id, which it keeps.
func checkGenerated(set model.Object, c *Change) error {
	sortID := jsontree.Text(c.After, "sortId")
	kept := c.Before != nil && jsontree.Text(c.Before, "sortId") == sortID
	if schemeOf(set) != generatedIDs || kept || len(sortID) == generatedIDLen && strings.Trim(sortID, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		return nil
	}
	return violation(versionProperties, "/sortId", "must be %d upper-case letters under the versioning scheme of the set, found %q", generatedIDLen, sortID)
}

// keepLatestMark copies the mark of the latest version to a value without it, because writers of
// versions cannot determine which of them is the latest.
func keepLatestMark(_ Tx, c *Change) error {
	if c.After["isLatest"] == nil && c.Before["isLatest"] != nil && jsontree.Text(c.Before, "versionSet") == jsontree.Text(c.After, "versionSet") {
		c.After = jsontree.With(c.After, model.Object{"isLatest": c.Before["isLatest"]})
	}
	return nil
}

// checkMember compares with the version set: the scheme must be the same, and no other member may
// have the sort id or the label.
func checkMember(tx Tx, c *Change) error {
	if _, system := tx.Actor(); !system {
		if latest, stated := c.After["isLatest"]; stated && latest != c.Before["isLatest"] {
			return violation(versionProperties, "/isLatest", "is set by the service alone")
		}
	}
	setURN := urn.URN(jsontree.Text(c.After, "versionSet"))
	set, err := tx.Value(setURN, versionSetProperties)
	if err != nil {
		return err
	}
	if set != nil {
		if schemeOf(set) != schemeOf(c.After) {
			return violation(versionProperties, "/versioningScheme", "the version set uses %s", schemeOf(set))
		}
		if err := checkGenerated(set, c); err != nil {
			return err
		}
	}
	if other, err := otherWithTerm(tx, sortIDIn(setURN, c.After), c.URN); err != nil || other != "" {
		return orViolation(err, "/sortId", "%s has the same sort id in the set: %q", other, jsontree.Text(c.After, "sortId"))
	}
	label := versionLabel(c.After)
	if label == "" {
		return nil
	}
	if other, err := otherWithTerm(tx, labelIn(setURN, label), c.URN); err != nil || other != "" {
		return orViolation(err, "/version/versionTag", "%s has the same label in the set: %q", other, label)
	}
	return nil
}

func orViolation(err error, path, format string, args ...any) error {
	if err != nil {
		return err
	}
	return violation(versionProperties, path, format, args...)
}

// otherWithTerm returns an entity with a term other than the given one, empty for none.
func otherWithTerm(tx Tx, t Term, but urn.URN) (urn.URN, error) {
	found, err := tx.Lookup(t, "", 2)
	if err != nil {
		return "", err
	}
	for _, u := range found {
		if u != but {
			return u, nil
		}
	}
	return "", nil
}

func checkScheme(_ Tx, c *Change) error {
	if c.Before != nil && schemeOf(c.Before) != schemeOf(c.After) {
		return violation(versionSetProperties, "/versioningScheme", "cannot be changed, is %s", schemeOf(c.Before))
	}
	return nil
}

// findLatest updates the latest member of the sets that a member has left or joined.
func findLatest(tx Effects, c *Change) error {
	before, after := urn.URN(jsontree.Text(c.Before, "versionSet")), urn.URN(jsontree.Text(c.After, "versionSet"))
	if before != "" && before != after {
		if err := leaveSet(tx, before, c.URN); err != nil {
			return err
		}
	}
	if after == "" || c.Derived {
		return nil // the set itself moved the mark
	}
	return joinSet(tx, c, after)
}

// leaveSet determines a new latest member for a set after the present one has left. It removes a set
// without members.
func leaveSet(tx Effects, setURN, gone urn.URN) error {
	set, err := tx.Value(setURN, versionSetProperties)
	if err != nil || set == nil || urn.URN(jsontree.Text(set, "latest")) != gone {
		return err
	}
	highest, _, err := highestMember(tx, setURN, gone)
	if err != nil {
		return err
	}
	if highest == "" {
		return tx.RemoveEntity(setURN)
	}
	return tx.Put(setURN, versionSetProperties, jsontree.With(set, model.Object{"latest": string(highest)}))
}

// joinSet makes a written member the latest of a set if it has the highest sort id. If it was the
// latest and its sort id has become lower, another member may take its place.
func joinSet(tx Effects, c *Change, setURN urn.URN) error {
	set, err := tx.Value(setURN, versionSetProperties)
	if err != nil {
		return err
	}
	latest, sortID := urn.URN(jsontree.Text(set, "latest")), jsontree.Text(c.After, "sortId")
	if latest == c.URN {
		return replaceLowered(tx, c, setURN, set)
	}
	if latest != "" {
		other, err := tx.Value(latest, versionProperties)
		if err != nil {
			return err
		}
		if other != nil && jsontree.Text(other, "sortId") >= sortID {
			if jsontree.Bool(c.After, "isLatest") {
				return tx.Put(c.URN, versionProperties, jsontree.With(c.After, model.Object{"isLatest": false}))
			}
			return nil
		}
	}
	return tx.Make(setURN, versionSetProperties,
		jsontree.With(set, model.Object{"latest": string(c.URN), "versioningScheme": schemeOf(c.After)}))
}

func replaceLowered(tx Effects, c *Change, setURN urn.URN, set model.Object) error {
	if c.Before == nil || jsontree.Text(c.Before, "sortId") <= jsontree.Text(c.After, "sortId") {
		return nil
	}
	highest, sortID, err := highestMember(tx, setURN, c.URN)
	if err != nil || highest == "" || sortID <= jsontree.Text(c.After, "sortId") {
		return err
	}
	return tx.Put(setURN, versionSetProperties, jsontree.With(set, model.Object{"latest": string(highest)}))
}

// highestMember returns the member of a set with the highest sort id, except for a given one.
func highestMember(tx Tx, set, but urn.URN) (highest urn.URN, sortID string, err error) {
	for after := urn.URN(""); ; {
		members, err := tx.Lookup(membersOf(set), after, 0)
		if err != nil || len(members) == 0 {
			return highest, sortID, err
		}
		after = members[len(members)-1]
		for _, member := range members {
			if member == but {
				continue
			}
			value, err := tx.Value(member, versionProperties)
			if err != nil {
				return "", "", err
			}
			if id := jsontree.Text(value, "sortId"); value != nil && (highest == "" || id > sortID) {
				highest, sortID = member, id
			}
		}
	}
}

// moveMark moves the mark of the latest version from the former member to the new one.
func moveMark(tx Effects, c *Change) error {
	former, latest := urn.URN(jsontree.Text(c.Before, "latest")), urn.URN(jsontree.Text(c.After, "latest"))
	if former != "" && former != latest {
		if err := setLatestMark(tx, former, c.URN, false); err != nil {
			return err
		}
	}
	if latest == "" {
		return nil
	}
	return setLatestMark(tx, latest, c.URN, true)
}

func setLatestMark(tx Effects, member, set urn.URN, latest bool) error {
	version, err := tx.Value(member, versionProperties)
	if err != nil || version == nil || jsontree.Text(version, "versionSet") != string(set) {
		return err
	}
	if jsontree.Bool(version, "isLatest") == latest && version["isLatest"] != nil {
		return nil
	}
	return tx.Put(member, versionProperties, jsontree.With(version, model.Object{"isLatest": latest}))
}
