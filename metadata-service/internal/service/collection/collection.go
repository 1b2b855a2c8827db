// Package collection stores named groups of assets: data products and applications. Both have a
// name and a description, can form a hierarchy and can be in a domain.
//
// A data product lists its assets. For filters, each asset mirrors the list in the aspect
// dataProducts, if its type has that aspect. Both are written together. An asset may be in several
// data products.
//
// An application is listed by its assets. An asset may be in several applications.
package collection

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Draft describes a collection to create.
type Draft struct {
	ID          string // a random one when empty
	Name        string
	Description *string
	Domain      string // none when empty; data products require one
	Parent      string // another collection of the same type, none when empty
	Owned       bool   // the actor becomes the owner; data products always get it as owner
}

// Revision changes a collection. Nil members stay unchanged. An empty Parent removes the parent.
type Revision struct{ Name, Description, Parent *string }

// kind holds the operations that all types of collections share.
type kind struct {
	edit         *edit.Editor
	entityType   string
	noun, title  string // in messages; title is for those about new collections
	properties   string // aspect with name, description and parent
	parentMember string // of properties
	// membership is the privilege to change the collections of an asset.
	membership auth.Privilege
}

// parent parses the parent of a collection, which must exist. Without a text there is none.
func (k *kind) parent(ctx context.Context, text string) (urn.URN, error) {
	if text == "" {
		return "", nil
	}
	parent, err := k.edit.Parse(k.parentMember, text, k.entityType)
	if err != nil {
		return "", err
	}
	return parent, k.edit.MustBeShown(ctx, "parent "+k.noun, parent)
}

// create writes a collection with a parsed parent and domain, which may be empty.
func (k *kind) create(ctx context.Context, decided auth.Decisions, u urn.URN, d Draft, parent, domain urn.URN) error {
	value := jsontree.Object{"name": d.Name}
	if d.Description != nil {
		value["description"] = *d.Description
	}
	if parent != "" {
		value[k.parentMember] = string(parent)
	}
	changes := []edit.Change{edit.Set(u, k.properties, value)}
	if domain != "" {
		changes = append(changes, edit.Set(u, "domains", jsontree.Object{"domains": []any{string(domain)}}))
	}
	if d.Owned {
		changes = append(changes, k.edit.Creator(ctx, u)...)
	}
	return k.edit.Create(ctx, decided, k.title, u, changes...)
}

// update changes an existing collection. checkParent checks a new parent.
func (k *kind) update(ctx context.Context, decided auth.Decisions, u urn.URN, r Revision, checkParent func(text string) error) error {
	if err := edit.NameAndDescription(r.Name, r.Description); err != nil {
		return err
	}
	if err := k.edit.MustExist(ctx, k.noun, u); err != nil {
		return err
	}
	if r.Parent != nil && *r.Parent != "" {
		if err := checkParent(*r.Parent); err != nil {
			return err
		}
	}
	_, err := k.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: k.properties, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			value = jsontree.Object{}
		}
		for member, text := range map[string]*string{"name": r.Name, "description": r.Description, k.parentMember: r.Parent} {
			if text != nil {
				value[member] = *text
			}
		}
		if value[k.parentMember] == "" {
			delete(value, k.parentMember)
		}
		return value, nil
	}})
	return err
}

// delete deletes an existing collection permanently.
func (k *kind) delete(ctx context.Context, decided auth.Decisions, u urn.URN) error {
	if err := k.edit.MustExist(ctx, k.noun, u); err != nil {
		return err
	}
	return k.edit.Delete(ctx, decided, u)
}

// assets parses the URNs of assets and decides the privilege to change their membership.
func (k *kind) assets(ctx context.Context, list []string) ([]urn.URN, auth.Decisions, error) {
	urns, err := k.edit.ParseAll("resourceUrns", list)
	if err != nil {
		return nil, nil, err
	}
	decided, err := k.edit.RequireEach(ctx, urns, k.membership, auth.EditEntity)
	return urns, decided, err
}
