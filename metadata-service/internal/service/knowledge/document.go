// Package knowledge stores the documents of the knowledge base: texts about assets, written by
// users and programs. Documents form a hierarchy.
//
// Each change of any part of a document updates the stamp of its last change in documentInfo. A
// rule of the catalog refuses a document below itself.
package knowledge

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/owner"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EntityType is the entity type of documents.
const EntityType = "document"

// States of documents.
const (
	Published   = "PUBLISHED"
	Unpublished = "UNPUBLISHED"
)

const (
	info           = "documentInfo"
	settings       = "documentSettings"
	subTypes       = "subTypes"
	status         = "status"
	removedMember  = "removed"             // member of the status
	shownField     = "showInGlobalContext" // member of the settings, and search field
	parentDocument = "parentDocument"      // member of the info, and search field
	maxTitle       = edit.MaxName
)

// Service stores documents. It is safe for concurrent use.
type Service struct {
	edit   *edit.Editor
	owners *owner.Service
}

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e, owner.New(e)} }

// Draft describes a document to create.
type Draft struct {
	ID                              string // a random one when empty
	Title, SubType, Text            string
	State                           string        // Unpublished when empty
	Parent                          string        // URN of a document; empty for the top level
	Owners                          []owner.Owner // the actor when empty
	RelatedAssets, RelatedDocuments []string
	Shown                           *bool // in the global context; true when nil
}

// Create creates a document. It requires auth.CreateEntity on it or auth.ManageDocuments.
func (s *Service) Create(ctx context.Context, d Draft) (urn.URN, error) {
	if _, err := edit.Actor(ctx); err != nil {
		return "", err
	}
	value, err := s.value(ctx, d)
	if err != nil {
		return "", err
	}
	u, err := s.edit.NameNew(EntityType, d.ID)
	if err != nil {
		return "", err
	}
	decided, err := s.mayCreate(ctx, u)
	if err != nil {
		return "", err
	}
	if err := s.edit.MustBeFree(ctx, "Document", u); err != nil {
		return "", err
	}
	if err := s.placeBelow(ctx, value, d.Parent); err != nil {
		return "", err
	}
	changes := []edit.Change{
		edit.Set(u, info, value),
		edit.Set(u, settings, jsontree.Object{shownField: d.Shown == nil || *d.Shown, "lastModified": s.edit.Stamp(ctx)}),
	}
	if d.SubType != "" {
		changes = append(changes, edit.Set(u, subTypes, jsontree.Object{"typeNames": []any{d.SubType}}))
	}
	ownership, err := s.ownership(ctx, u, d.Owners)
	if err != nil {
		return "", err
	}
	return u, s.edit.Create(ctx, decided, "Document", u, append(changes, ownership...)...)
}

func (s *Service) mayCreate(ctx context.Context, u urn.URN) (auth.Decisions, error) {
	return s.edit.DecideOne(ctx, auth.Over(u, auth.CreateEntity).OfCaller(), auth.ForPlatform(auth.ManageDocuments))
}

// value returns the info of a draft, without its parent.
func (s *Service) value(ctx context.Context, d Draft) (jsontree.Object, error) {
	if err := checkTexts(&d.Title, &d.Text, &d.SubType); err != nil {
		return nil, err
	}
	state, err := parseState(d.State)
	if err != nil {
		return nil, err
	}
	value := jsontree.Object{
		"source": jsontree.Object{"sourceType": "NATIVE"}, "status": jsontree.Object{"state": state}, "contents": jsontree.Object{"text": d.Text},
		"created": s.edit.Stamp(ctx), "lastModified": s.edit.Stamp(ctx),
	}
	if d.Title != "" {
		value["title"] = d.Title
	}
	return value, s.relate(value, listOf(d.RelatedAssets), listOf(d.RelatedDocuments))
}

func listOf(list []string) *[]string {
	if len(list) == 0 {
		return nil
	}
	return &list
}

