package graphql

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Computed fields with a value from the record, in a form that differs from the model.

// Exists reports whether the entity has any stored aspect.
func (a *api) Exists(_ context.Context, _ *loader, at place, _ *set) (*bool, error) {
	return ptr(at.Entity != nil && at.Entity.Exists), nil
}

// typeNames maps record names of the model to the names of column types in the schema.
var typeNames = map[string]string{
	"BooleanType": "BOOLEAN", "FixedType": "FIXED", "StringType": "STRING", "BytesType": "BYTES", "NumberType": "NUMBER",
	"DateType": "DATE", "TimeType": "TIME", "EnumType": "ENUM", "NullType": "NULL", "ArrayType": "ARRAY", "MapType": "MAP",
	"RecordType": "STRUCT", "UnionType": "UNION",
}

// SchemaFieldType is the type of a column, NULL when it is unknown.
func (a *api) SchemaFieldType(_ context.Context, _ *loader, at place, _ *set) (string, error) {
	if name := columnType(at.Record); name != "" {
		return name, nil
	}
	return "NULL", nil
}

// FieldType is the type of a column, nil when it is unknown.
func (a *api) FieldType(_ context.Context, _ *loader, at place, _ *set) (*string, error) {
	return nilIfZero(columnType(at.Record)), nil
}

func columnType(record jsontree.Object) string {
	for member := range jsontree.Child(jsontree.Child(record, "type"), "type") {
		return typeNames[member[strings.LastIndexByte(member, '.')+1:]]
	}
	return ""
}

// PlatformSchema is the schema in the native language of the platform.
func (a *api) PlatformSchema(_ context.Context, _ *loader, at place, _ *set) (*gqltype.PlatformSchema, error) {
	for member, v := range jsontree.Child(at.Record, "platformSchema") {
		schema := jsontree.AsObject(v)
		switch member[strings.LastIndexByte(member, '.')+1:] {
		case "KeyValueSchema":
			return gqltype.NewPlatformSchema(&gqltype.KeyValueSchema{KeySchema: jsontree.Text(schema, "keySchema"), ValueSchema: jsontree.Text(schema, "valueSchema")}), nil
		default:
			for _, name := range []string{"tableSchema", "rawSchema", "documentSchema", "schema"} {
				if native, ok := schema[name].(string); ok {
					return gqltype.NewPlatformSchema(&gqltype.TableSchema{Schema: native}), nil
				}
			}
		}
	}
	return nil, nil
}

// propertyValue converts one value of a structured property.
func propertyValue(v any) *gqltype.PropertyValue {
	switch v := v.(type) {
	case jsontree.Object:
		for _, inner := range v {
			return propertyValue(inner)
		}
	case string:
		return gqltype.NewPropertyValue(&gqltype.StringValue{StringValue: v})
	case json.Number:
		f, _ := v.Float64()
		return gqltype.NewPropertyValue(&gqltype.NumberValue{NumberValue: f})
	}
	return nil
}

// PropertyValues returns the values of a structured property.
func (a *api) PropertyValues(_ context.Context, _ *loader, at place, _ *set) ([]*gqltype.PropertyValue, error) {
	values, _ := at.Record["values"].([]any)
	out := make([]*gqltype.PropertyValue, 0, len(values))
	for _, v := range values {
		if p := propertyValue(v); p != nil {
			out = append(out, p)
		}
	}
	return out, nil
}

// PropertyEntities returns the entities that the values of a property refer to.
func (a *api) PropertyEntities(_ context.Context, l *loader, at place, w *set) (*[]*gqltype.Entity, error) {
	values, _ := at.Record["values"].([]any)
	out := []*gqltype.Entity{}
	for _, v := range values {
		for _, inner := range jsontree.AsObject(v) {
			v = inner
		}
		if s, ok := v.(string); ok && urn.Looks(s) {
			if u, err := urn.Parse(s); err == nil {
				if e := l.Entity(u, w); e != nil {
					out = append(out, e)
				}
			}
		}
	}
	return &out, nil
}

// AllowedValue is a value that a structured property may have.
func (a *api) AllowedValue(_ context.Context, _ *loader, at place, _ *set) (*gqltype.PropertyValue, error) {
	if p := propertyValue(at.Record["value"]); p != nil {
		return p, nil
	}
	return gqltype.NewPropertyValue(&gqltype.StringValue{}), nil
}

