// Package businessattribute stores business attributes, which define the meaning of many columns in
// one place, and assigns them to columns.
package businessattribute

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EntityType is the entity type of business attributes.
const EntityType = "businessAttribute"

const (
	info             = "businessAttributeInfo"
	assignmentAspect = "businessAttributes"
	columnType       = model.ColumnType
	noun             = "business attribute"
)

// Service stores business attributes. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Draft describes a business attribute to create. Type is the type of values in its columns, such
// as STRING; empty if unspecified.
type Draft struct {
	ID          string // a random one when empty
	Name        string
	Description *string
	Type        string
}

// Create creates a business attribute with the actor as owner. It requires
// auth.CreateBusinessAttribute or auth.ManageBusinessAttribute. A name that is in use is
// fault.Conflict.
func (s *Service) Create(ctx context.Context, d Draft) (urn.URN, error) {
	decided, err := s.edit.DecideOne(ctx, auth.ForPlatform(auth.CreateBusinessAttribute), auth.ForPlatform(auth.ManageBusinessAttribute))
	if err != nil {
		return "", err
	}
	if err := edit.NameAndDescription(&d.Name, d.Description); err != nil {
		return "", err
	}
	u, err := s.edit.NewURN(ctx, "Business Attribute", EntityType, d.ID)
	if err != nil {
		return "", err
	}
	value := jsontree.Object{"fieldPath": u.Key(), "name": d.Name, "created": s.edit.Stamp(ctx), "lastModified": s.edit.Stamp(ctx)}
	if d.Description != nil {
		value["description"] = *d.Description
	}
	if err := setType(value, d.Type); err != nil {
		return "", err
	}
	return u, s.edit.Create(ctx, decided, "Business Attribute", u, append(s.edit.Creator(ctx, u), edit.Set(u, info, value))...)
}

// typeRecords maps the types of values to their names in the model.
func typeRecords() map[string]string {
	return map[string]string{
		"BOOLEAN": "BooleanType", "FIXED": "FixedType", "STRING": "StringType", "BYTES": "BytesType", "NUMBER": "NumberType", "DATE": "DateType",
		"TIME": "TimeType", "ENUM": "EnumType", "NULL": "NullType", "MAP": "MapType", "ARRAY": "ArrayType", "UNION": "UnionType", "STRUCT": "RecordType",
	}
}

func setType(value jsontree.Object, kind string) error {
	if kind == "" {
		return nil
	}
	record, ok := typeRecords()[kind]
	if !ok {
		return fault.New(fault.Malformed, "type: %.40q is no type of columns", kind)
	}
	value["type"] = jsontree.Object{"type": jsontree.Object{"com.linkedin.schema." + record: jsontree.Object{}}}
	return nil
}

// Revision changes a business attribute. Nil members stay unchanged.
type Revision struct {
	Name, Description, Type *string
}

// Update changes an existing business attribute. It requires auth.ManageBusinessAttribute. A name
// that is in use is fault.Conflict.
func (s *Service) Update(ctx context.Context, u urn.URN, r Revision) error {
	decided, err := s.edit.Require(ctx, auth.ManageBusinessAttribute)
	if err != nil {
		return err
	}
	if err := edit.NameAndDescription(r.Name, r.Description); err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, noun, u); err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: info, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			value = jsontree.Object{"fieldPath": u.Key(), "name": u.Key(), "created": s.edit.Stamp(ctx)}
		}
		if r.Name != nil {
			value["name"] = *r.Name
		}
		if r.Description != nil {
			value["description"] = *r.Description
		}
		value["lastModified"] = s.edit.Stamp(ctx)
		if r.Type == nil {
			return value, nil
		}
		return value, setType(value, *r.Type)
	}})
	return err
}

// Delete deletes a business attribute permanently and removes it from all columns. It requires
// auth.ManageBusinessAttribute.
func (s *Service) Delete(ctx context.Context, u urn.URN) error {
	decided, err := s.edit.Require(ctx, auth.ManageBusinessAttribute)
	if err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, noun, u); err != nil {
		return err
	}
	return s.edit.Delete(ctx, decided, u)
}

// Target is a column: its own URN, or the URN of its dataset with the path of the column.
type Target struct{ URN, Column string }

// Assign assigns a business attribute to columns, in place of their previous ones. It requires
// auth.EditColumnAttribute on the datasets, which must exist.
func (s *Service) Assign(ctx context.Context, attribute urn.URN, targets []Target) error {
	if err := s.edit.MustBeShown(ctx, noun, attribute); err != nil {
		return err
	}
	return s.change(ctx, targets, func(value jsontree.Object) jsontree.Object {
		if attributeOf(value) == string(attribute) {
			return nil
		}
		return jsontree.Object{"businessAttribute": jsontree.Object{"businessAttributeUrn": string(attribute)}}
	})
}

// Unassign removes a business attribute from columns. Columns with another attribute keep it. It
// requires auth.EditColumnAttribute on the datasets.
func (s *Service) Unassign(ctx context.Context, attribute urn.URN, targets []Target) error {
	return s.change(ctx, targets, func(value jsontree.Object) jsontree.Object {
		if attributeOf(value) != string(attribute) {
			return nil
		}
		return jsontree.Object{}
	})
}

func attributeOf(value jsontree.Object) any {
	association, _ := value["businessAttribute"].(jsontree.Object)
	return association["businessAttributeUrn"]
}

func (s *Service) change(ctx context.Context, targets []Target, apply func(value jsontree.Object) jsontree.Object) error {
	if len(targets) > edit.MaxTargets {
		return fault.New(fault.TooLarge, "resourceUrn: %d entries, at most %d are allowed", len(targets), edit.MaxTargets)
	}
	changes := make([]edit.Change, 0, len(targets))
	var decided auth.Decisions
	for _, t := range targets {
		column, may, err := s.column(ctx, t)
		if err != nil {
			return err
		}
		decided = append(decided, may...)
		changes = append(changes, edit.Change{URN: column, Aspect: assignmentAspect, Apply: func(value jsontree.Object) (jsontree.Object, error) { return apply(value), nil }})
	}
	if len(changes) == 0 {
		return nil
	}
	_, err := s.edit.Apply(ctx, decided, changes...)
	return err
}

// column returns the URN of a column, after deciding that the actor may change its attribute.
func (s *Service) column(ctx context.Context, t Target) (urn.URN, auth.Decisions, error) {
	u, err := s.edit.Parse("resourceUrn", t.URN, columnType, "dataset")
	if err != nil {
		return "", nil, err
	}
	switch {
	case u.Type() == columnType && t.Column != "":
		return "", nil, fault.New(fault.Malformed, "subResource: %s is a column already", u)
	case u.Type() != columnType && t.Column == "":
		return "", nil, fault.New(fault.Malformed, "subResource: business attributes are for columns; name one of %s", u)
	case u.Type() != columnType:
		if u, err = s.edit.Parse("subResource", string(model.ColumnURN(u, t.Column)), columnType); err != nil {
			return "", nil, err
		}
	}
	dataset := model.ParentOfColumn(u)
	// A privilege on the column itself also suffices.
	decided, err := s.edit.DecideOne(ctx, auth.Over(dataset, auth.EditColumnAttribute, auth.EditEntity), auth.Over(u, auth.EditEntity))
	if err != nil {
		return "", nil, err
	}
	return u, decided, s.edit.MustExist(ctx, "dataset", dataset)
}
