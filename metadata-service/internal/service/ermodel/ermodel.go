// Package ermodel stores relationships of an entity-relationship model: the columns that join two
// datasets, and the cardinality.
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

// Service stores relationships. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Pair is a pair of columns that a join compares.
type Pair struct{ Source, Destination string }

// Join describes a relationship.
type Join struct {
	Name                string
	Source, Destination string // URNs of datasets, which may be equal
	Pairs               []Pair // nil keeps the stored ones, or means none for a new relationship
	Cardinality         string // empty keeps the stored one, or means N_N for a new relationship
	// Created and Creator are the time and actor of a creation in another system. Both must be set,
	// and they apply only if no creation is stored.
	Created int64
	Creator string
}

// Label holds the edited name and description of a relationship.
type Label struct {
	Name        *string // nil keeps the stored one; empty removes it
	Description string
}

// Create creates a relationship, with an optional label. Its URN derives from the datasets and the
// name, so two relationships with one name between the same datasets are the same, in either
// direction. It requires auth.CreateERRelationship or auth.EditEntity on both datasets, which must
// exist.
func (s *Service) Create(ctx context.Context, j *Join, l *Label) (urn.URN, error) {
	if j == nil {
		return "", fault.New(fault.Malformed, "properties: must be given for a new relationship")
	}
	ends, err := s.ends(*j)
	if err != nil {
		return "", err
	}
	decided, err := s.edit.Decide(ctx, relateCheck(ends))
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

// identity returns the URN of a relationship. The hash covers the same text as in other programs.
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

// relateCheck returns the check of the privilege to relate two datasets.
func relateCheck(ends []urn.URN) auth.Check {
	return auth.OverEach(ends, auth.CreateERRelationship, auth.EditEntity)
}

// Update changes an existing relationship: its join, its label, or both. It requires
// auth.EditEntity on it, or auth.EditDocs for a label alone; the privilege to relate its datasets
// also suffices. If the datasets change, it requires that privilege on the new ones, which must
// exist.
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
		more, err := s.mayRejoin(ctx, *j, stored)
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

// Delete deletes a relationship permanently. It requires auth.DeleteEntity on it, or the privilege
// to relate its datasets.
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

// decide decides a privilege on a relationship, or the privilege to relate its datasets.
func (s *Service) decide(ctx context.Context, over auth.Check, stored jsontree.Object) (auth.Decisions, error) {
	checks := []auth.Check{over}
	if ends := endsOf(stored); ends[0] != "" && ends[1] != "" {
		checks = append(checks, relateCheck(ends))
	}
	return s.edit.DecideOne(ctx, checks...)
}

func endsOf(stored jsontree.Object) []urn.URN {
	return []urn.URN{urn.URN(jsontree.Text(stored, "source")), urn.URN(jsontree.Text(stored, "destination"))}
}

// mayRejoin decides the privilege on the new datasets of a relationship, and checks that they
// exist. It does nothing if the datasets are unchanged.
func (s *Service) mayRejoin(ctx context.Context, j Join, stored jsontree.Object) (auth.Decisions, error) {
	ends, err := s.ends(j)
	if err != nil {
		return nil, err
	}
	if before := endsOf(stored); before[0] == ends[0] && before[1] == ends[1] {
		return nil, nil
	}
	decided, err := s.edit.Decide(ctx, relateCheck(ends))
	if err != nil {
		return nil, err
	}
	return decided, s.edit.MustExist(ctx, "dataset", ends...)
}

// ends returns the datasets of a join.
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

// changes returns the changes for a join and a label, as far as they are given.
func (s *Service) changes(ctx context.Context, u urn.URN, j *Join, l *Label) ([]edit.Change, error) {
	var out []edit.Change
	if j != nil {
		if err := s.check(*j); err != nil {
			return nil, err
		}
		out = append(out, edit.Change{URN: u, Aspect: properties, Apply: func(value jsontree.Object) (jsontree.Object, error) {
			return j.applyTo(value, s.edit.Stamp(ctx)), nil
		}})
	}
	if l != nil {
		if err := l.check(); err != nil {
			return nil, err
		}
		out = append(out, edit.Change{URN: u, Aspect: editable, Apply: func(value jsontree.Object) (jsontree.Object, error) {
			return l.applyTo(value, s.edit.Stamp(ctx)), nil
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

// applyTo applies a join to the stored value; stamp is the current time and actor.
func (j *Join) applyTo(value, stamp jsontree.Object) jsontree.Object {
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
	if err := edit.OptionalText("editableProperties.name", l.Name, edit.MaxName, false); err != nil {
		return err
	}
	return edit.Text("editableProperties.description", l.Description, edit.MaxText, false)
}

// applyTo applies a label to the stored value; stamp is the current time and actor.
func (l *Label) applyTo(value, stamp jsontree.Object) jsontree.Object {
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
