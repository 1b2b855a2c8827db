// Package ermodel keeps relationships of an entity-relationship model: which
// columns of two datasets are joined, and how many rows belong together.
package ermodel

import (
	"cmp"
	"context"
	"crypto/md5" //nolint:gosec // names an entity, protects nothing
	"encoding/hex"
	"encoding/json"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EntityType is the entity type of relationships.
const EntityType = "erModelRelationship"

const (
	properties = "erModelRelationshipProperties"
	editable   = "editableERModelRelationshipProperties"
	noun       = "relationship"

	maxPairs = 1000
	maxPath  = 4000 // bytes of a field path
	manyMany = "N_N"
)

// Service keeps relationships. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New makes a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Pair is two columns that are compared in a join.
type Pair struct{ Source, Destination string }

// Join is what a relationship says.
type Join struct {
	Name                string
	Source, Destination string // URNs of datasets, which may be the same one
	Pairs               []Pair // as before when nil, none of a new relationship
	Cardinality         string // as before when empty, N_N of a new relationship
	// Created and Creator tell when and by whom it was made where that was elsewhere. They
	// count together, and only where nothing is stored about it.
	Created int64
	Creator string
}

// Label is what people type about a relationship.
type Label struct {
	Name        *string // as before when nil, none when empty
	Description string
}

// Create makes a relationship, with a label if there is one. Its URN follows from
// the datasets and the name, so two of one name between the same datasets are one,
// whichever is the source. It needs auth.CreateERRelationship or auth.EditEntity on
// both datasets, which must exist.
func (s *Service) Create(ctx context.Context, j *Join, l *Label) (urn.URN, error) {
	if j == nil {
		return "", fault.New(fault.Malformed, "properties: must be given for a new relationship")
	}
	ends, err := s.ends(*j)
	if err != nil {
		return "", err
	}
	decided, err := s.edit.Decide(ctx, relating(ends))
	if err != nil {
		return "", err
	}
	u := identity(j.Name, ends)
	changes, err := s.changes(ctx, u, j, l)
	if err != nil {
		return "", err
	}
	if err := s.edit.MustExist(ctx, "dataset", ends...); err != nil {
		return "", err
	}
	if err := s.edit.MustBeFree(ctx, "ER model relationship", u); err != nil {
		return "", err
	}
	return u, s.edit.Create(ctx, decided, "ER model relationship", u, changes...)
}

// identity is the URN of a relationship. The hash is over the same text from which
// other programs make it.
func identity(name string, ends []urn.URN) urn.URN {
	low, high := min(ends[0], ends[1]), max(ends[0], ends[1])
	text, _ := json.Marshal(struct {
		Source              urn.URN
		Destination         urn.URN
		ERModelRelationName string
	}{low, high, name})
	sum := md5.Sum(text) //nolint:gosec // names an entity, protects nothing
	return urn.Make(EntityType, hex.EncodeToString(sum[:]))
}

// relating is the check of who may relate two datasets.
func relating(ends []urn.URN) auth.Check {
	return auth.OverEach(ends, auth.CreateERRelationship, auth.EditEntity)
}

// Update changes a relationship that exists: what it says, its label, or both. It
// needs auth.EditEntity on it, for a label alone auth.EditDocs; the right to relate
// its datasets does as well. Datasets that it did not join before take that right,
// and must exist.
func (s *Service) Update(ctx context.Context, u urn.URN, j *Join, l *Label) error {
	stored, err := s.edit.Stored(ctx, u, properties)
	if err != nil {
		return err
	}
	over := auth.Over(u, auth.EditEntity).ToWrite(properties, editable)
	if j == nil {
		over = auth.Over(u, auth.EditDocs, auth.EditEntity)
	}
	decided, err := s.decide(ctx, over, stored)
	if err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, noun, u); err != nil {
		return err
	}
	if j != nil {
		more, err := s.joinAnew(ctx, *j, stored)
		if err != nil {
			return err
		}
		decided = append(decided, more...)
	}
	changes, err := s.changes(ctx, u, j, l)
	if err != nil || len(changes) == 0 {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, changes...)
	return err
}

// Delete removes a relationship for good. It needs auth.DeleteEntity on it, or the
// right to relate its datasets.
func (s *Service) Delete(ctx context.Context, u urn.URN) error {
	stored, err := s.edit.Stored(ctx, u, properties)
	if err != nil {
		return err
	}
	decided, err := s.decide(ctx, auth.Over(u, auth.DeleteEntity), stored)
	if err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, noun, u); err != nil {
		return err
	}
	return s.edit.Delete(ctx, decided, u)
}