func parseState(state string) (string, error) {
	switch state {
	case "":
		return Unpublished, nil
	case Published, Unpublished:
		return state, nil
	}
	return "", fault.New(fault.Malformed, "state: %.60q is neither %s nor %s", state, Published, Unpublished)
}

// checkTexts checks texts against their limits; nil texts are not set.
func checkTexts(title, text, subType *string) error {
	for _, t := range []struct {
		name  string
		text  *string
		limit int
	}{{"title", title, maxTitle}, {"contents.text", text, edit.MaxText}, {"subType", subType, edit.MaxName}} {
		if t.text == nil {
			continue
		}
		if err := edit.Text(t.name, *t.text, t.limit, false); err != nil {
			return err
		}
	}
	return nil
}

// ownership returns the changes that set the given owners of a new document, or the actor as owner.
func (s *Service) ownership(ctx context.Context, u urn.URN, owners []owner.Owner) ([]edit.Change, error) {
	if len(owners) == 0 {
		return s.edit.Creator(ctx, u), nil
	}
	typed := make([]owner.Owner, len(owners))
	for i, o := range owners {
		if o.Type == "" && o.TypeURN == "" {
			o.Type = "NONE"
		}
		typed[i] = o
	}
	value, err := s.owners.Aspect(ctx, typed)
	if err != nil {
		return nil, err
	}
	return []edit.Change{edit.Set(u, "ownership", value)}, nil
}

// placeBelow sets the parent in an info, or removes it if parent is empty.
func (s *Service) placeBelow(ctx context.Context, value jsontree.Object, parent string) error {
	if parent == "" {
		delete(value, parentDocument)
		return nil
	}
	u, err := s.edit.Parse(parentDocument, parent, EntityType)
	if err != nil {
		return err
	}
	if err := s.edit.MustBeShown(ctx, parentDocument, u); err != nil {
		return err
	}
	value[parentDocument] = jsontree.Object{"document": string(u)}
	return nil
}

// relate replaces the lists that are not nil; an empty list removes all entries.
func (s *Service) relate(value jsontree.Object, assets, documents *[]string) error {
	for _, list := range []struct {
		name, member string
		given        *[]string
		types        []string
	}{{"relatedAssets", "asset", assets, nil}, {"relatedDocuments", "document", documents, []string{EntityType}}} {
		if list.given == nil {
			continue
		}
		urns, err := s.edit.ParseAll(list.name, *list.given, list.types...)
		if err != nil {
			return err
		}
		entries, seen := []any{}, map[urn.URN]bool{}
		for _, u := range urns {
			if !seen[u] {
				entries = append(entries, jsontree.Object{list.member: string(u)})
			}
			seen[u] = true
		}
		value[list.name] = entries
	}
	return nil
}

// Contents are the changes of UpdateContents; nil members stay unchanged.
type Contents struct{ Title, Text, SubType *string }

// UpdateContents changes title, text and sub-type. Like all updates of this package it requires
// auth.EditDocs or auth.EditEntity on the document, or auth.ManageDocuments.
func (s *Service) UpdateContents(ctx context.Context, document string, c Contents) error {
	return s.updateContents(ctx, document, c)
}

func (s *Service) updateContents(ctx context.Context, document string, c Contents, more ...change) error {
	if err := checkTexts(c.Title, c.Text, c.SubType); err != nil {
		return err
	}
	if c.SubType != nil {
		more = append(more, subTypeChange(*c.SubType))
	}
	return s.update(ctx, document, func(value jsontree.Object) error {
		if c.Title != nil {
			value["title"] = *c.Title
		}
		if c.Text != nil {
			value["contents"] = jsontree.Object{"text": *c.Text}
		}
		return nil
	}, more...)
}

// UpdateRelated replaces the related assets and documents; nil lists stay unchanged.
func (s *Service) UpdateRelated(ctx context.Context, document string, assets, documents *[]string) error {
	return s.update(ctx, document, func(value jsontree.Object) error { return s.relate(value, assets, documents) })
}

