// Package glossary stores the business glossary: terms, nodes that group them, the hierarchy, and
// the relationships of terms. Package label assigns terms to assets.
//
// The position of an entry determines the privilege to change it: the privilege to manage all
// glossaries, that for the children of its node, or that for all descendants of a higher node.
package glossary

import (
	"context"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Entity types of the glossary.
const (
	Term = "glossaryTerm"
	Node = "glossaryNode"
)

const (
	termInfo   = "glossaryTermInfo"
	nodeInfo   = "glossaryNodeInfo"
	parentNode = "parentNode" // member of both aspects, and search field
)

// Service stores the glossary. It is safe for concurrent use.
//
// Rules of the catalog refuse two terms with one name in a node, and a node below itself.
type Service struct{ edit *edit.Editor }

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Draft describes an entry to create.
type Draft struct {
	ID          string // a random one when empty
	Name        string
	Description string
	Parent      string // URN of a node; empty for the root
}

// CreateTerm creates a term with the actor as owner. Its name must differ from those of all sibling
// terms.
func (s *Service) CreateTerm(ctx context.Context, d Draft) (urn.URN, error) {
	return s.create(ctx, Term, "Glossary Term", d)
}

// CreateNode creates a node with the actor as owner. Names need not be unique.
func (s *Service) CreateNode(ctx context.Context, d Draft) (urn.URN, error) {
	return s.create(ctx, Node, "Glossary Node", d)
}

func (s *Service) create(ctx context.Context, entityType, noun string, d Draft) (urn.URN, error) {
	parent, err := s.parseParent(d.Parent)
	if err != nil {
		return "", err
	}
	decided, err := s.MayChangeBelow(ctx, parent)
	if err != nil {
		return "", err
	}
	if err := errors.Join(edit.Text("name", d.Name, edit.MaxName, true), edit.Text("description", d.Description, edit.MaxText, false)); err != nil {
		return "", err
	}
	u, err := s.edit.NewURN(ctx, noun, entityType, d.ID)
	if err != nil {
		return "", err
	}
	if err := s.mustExist(ctx, parent); err != nil {
		return "", err
	}
	value := jsontree.Object{"name": d.Name, "definition": d.Description}
	if entityType == Term {
		value["termSource"] = "INTERNAL"
	}
	if parent != "" {
		value[parentNode] = string(parent)
	}
	return u, s.edit.Create(ctx, decided, noun, u, append(s.edit.Creator(ctx, u), edit.Set(u, infoOf(u), value))...)
}

// AtRoot returns the search condition for entries without a node.
func AtRoot() search.Criterion { return edit.Level{Field: parentNode}.Filter() }

func infoOf(u urn.URN) string {
	if u.Type() == Term {
		return termInfo
	}
	return nodeInfo
}

func (s *Service) parseParent(text string) (urn.URN, error) {
	if text == "" {
		return "", nil
	}
	return s.edit.Parse(parentNode, text, Node)
}

// mustExist returns an error if the parent does not exist.
func (s *Service) mustExist(ctx context.Context, parent urn.URN) error {
	if parent == "" {
		return nil
	}
	return s.edit.MustBeShown(ctx, parentNode, parent)
}

// Move moves an entry below another node, or to the root if the parent is empty. It requires the
// privilege to change both places. An entry that view authorization hides counts as absent.
func (s *Service) Move(ctx context.Context, u urn.URN, to string) error {
	parent, err := s.parseParent(to)
	if err != nil {
		return err
	}
	decided, err := s.MayEdit(ctx, u)
	if err != nil {
		return err
	}
	if _, err := s.MayChangeBelow(ctx, parent); err != nil {
		return err
	}
	// Actors that may view the new place may also view its content, so a hidden entry must not be
	// moved.
	if err := s.edit.MustBeShown(ctx, "glossary entity", u); err != nil {
		return err
	}
	if err := s.mustExist(ctx, parent); err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: infoOf(u), Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			value = minimalInfo(u)
		}
		value[parentNode] = string(parent)
		if parent == "" {
			delete(value, parentNode)
		}
		return value, nil
	}})
	return err
}

// minimalInfo returns the minimal aspect of an entry that has only a key.
func minimalInfo(u urn.URN) jsontree.Object {
	value := jsontree.Object{"name": u.Key(), "definition": ""}
	if u.Type() == Term {
		value["termSource"] = "INTERNAL"
	}
	return value
}

// Delete deletes an entry permanently, with the references to it. Entries below it move to the
// root.
func (s *Service) Delete(ctx context.Context, u urn.URN) error {
	decided, err := s.MayEdit(ctx, u)
	if err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, "glossary entity", u); err != nil {
		return err
	}
	return s.edit.Delete(ctx, decided, u)
}

// MayEdit decides whether the actor may change a term or node, based on its position. Refusals are
// fault.Forbidden; an entity of another type is fault.Malformed.
func (s *Service) MayEdit(ctx context.Context, u urn.URN) (auth.Decisions, error) {
	if u.Type() != Term && u.Type() != Node {
		return nil, fault.New(fault.Malformed, "%s is neither a glossary term nor a glossary node", u)
	}
	parent, err := s.edit.ParentOf(ctx, u)
	if err != nil {
		return nil, err
	}
	return s.MayChangeBelow(ctx, parent)
}

// MayChangeBelow decides whether the actor may change the direct children of a node, or the root
// entries if parent is empty. Refusals are fault.Forbidden.
func (s *Service) MayChangeBelow(ctx context.Context, parent urn.URN) (auth.Decisions, error) {
	alternatives := []auth.Check{auth.ForPlatform(auth.ManageGlossaries)}
	if parent != "" {
		alternatives = append(alternatives, auth.Over(parent, auth.ManageGlossaryChildren, auth.ManageGlossaryBelow))
		above, err := s.edit.Above(ctx, parent)
		if err != nil {
			return nil, err
		}
		if len(above) > 0 {
			alternatives = append(alternatives, auth.OverOne(above, auth.ManageGlossaryBelow))
		}
	}
	return s.edit.DecideOne(ctx, alternatives...)
}