// decide asks for a right over a relationship, or that to relate what it joins.
func (s *Service) decide(ctx context.Context, over auth.Check, stored jsontree.Object) (auth.Decisions, error) {
	checks := []auth.Check{over}
	if ends := endsOf(stored); ends[0] != "" && ends[1] != "" {
		checks = append(checks, relating(ends))
	}
	return s.edit.DecideOne(ctx, checks...)
}

func endsOf(stored jsontree.Object) []urn.URN {
	return []urn.URN{urn.URN(jsontree.Text(stored, "source")), urn.URN(jsontree.Text(stored, "destination"))}
}

// joinAnew asks for the right over datasets that a relationship is to join from now
// on, and that they exist.
func (s *Service) joinAnew(ctx context.Context, j Join, stored jsontree.Object) (auth.Decisions, error) {
	ends, err := s.ends(j)
	if err != nil {
		return nil, err
	}
	if before := endsOf(stored); before[0] == ends[0] && before[1] == ends[1] {
		return nil, nil
	}
	decided, err := s.edit.Decide(ctx, relating(ends))
	if err != nil {
		return nil, err
	}
	return decided, s.edit.MustExist(ctx, "dataset", ends...)
}

// ends are the datasets of a join.
func (s *Service) ends(j Join) ([]urn.URN, error) {
	source, err := s.edit.Parse("properties.source", j.Source, "dataset")
	if err != nil {
		return nil, err
	}
	destination, err := s.edit.Parse("properties.destination", j.Destination, "dataset")
	if err != nil {
		return nil, err
	}
	return []urn.URN{source, destination}, nil
}

// changes are what is written of a join and of a label, as far as they are given.
func (s *Service) changes(ctx context.Context, u urn.URN, j *Join, l *Label) ([]edit.Change, error) {
	var out []edit.Change
	if j != nil {
		if err := s.check(*j); err != nil {
			return nil, err
		}
		out = append(out, edit.Change{URN: u, Aspect: properties, Apply: func(value jsontree.Object) (jsontree.Object, error) {
			return j.on(value, s.edit.Stamp(ctx)), nil
		}})
	}
	if l != nil {
		if err := l.check(); err != nil {
			return nil, err
		}
		out = append(out, edit.Change{URN: u, Aspect: editable, Apply: func(value jsontree.Object) (jsontree.Object, error) {
			return l.on(value, s.edit.Stamp(ctx)), nil
		}})
	}
	return out, nil
}

func (s *Service) check(j Join) error {
	if err := edit.Text("properties.name", j.Name, edit.MaxName, true); err != nil {
		return err
	}
	if len(j.Pairs) > maxPairs {
		return fault.New(fault.TooLarge, "properties.relationshipFieldmappings: %d entries, at most %d are allowed", len(j.Pairs), maxPairs)
	}
	for _, p := range j.Pairs {
		if err := edit.Text("properties.relationshipFieldmappings.sourceField", p.Source, maxPath, true); err != nil {
			return err
		}
		if err := edit.Text("properties.relationshipFieldmappings.destinationField", p.Destination, maxPath, true); err != nil {
			return err
		}
	}
	if j.Creator == "" {
		return nil
	}
	_, err := s.edit.Parse("properties.createdBy", j.Creator)
	return err
}

// on writes a join over what is stored; stamp is of now.
func (j *Join) on(value, stamp jsontree.Object) jsontree.Object {
	if value == nil {
		value = jsontree.Object{}
	}
	value["name"], value["source"], value["destination"] = j.Name, j.Source, j.Destination
	if j.Pairs != nil || value["relationshipFieldMappings"] == nil {
		pairs := make([]any, len(j.Pairs))
		for i, p := range j.Pairs {
			pairs[i] = jsontree.Object{"sourceField": p.Source, "destinationField": p.Destination}
		}
		value["relationshipFieldMappings"] = pairs
	}
	if j.Cardinality != "" || value["cardinality"] == nil {
		value["cardinality"] = cmp.Or(j.Cardinality, manyMany)
	}
	if value["created"] == nil {
		value["created"] = stamp
		if j.Created > 0 && j.Creator != "" {
			value["created"] = jsontree.Object{"time": j.Created, "actor": j.Creator}
		}
	}
	value["lastModified"] = stamp
	return value
}

func (l *Label) check() error {
	if l.Name != nil {
		if err := edit.Text("editableProperties.name", *l.Name, edit.MaxName, false); err != nil {
			return err
		}
	}
	return edit.Text("editableProperties.description", l.Description, edit.MaxText, false)
}

// on writes a label over what is stored; stamp is of now.
func (l *Label) on(value, stamp jsontree.Object) jsontree.Object {
	if value == nil {
		value = jsontree.Object{"created": stamp}
	}
	value["description"], value["lastModified"] = l.Description, stamp
	if l.Name != nil {
		value["name"] = *l.Name
		if *l.Name == "" {
			delete(value, "name")
		}
	}
	return value
}