// Move moves a document below another one, or to the top level if the parent is empty.
func (s *Service) Move(ctx context.Context, document, parent string) error {
	return s.update(ctx, document, func(value jsontree.Object) error { return s.placeBelow(ctx, value, parent) })
}

// SetState publishes or withdraws a document.
func (s *Service) SetState(ctx context.Context, document, state string) error {
	state, err := parseState(state)
	if err != nil {
		return err
	}
	return s.update(ctx, document, func(value jsontree.Object) error {
		value["status"] = jsontree.Object{"state": state}
		return nil
	})
}

// SetSubType sets the sub-type of a document, or removes it if it is empty.
func (s *Service) SetSubType(ctx context.Context, document, subType string) error {
	if err := checkTexts(nil, nil, &subType); err != nil {
		return err
	}
	return s.update(ctx, document, noChange, subTypeChange(subType))
}

// SetShown sets whether general lists and searches show a document.
func (s *Service) SetShown(ctx context.Context, document string, on bool) error {
	stamp := s.edit.Stamp(ctx)
	return s.update(ctx, document, noChange, change{settings, func(jsontree.Object) jsontree.Object {
		return jsontree.Object{shownField: on, "lastModified": stamp}
	}})
}

// Delete soft-deletes a document. It requires auth.DeleteEntity on it or auth.ManageDocuments.
func (s *Service) Delete(ctx context.Context, document string) error {
	u, err := s.edit.Parse("urn", document, EntityType)
	if err != nil {
		return err
	}
	decided, err := s.mayDelete(ctx, u)
	if err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, "document", u); err != nil {
		return err
	}
	mark := removalChange(true)
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: mark.aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		return mark.apply(value), nil
	}})
	return err
}

// mayDelete decides whether the actor may soft-delete or restore a document.
func (s *Service) mayDelete(ctx context.Context, u urn.URN) (auth.Decisions, error) {
	return s.edit.DecideOne(ctx, auth.Over(u, auth.DeleteEntity), auth.ForPlatform(auth.ManageDocuments))
}

// change is the change of an aspect other than the info.
type change struct {
	aspect string
	apply  func(value jsontree.Object) jsontree.Object
}

func subTypeChange(subType string) change {
	return change{subTypes, func(jsontree.Object) jsontree.Object {
		names := []any{}
		if subType != "" {
			names = []any{subType}
		}
		return jsontree.Object{"typeNames": names}
	}}
}

// removalChange returns the change that soft-deletes or restores a document.
func removalChange(gone bool) change {
	return change{status, func(value jsontree.Object) jsontree.Object {
		return jsontree.With(value, jsontree.Object{removedMember: gone})
	}}
}

func noChange(jsontree.Object) error { return nil }

// update changes the info of an existing document, together with other aspects, and updates its
// stamp. It requires auth.EditDocs or auth.EditEntity on the document, or auth.ManageDocuments.
func (s *Service) update(ctx context.Context, document string, apply func(value jsontree.Object) error, more ...change) error {
	u, err := s.edit.Parse("urn", document, EntityType)
	if err != nil {
		return err
	}
	aspects := []string{info}
	for _, c := range more {
		aspects = append(aspects, c.aspect)
	}
	decided, err := s.edit.DecideOne(ctx, auth.Over(u, auth.EditDocs, auth.EditEntity).ToWrite(aspects...), auth.ForPlatform(auth.ManageDocuments))
	if err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, "document", u); err != nil {
		return err
	}
	changes := []edit.Change{{URN: u, Aspect: info, OfEntity: true, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			return nil, fault.New(fault.Malformed, "%s has no %s to change", u, info)
		}
		value["lastModified"] = s.edit.Stamp(ctx)
		return value, apply(value)
	}}}
	for _, c := range more {
		changes = append(changes, edit.Change{URN: u, Aspect: c.aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
			return c.apply(value), nil
		}})
	}
	_, err = s.edit.Apply(ctx, decided, changes...)
	return err
}
