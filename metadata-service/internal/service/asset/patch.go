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

// Patch is a patch of one aspect.
type Patch struct {
	// URN is the entity. If it is empty, the patch creates an entity of EntityType with a random
	// id.
	URN, EntityType string
	Aspect          string
	Operations      []Operation
	// Keys are the members that identify elements of arrays.
	Keys       map[string][]string
	Generic    bool // address arrays by Keys or index even if the model defines keys for them
	System     model.SystemMetadata
	Conditions catalog.Conditions
}

// Operation is one of add, remove, replace, move, copy and test. Value is JSON text; other text is
// a JSON string.
type Operation struct {
	Op, Path string
	Value    *string
	From     string
}

// Patch applies a patch to an aspect and returns the entity and its name. The name is empty if the
// aspect has none, and if the actor may write the aspect but not read it.
//
// Since Patch accepts any aspect, the catalog decides about the write as for REST: by the privilege
// for the entity type and the aspect, and by the privileges for the change itself.
func (s *Service) Patch(ctx context.Context, p Patch) (urn.URN, string, error) {
	u, err := s.patchEntity(p)
	if err != nil {
		return "", "", err
	}
	if len(p.Operations) > edit.MaxTargets {
		return u, "", fault.New(fault.TooLarge, "patch: %d operations, at most %d are allowed", len(p.Operations), edit.MaxTargets)
	}
	err = s.edit.Write(ctx, nil, catalog.Proposal{
		URN: string(u), Aspect: p.Aspect, Change: model.Patch, Value: jsontree.Encode(p.document()), System: p.System, Conditions: p.Conditions,
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

// patchEntity returns the entity of a patch.
func (s *Service) patchEntity(p Patch) (urn.URN, error) {
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

// document returns the patch in the form of the catalog.
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

// nameOf returns the name in an aspect.
func nameOf(value jsontree.Object) string {
	for _, member := range []string{"displayName", "name", "title"} {
		if name, _ := value[member].(string); name != "" {
			return name
		}
	}
	return ""
}
