package metatest

import (
	"slices"
	"strings"
)

// Relation is a kind of relationship of an asset that tests can count.
type Relation struct {
	Name     string
	Incoming bool
}

// relation is the number of relationships of a kind that an asset has.
type relation struct {
	given string
	Relation
}

func (r relation) name() string    { return r.given }
func (r relation) kind() valueKind { return number }
func (r relation) field() string   { return "" }

func (r relation) values(f *Facts, _ any) ([]string, []float64) {
	return nil, []float64{float64(f.Relations[r.Relation])}
}

func (p *parser) relation(at, name, rest string) property {
	kind, direction, _ := strings.Cut(rest, ".")
	r := Relation{Name: kind, Incoming: direction == "incoming"}
	if kind == "" || direction != "incoming" && direction != "outgoing" {
		p.problem(at, "%q must be relationships.NAME.incoming or relationships.NAME.outgoing", name)
		return nil
	}
	known := []string{}
	for _, a := range p.registry.Aspects() {
		for _, rel := range a.Relationships {
			if !slices.Contains(known, rel.Name) {
				known = append(known, rel.Name)
			}
		}
	}
	if !slices.Contains(known, kind) {
		slices.Sort(known)
		p.problem(at, "%q is no relationship; known are %s", kind, strings.Join(known, ", "))
		return nil
	}
	p.reads.relation(r)
	return relation{name, r}
}
