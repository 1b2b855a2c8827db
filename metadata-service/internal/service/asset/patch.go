package asset

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Patch changes single places of one aspect.
type Patch struct {
	// URN is the entity; when it is empty a new one of EntityType gets a random id.
	URN, EntityType string
	Aspect          string
	Operations      []Operation
	// Keys are the fields by which elements of arrays are addressed.
	Keys    map[string][]string
	Generic bool // addresses arrays by Keys or index even where the model has keys of its own
	System  model.SystemMetadata
	Headers map[string]string // conditions, as for the catalog
}

// Operation is one of add, remove, replace, move, copy and test. Value is a
// JSON text; what is none stands for itself as a string.
type Operation struct {
	Op, Path string
	Value    *string
	From     string
}

// Patch applies a patch to an aspect and returns the entity and its name. The name is
// empty when the aspect holds none, and when the actor may write the aspect but not
// read it.
//
// Any aspect can be named, so the catalog decides about the write as it does for REST:
// by the privilege that the entity type and the aspect need, and by the rights that the
// change itself takes.
func (s *Service) Patch(ctx context.Context, p Patch) (urn.URN, string, error) {
	u, err := s.patched(p)
	if err != nil {
		return "", "", err
	}
	if len(p.Operations) > edit.MaxTargets {
		return u, "", fault.New(fault.TooLarge, "patch: %d operations, at most %d are allowed", len(p.Operations), edit.MaxTargets)
	}
	err = s.edit.Write(ctx, nil, catalog.Proposal{
		URN: string(u), Aspect: p.Aspect, Change: model.Patch, Value: jsontree.Encode(p.document()), System: p.System, Headers: p.Headers,
	})
	if err != nil {
		return u, "", err
	}
	value, err := s.edit.Read(ctx, u, p.Aspect)
	if err != nil {
		return u, "", nil //nolint:nilerr // the patch is committed: a failed read must not report it as refused
	}
	return u, nameOf(value), nil
}

// patched is the entity of a patch.
func (s *Service) patched(p Patch) (urn.URN, error) {
	if p.URN == "" {
		if p.EntityType == "" {
			return "", fault.New(fault.Malformed, "one of urn and entityType is required")
		}
		spec, ok := s.edit.Registry.Entity(p.EntityType)
		if !ok {
			return "", fault.New(fault.Malformed, "entityType: %.100q is not known", p.EntityType)
		}
		return s.edit.Parse("entityType", string(urn.Make(spec.Name, uuid.NewString())))
	}
	u, err := s.edit.Parse("urn", p.URN)
	if err == nil && p.EntityType != "" && !strings.EqualFold(p.EntityType, u.Type()) {
		err = fault.New(fault.Malformed, "entityType: %s is no %.100s", u, p.EntityType)
	}
	return u, err
}

// document is the patch as the catalog reads it.
func (p Patch) document() jsontree.Object {
	operations := make([]any, 0, len(p.Operations))
	for _, o := range p.Operations {
		op := jsontree.Object{"op": strings.ToLower(o.Op), "path": o.Path}
		if o.From != "" {
			op["from"] = o.From
		}
		if o.Value != nil {
			op["value"] = literal(*o.Value)
		}
		operations = append(operations, op)
	}
	out := jsontree.Object{"patch": operations, "forceGenericPatch": p.Generic}
	if len(p.Keys) > 0 {
		keys := jsontree.Object{}
		for array, fields := range p.Keys {
			list := make([]any, len(fields))
			for i, f := range fields {
				list[i] = f
			}
			keys[array] = list
		}
		out["arrayPrimaryKeys"] = keys
	}
	return out
}

func literal(text string) any {
	if v, err := jsontree.Decode([]byte(text)); err == nil {
		return v
	}
	return text
}

// nameOf is the name an aspect gives its entity.
func nameOf(value jsontree.Object) string {
	for _, member := range []string{"displayName", "name", "title"} {
		if name, _ := value[member].(string); name != "" {
			return name
		}
	}
	return ""
}
