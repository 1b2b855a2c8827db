// Package form stores forms, which request missing metadata of assets from users, assigns them to
// assets, and stores the answers.
//
// An asset has the aspect forms: its open and completed forms, each with its open and answered
// questions. An answer is a value of a structured property, written together with the state of the
// form.
package form

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/property"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EntityType is the entity type of forms.
const EntityType = "form"

const (
	info = "formInfo"
	noun = "form"
)

// Kinds of forms and of their questions.
const (
	Verification   = "VERIFICATION" // a user confirms the answers
	Completion     = "COMPLETION"
	AskAsset       = "STRUCTURED_PROPERTY"
	AskColumn      = "FIELDS_STRUCTURED_PROPERTY" // of each column
	maxPrompts     = 200
	maxTitle       = edit.MaxName
	maxDescription = edit.MaxText
)

// Service stores forms. It is safe for concurrent use.
type Service struct {
	edit       *edit.Editor
	properties *property.Service
}

// New returns a Service. It stores answers with properties.
func New(e *edit.Editor, properties *property.Service) *Service { return &Service{e, properties} }

// Prompt is a question. Kind is AskAsset or AskColumn. Property is the URN of the structured
// property for the answer.
type Prompt struct {
	ID          string // a random one when empty
	Title       string
	Description *string
	Kind        string
	Property    string
	Required    bool
}

// Actors are the users that are assigned to a form.
type Actors struct {
	Owners        bool // the owners of the asset
	Users, Groups []string
	// OwnershipTypes restricts the owners to those of these types; empty means all types. With
	// types, their owners are assigned even if Owners is false.
	OwnershipTypes []string
}

// Draft describes a form to create.
type Draft struct {
	ID          string // a random one when empty
	Name        string
	Description *string
	Kind        string // Verification or Completion; Completion when empty
	Prompts     []Prompt
	Actors      *Actors // owners when nil
}

// Create creates a form, or replaces the definition of the form with the same id, since programs
// declare forms by creating them repeatedly. It requires auth.ManageForms.
func (s *Service) Create(ctx context.Context, d Draft) (urn.URN, error) {
	decided, err := s.edit.Require(ctx, auth.ManageForms)
	if err != nil {
		return "", err
	}
	if err := texts("name", &d.Name, d.Description); err != nil {
		return "", err
	}
	if d.Kind == "" {
		d.Kind = Completion
	}
	if d.Actors == nil {
		d.Actors = &Actors{Owners: true}
	}
	u, err := s.edit.NameNew(EntityType, d.ID)
	if err != nil {
		return "", err
	}
	prompts, err := s.prompts(ctx, d.Prompts)
	if err != nil {
		return "", err
	}
	actors, err := changeActors(s.edit, jsontree.Object{}, ActorChanges{Owners: &d.Actors.Owners, AddUsers: d.Actors.Users, AddGroups: d.Actors.Groups, AddOwnershipTypes: d.Actors.OwnershipTypes})
	if err != nil {
		return "", err
	}
	value := jsontree.Object{"name": d.Name, "type": d.Kind, "prompts": prompts, "actors": actors}
	if d.Description != nil {
		value["description"] = *d.Description
	}
	_, err = s.edit.Apply(ctx, decided, edit.Set(u, info, value))
	return u, err
}

func texts(input string, name, description *string) error {
	if name != nil {
		if err := edit.Text(input, *name, maxTitle, true); err != nil {
			return err
		}
	}
	return edit.OptionalText("description", description, maxDescription, false)
}

// prompts returns questions in the form of the aspect.
func (s *Service) prompts(ctx context.Context, list []Prompt) ([]any, error) {
	if len(list) > maxPrompts {
		return nil, fault.New(fault.TooLarge, "prompts: %d questions, at most %d are allowed", len(list), maxPrompts)
	}
	out := make([]any, 0, len(list))
	for _, p := range list {
		if err := texts("prompts.title", &p.Title, p.Description); err != nil {
			return nil, err
		}
		if p.Kind != AskAsset && p.Kind != AskColumn {
			return nil, fault.New(fault.Malformed, "prompts.type: %.40q is neither %s nor %s", p.Kind, AskAsset, AskColumn)
		}
		if p.Property == "" {
			return nil, fault.New(fault.Malformed, "prompts.structuredPropertyParams: a question of type %s must name the property that takes the answer", p.Kind)
		}
		asked, err := s.edit.Parse("prompts.structuredPropertyParams.urn", p.Property, property.EntityType)
		if err != nil {
			return nil, err
		}
		if err := s.edit.MustBeShown(ctx, "structured property", asked); err != nil {
			return nil, err
		}
		if p.ID == "" {
			p.ID = uuid.NewString()
		}
		o := jsontree.Object{"id": p.ID, "title": p.Title, "type": p.Kind, "required": p.Required, "structuredPropertyParams": jsontree.Object{"urn": string(asked)}}
		if p.Description != nil {
			o["description"] = *p.Description
		}
		out = append(out, o)
	}
	return out, nil
}