// TypeQualifier restricts the entity types that values of a property may refer to.
func (a *api) TypeQualifier(_ context.Context, l *loader, at place, w *set) (*gqltype.TypeQualifier, error) {
	qualifier, ok := at.Record["typeQualifier"].(jsontree.Object)
	if !ok {
		return nil, nil
	}
	want := w.Of("TypeQualifier")["allowedTypes"]
	types := []*gqltype.EntityTypeEntity{}
	for _, name := range jsontree.Texts(qualifier, "allowedTypes") {
		if u, err := urn.Parse(name); err == nil && u.Type() == "entityType" {
			types = append(types, l.EntityTypeEntity(u, want))
		}
	}
	return &gqltype.TypeQualifier{AllowedTypes: &types}, nil
}

// StdDataType is the standard type for the name of a data type, OTHER when there is none.
func (a *api) StdDataType(_ context.Context, _ *loader, at place, _ *set) (string, error) {
	name := jsontree.Text(at.Record, "qualifiedName")
	switch kind := strings.ToUpper(name[strings.LastIndexByte(name, '.')+1:]); kind {
	case "STRING", "NUMBER", "URN", "RICH_TEXT", "DATE":
		return kind, nil
	}
	return "OTHER", nil
}

// EntityTypeNamed is the EntityType of an entity of the type entityType, OTHER when there is
// none.
func (a *api) EntityTypeNamed(_ context.Context, _ *loader, at place, _ *set) (string, error) {
	name := strings.TrimPrefix(jsontree.Text(at.Record, "qualifiedName"), "datahub.")
	if value, ok := gqltype.TypeValue(name); ok {
		return value, nil
	}
	return "OTHER", nil
}

func resultsType(v any) *gqltype.ResultsType {
	for _, inner := range jsontree.AsObject(v) {
		if s, ok := inner.(string); ok {
			return gqltype.NewResultsType(&gqltype.StringBox{StringValue: s})
		}
	}
	return nil
}

// UnitaryResults are the results of a model by single factors.
func (a *api) UnitaryResults(_ context.Context, _ *loader, at place, _ *set) (*gqltype.ResultsType, error) {
	return resultsType(at.Record["unitaryResults"]), nil
}

// IntersectionalResults are the results of a model by combinations of factors.
func (a *api) IntersectionalResults(_ context.Context, _ *loader, at place, _ *set) (*gqltype.ResultsType, error) {
	return resultsType(at.Record["intersectionalResults"]), nil
}

// HyperParameters is always null: its type holds one parameter, whereas the model has a map of
// parameters. The field hyperParams lists them.
func (a *api) HyperParameters(context.Context, *loader, place, *set) (*gqltype.HyperParameterMap, error) {
	return nil, nil
}

// CostValue is the id or the code of a cost.
func (a *api) CostValue(_ context.Context, _ *loader, at place, _ *set) (*gqltype.CostValue, error) {
	cost := jsontree.Child(at.Record, "cost")
	out := &gqltype.CostValue{}
	if id, ok := cost["costId"].(json.Number); ok {
		if f, err := id.Float64(); err == nil {
			out.CostId = &f
		}
	}
	if code, ok := cost["costCode"].(string); ok {
		out.CostCode = &code
	}
	return out, nil
}

var windowUnits = map[string]int64{
	"SECOND": 1000, "MINUTE": 60_000, "HOUR": 3_600_000, "DAY": 86_400_000, "WEEK": 7 * 86_400_000, "MONTH": 30 * 86_400_000, "QUARTER": 91 * 86_400_000, "YEAR": 365 * 86_400_000,
}

// WindowMillis is the length of a window in milliseconds. A month counts as 30 days, a quarter as
// 91, a year as 365.
func (a *api) WindowMillis(_ context.Context, _ *loader, at place, _ *set) (gqltype.Long, error) {
	length := jsontree.Child(at.Record, "length")
	n := int64(1)
	if number, ok := length["multiple"].(json.Number); ok {
		n, _ = number.Int64()
	}
	return gqltype.Long(n * windowUnits[jsontree.Text(length, "unit")]), nil
}

// priorities are the names of the stored numbers; the number is the index.
var priorities = []string{"CRITICAL", "HIGH", "MEDIUM", "LOW"}

// IncidentPriority is the name of an incident's priority, nil when it has none.
func (a *api) IncidentPriority(_ context.Context, _ *loader, at place, _ *set) (*string, error) {
	if n, ok := jsontree.AsObject(at.Aspect("incidentInfo"))["priority"].(json.Number); ok {
		if i, err := n.Int64(); err == nil && i >= 0 && int(i) < len(priorities) {
			return &priorities[i], nil
		}
	}
	return nil, nil
}

// FieldRefParent is the URN of the dataset of a column in lineage.
func (a *api) FieldRefParent(_ context.Context, _ *loader, at place, _ *set) (string, error) {
	if parent := model.ParentOfColumn(urn.URN(jsontree.Text(at.Record, "value"))); parent != "" {
		return string(parent), nil
	}
	return jsontree.Text(at.Record, "value"), nil
}

