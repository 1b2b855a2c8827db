package asset

import (
	"context"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// place is the location of an editable text in an entity type.
type place struct {
	aspect string
	member string
	base   jsontree.Object // initial value of an absent aspect; nil if it must exist
	// stamped is set if the aspect records its last change.
	stamped bool
}

// descriptionPlace returns the place of the description of an entity.
func descriptionPlace(u urn.URN) (place, bool) {
	empty := jsontree.Object{}
	named := jsontree.Object{"name": u.Key()}
	switch u.Type() {
	case dataset:
		return place{"editableDatasetProperties", "description", empty, true}, true
	case "notebook":
		return place{"editableNotebookProperties", "description", empty, true}, true
	case "container":
		return place{"editableContainerProperties", "description", empty, false}, true
	case "tag":
		return place{"tagProperties", "description", named, false}, true
	case domain:
		return place{"domainProperties", "description", named, false}, true
	case term:
		return place{"glossaryTermInfo", "definition", jsontree.Object{"definition": "", "termSource": "INTERNAL"}, false}, true
	case node:
		return place{"glossaryNodeInfo", "definition", jsontree.Object{"definition": ""}, false}, true
	case group:
		return place{"corpGroupEditableInfo", "description", empty, false}, true
	case "mlModel":
		return place{"editableMlModelProperties", "description", empty, false}, true
	case "mlModelGroup":
		return place{"editableMlModelGroupProperties", "description", empty, false}, true
	case "mlFeatureTable":
		return place{"editableMlFeatureTableProperties", "description", empty, false}, true
	case "mlFeature":
		return place{"editableMlFeatureProperties", "description", empty, false}, true
	case "mlPrimaryKey":
		return place{"editableMlPrimaryKeyProperties", "description", empty, false}, true
	case dataProduct:
		return place{"dataProductProperties", "description", empty, false}, true
	case "application":
		return place{"applicationProperties", "description", empty, false}, true
	case businessAttribute:
		return place{"businessAttributeInfo", "description", nil, false}, true
	}
	return place{}, false
}

// Describe sets the description of an entity, or of a column of a dataset. It requires
// auth.EditDocs, or auth.EditColumnDocs for a column; for terms and nodes the privilege for that
// part of the glossary suffices. The entity must exist.
func (s *Service) Describe(ctx context.Context, resource string, column Column, description string) error {
	u, err := s.edit.Parse("resourceUrn", resource)
	if err != nil {
		return err
	}
	decided, err := s.mayDescribe(ctx, u, column)
	if err != nil {
		return err
	}
	if err := edit.Text("description", description, edit.MaxText, false); err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, "resource", u); err != nil {
		return err
	}
	if err := column.check(ctx, s.edit, u); err != nil {
		return err
	}
	change, err := s.description(ctx, u, column, description)
	if err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, change)
	return err
}

func (s *Service) mayDescribe(ctx context.Context, u urn.URN, column Column) (auth.Decisions, error) {
	privilege := auth.EditDocs
	if column.Path != "" {
		privilege = auth.EditColumnDocs
	}
	decided, err := s.edit.RequireOver(ctx, u, privilege, auth.EditEntity)
	if errors.Is(err, fault.Forbidden) && (u.Type() == term || u.Type() == node) {
		at, _ := descriptionPlace(u)
		return s.mayWriteByType(ctx, u, at.aspect)
	}
	return decided, err
}

func (s *Service) description(ctx context.Context, u urn.URN, column Column, text string) (edit.Change, error) {
	if column.Path != "" {
		return edit.ColumnChange(ctx, s.edit, u, column.Path, func(entry jsontree.Object) { entry["description"] = text }), nil
	}
	if u.Type() == "document" {
		return amend(u, "documentInfo", nil, func(value jsontree.Object) error {
			value["contents"] = jsontree.Object{"text": text}
			value["lastModified"] = s.edit.Stamp(ctx)
			return nil
		}), nil
	}
	at, ok := descriptionPlace(u)
	if !ok {
		return edit.Change{}, fault.New(fault.Malformed, "Unsupported resource type: the description of %s is changed with the update of its type", u)
	}
	return s.write(ctx, u, at, func(value jsontree.Object) error {
		value[at.member] = text
		return nil
	}), nil
}

// write returns a change of an edited aspect, with its stamps.
func (s *Service) write(ctx context.Context, u urn.URN, at place, apply func(value jsontree.Object) error) edit.Change {
	return amend(u, at.aspect, at.base, func(value jsontree.Object) error {
		if at.stamped {
			if value["created"] == nil {
				value["created"] = s.edit.Stamp(ctx)
			}
			value["lastModified"] = s.edit.Stamp(ctx)
		}
		return apply(value)
	})
}
