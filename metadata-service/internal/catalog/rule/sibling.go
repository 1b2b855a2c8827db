package rule

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// dbt is the platform whose datasets have a sibling in the warehouse they are built in.
const dbt = "urn:li:dataPlatform:dbt"

// siblingRules link a dbt dataset and its warehouse table as siblings. A table with exactly one dbt
// upstream is its sibling; a dbt source with exactly one upstream in the warehouse is its sibling.
func siblingRules() []Rule {
	return []Rule{{
		Name: "tied siblings", Aspects: []string{"siblings"}, Types: []string{"dataset"},
		Causes: func(value model.Object) []urn.URN {
			var others []urn.URN
			for _, other := range jsontree.Texts(value, "siblings") {
				others = append(others, urn.URN(other))
			}
			return others
		},
	}, {
		Name: "siblings", Aspects: []string{"upstreamLineage", "subTypes"}, Types: []string{"dataset"}, Derive: findSibling,
		Reads: func(u urn.URN, value model.Object) []model.Key {
			keys := []model.Key{{URN: u, Aspect: "upstreamLineage"}}
			if other := oppositeOf(u, value); other != "" {
				keys = append(keys, model.Key{URN: u, Aspect: "subTypes"}, model.Key{URN: u, Aspect: "siblings"}, model.Key{URN: other, Aspect: "siblings"})
			}
			return keys
		},
	}}
}

func isDBT(u urn.URN) bool {
	parts := u.Parts()
	return u.Type() == "dataset" && len(parts) > 0 && parts[0] == dbt
}

// oppositeOf returns the only upstream on the other side of dbt and warehouse, empty if there is
// none, or more than one.
func oppositeOf(u urn.URN, lineage model.Object) urn.URN {
	var opposite []urn.URN
	for _, up := range jsontree.Children(lineage, "upstreams") {
		if d := urn.URN(jsontree.Text(up, "dataset")); isDBT(d) != isDBT(u) {
			opposite = append(opposite, d)
		}
	}
	if len(opposite) != 1 {
		return ""
	}
	return opposite[0]
}

func findSibling(tx Effects, c *Change) error {
	if c.After == nil {
		return nil // siblings may have been linked by another writer, and remain
	}
	lineage, err := tx.Value(c.URN, "upstreamLineage")
	if err != nil || lineage == nil {
		return err
	}
	built, table := oppositeOf(c.URN, lineage), c.URN
	if built == "" {
		return nil
	}
	if isDBT(c.URN) {
		kinds, err := tx.Value(c.URN, "subTypes")
		if err != nil || !slices.ContainsFunc(jsontree.Texts(kinds, "typeNames"), func(k string) bool { return strings.EqualFold(k, "source") }) {
			return err
		}
		built, table = table, built
	}
	return tieSiblings(tx, c.URN, built, table)
}

// tieSiblings makes two datasets siblings unless one of them already has another one, or the batch
// writes siblings. It keeps an existing link. If the actor may not write the other side, it links
// only the dataset with the lineage, and ignores the siblings and the existence of the other one.
func tieSiblings(tx Effects, tells, primary, secondary urn.URN) error {
	sides := map[urn.URN]urn.URN{primary: secondary, secondary: primary}
	may, err := tx.MayWrite(sides[tells], "siblings")
	if err != nil {
		return err
	}
	if !may {
		sides = map[urn.URN]urn.URN{tells: sides[tells]}
	}
	tied := map[urn.URN]bool{}
	for u, other := range sides {
		value, err := tx.Value(u, "siblings")
		if err != nil {
			return err
		}
		known := jsontree.Texts(value, "siblings")
		tied[u] = slices.Equal(known, []string{string(other)})
		if len(known) > 0 && !tied[u] || tx.Brings(u, "siblings") {
			return nil
		}
	}
	if _, ties := sides[primary]; ties && !tied[primary] {
		if err := tx.Put(primary, "siblings", model.Object{"siblings": []any{string(secondary)}, "primary": true}); err != nil {
			return err
		}
	}
	if _, ties := sides[secondary]; !ties || tied[secondary] {
		return nil
	}
	return tx.Put(secondary, "siblings", model.Object{"siblings": []any{string(primary)}, "primary": false})
}