// FieldRefPath is the path of a column in lineage, as the schema of the dataset states it.
func (a *api) FieldRefPath(_ context.Context, _ *loader, at place, _ *set) (string, error) {
	_, path, _ := model.SplitColumn(urn.URN(jsontree.Text(at.Record, "value")))
	return path, nil
}

// CreatedOn is the audit stamp of the creation of the entity, taken from its key aspect.
func (a *api) CreatedOn(_ context.Context, l *loader, at place, w *set) (*gqltype.ResolvedAuditStamp, error) {
	spec, ok := a.Registry.Entity(at.URN.Type())
	if !ok || at.Entity == nil {
		return nil, nil
	}
	stamp := at.Entity.Written[spec.Key.Name].First
	if stamp.Time == 0 {
		return nil, nil
	}
	return a.resolvedStamp(l, stamp.Time, stamp.Actor, w), nil
}

func (a *api) resolvedStamp(l *loader, time int64, who urn.URN, w *set) *gqltype.ResolvedAuditStamp {
	out := &gqltype.ResolvedAuditStamp{Time: gqltype.Long(time)}
	if want := w.Of("ResolvedAuditStamp")["actor"]; want != nil && who.Type() == "corpuser" {
		out.Actor = l.CorpUser(who, want)
	}
	return out
}

// PostModified is the time of the last change of a post, with the actor of its audit stamp.
func (a *api) PostModified(_ context.Context, _ *loader, at place, _ *set) (*gqltype.AuditStamp, error) {
	info := jsontree.AsObject(at.Aspect("postInfo"))
	out := &gqltype.AuditStamp{}
	if n, ok := info["lastModified"].(json.Number); ok {
		ms, _ := n.Int64()
		out.Time = gqltype.Long(ms)
	}
	if who := jsontree.Text(jsontree.Child(info, "auditStamp"), "actor"); who != "" {
		out.Actor = &who
	}
	return out, nil
}

// ServiceAccountCreator is the URN of the actor that created a service account.
func (a *api) ServiceAccountCreator(_ context.Context, _ *loader, at place, _ *set) (*string, error) {
	if at.Entity == nil {
		return nil, nil
	}
	return nilIfZero(string(at.Entity.Written["corpUserKey"].First.Actor)), nil
}

// ServiceAccountCreated is the creation time of a service account, in milliseconds.
func (a *api) ServiceAccountCreated(_ context.Context, _ *loader, at place, _ *set) (*gqltype.Long, error) {
	if at.Entity == nil {
		return nil, nil
	}
	return nilIfZero(gqltype.Long(at.Entity.Written["corpUserKey"].First.Time)), nil
}

// ServiceAccountUpdated is the time at which the aspect corpUserInfo of a service account was last
// written, in milliseconds.
func (a *api) ServiceAccountUpdated(_ context.Context, _ *loader, at place, _ *set) (*gqltype.Long, error) {
	if at.Entity == nil {
		return nil, nil
	}
	return nilIfZero(gqltype.Long(at.Entity.Written["corpUserInfo"].Last)), nil
}

// UserSettings returns the settings of a user. It is not nil for users without stored settings.
func (a *api) UserSettings(ctx context.Context, l *loader, at place, w *set) (*gqltype.CorpUserSettings, error) {
	settings := jsontree.AsObject(at.Aspect("corpUserSettings"))
	if settings == nil {
		settings = jsontree.Object{}
	}
	out := l.ToCorpUserSettings(ctx, at, settings, w)
	if out.Appearance == nil {
		out.Appearance = &gqltype.CorpUserAppearanceSettings{}
	}
	return out, nil
}

// IsNativeUser reports whether a user signs in with a password of this catalog.
func (a *api) IsNativeUser(ctx context.Context, _ *loader, at place, _ *set) (*bool, error) {
	native, err := readWithinBudget(ctx, 1, noExtraCost, func() (bool, error) { return a.Credentials.HasCredentials(ctx, at.URN) })
	return &native, err
}

// ViewFilter is the filter of a view in the flat form of the schema.
func (a *api) ViewFilter(_ context.Context, _ *loader, at place, _ *set) (*gqltype.DataHubViewFilter, error) {
	return viewFilter(jsontree.Child(at.Record, "filter")), nil
}

// priorityNumber returns the stored number of a priority as text. Unknown names remain unchanged.
func priorityNumber(word *string) *string {
	if word == nil {
		return nil
	}
	for i, p := range priorities {
		if p == *word {
			return ptr(strconv.Itoa(i))
		}
	}
	return word
}