// ActorChanges changes the actors of a form. Nil members change nothing.
type ActorChanges struct {
	Owners                                         *bool
	AddUsers, RemoveUsers, AddGroups, RemoveGroups []string
	AddOwnershipTypes, RemoveOwnershipTypes        []string
}

// changeActors applies changes to the actors of a form.
func changeActors(e *edit.Editor, actors jsontree.Object, c ActorChanges) (jsontree.Object, error) {
	if c.Owners != nil {
		actors["owners"] = *c.Owners
	}
	for _, kind := range []struct {
		member, entity string
		add, remove    []string
	}{{"users", "corpuser", c.AddUsers, c.RemoveUsers}, {"groups", "corpGroup", c.AddGroups, c.RemoveGroups}, {"ownershipTypes", "ownershipType", c.AddOwnershipTypes, c.RemoveOwnershipTypes}} {
		add, err := e.ParseAll("actors."+kind.member, kind.add, kind.entity)
		if err != nil {
			return nil, err
		}
		list, _ := actors[kind.member].([]any)
		list = slices.DeleteFunc(slices.Clone(list), func(v any) bool {
			u, _ := v.(string)
			return slices.Contains(kind.remove, u)
		})
		for _, u := range add {
			if !slices.Contains(list, any(string(u))) {
				list = append(list, string(u))
			}
		}
		if len(list) > 0 || actors[kind.member] != nil {
			actors[kind.member] = list
		}
	}
	return actors, nil
}

// Revision changes a form. Nil members stay unchanged.
type Revision struct {
	Name, Description, Kind *string
	AddPrompts              []Prompt
	RemovePrompts           []string // ids
	Actors                  *ActorChanges
}

// Update changes an existing form. It requires auth.ManageForms. Assets with the form keep their
// answers and get the new questions. The form is stored before the first asset changes; after an
// error, another assignment completes the update.
func (s *Service) Update(ctx context.Context, u urn.URN, r Revision) error {
	decided, err := s.edit.Require(ctx, auth.ManageForms)
	if err != nil {
		return err
	}
	if err := texts("name", r.Name, r.Description); err != nil {
		return err
	}
	more, err := s.prompts(ctx, r.AddPrompts)
	if err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: info, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			return nil, fault.New(fault.Malformed, "%s does not exist: %s", noun, u)
		}
		return applyRevision(s.edit, value, r, more)
	}})
	if err != nil || len(more) == 0 {
		return err
	}
	return s.assignToFound(ctx, decided, u, s.assetsWith(u))
}

func applyRevision(e *edit.Editor, value jsontree.Object, r Revision, more []any) (jsontree.Object, error) {
	for member, text := range map[string]*string{"name": r.Name, "description": r.Description, "type": r.Kind} {
		if text != nil {
			value[member] = *text
		}
	}
	prompts, _ := value["prompts"].([]any)
	prompts = slices.DeleteFunc(slices.Clone(prompts), func(p any) bool { return slices.Contains(r.RemovePrompts, jsontree.Text(jsontree.AsObject(p), "id")) })
	if len(prompts)+len(more) > maxPrompts {
		return nil, fault.New(fault.TooLarge, "promptsToAdd: a form has at most %d questions", maxPrompts)
	}
	value["prompts"] = append(prompts, more...)
	if r.Actors == nil {
		return value, nil
	}
	actors, _ := value["actors"].(jsontree.Object)
	if actors == nil {
		actors = jsontree.Object{}
	}
	actors, err := changeActors(e, actors, *r.Actors)
	value["actors"] = actors
	return value, err
}

// Delete deletes a form permanently and removes it from all assets. It requires auth.ManageForms.
func (s *Service) Delete(ctx context.Context, u urn.URN) error {
	decided, err := s.edit.Require(ctx, auth.ManageForms)
	if err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, noun, u); err != nil {
		return err
	}
	if err := s.edit.Delete(ctx, decided, u); err != nil {
		return err
	}
	return s.removeFromAssets(ctx, decided, u)
}
