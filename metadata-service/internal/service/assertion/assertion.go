// Package assertion stores assertions that other systems run, and their reports: results of runs,
// and operations on datasets.
package assertion

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EntityType is the entity type of assertions.
const EntityType = "assertion"

const (
	infoAspect = "assertionInfo"
	noteAspect = "assertionNote"
	custom     = "CUSTOM"
)

// Limits of one assertion or report.
const (
	maxFields     = 2000
	maxProperties = 1000
	maxLink       = 4000
)

// Service stores assertions. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Draft describes an assertion of another system.
type Draft struct {
	Asset       string // URN of the asserted asset
	Type        string // type in the terms of the other system
	Description string
	Fields      []string // paths of columns
	// PlatformURN or PlatformName names the system that runs the assertion; one is required.
	PlatformURN, PlatformName string
	ExternalURL               *string
	// The test, in the terms of the model; nil if unspecified.
	Logic, Scope, Aggregation, Operator, NativeType *string
	Parameters                                      jsontree.Object
	NativeParameters                                map[string]string
	// Note holds remarks about the assertion. An empty text removes them, nil leaves them
	// unchanged.
	Note *string
}

// Upsert writes an assertion: a new one when id is empty, otherwise the one with that URN. It
// requires auth.EditAssertions on the asset and, for an existing assertion, on its previous asset.
// The asset may be ingested later.
func (s *Service) Upsert(ctx context.Context, id string, d Draft) (urn.URN, error) {
	asset, err := s.edit.Parse("entityUrn", d.Asset)
	if err != nil {
		return "", err
	}
	u := urn.Make(EntityType, uuid.NewString())
	if id != "" {
		if u, err = s.edit.Parse("urn", id, EntityType); err != nil {
			return "", err
		}
	}
	decided, err := s.mayUpsert(ctx, u, asset)
	if err != nil {
		return "", err
	}
	platform, err := s.check(d)
	if err != nil {
		return "", err
	}
	value, err := s.info(d, asset)
	if err != nil {
		return "", err
	}
	changes := []edit.Change{
		{URN: u, Aspect: infoAspect, Apply: func(before jsontree.Object) (jsontree.Object, error) {
			merged, err := s.merged(ctx, u, before, value)
			if d.Note != nil && merged != nil {
				delete(merged, "note") // noteAspect replaces it
			}
			return merged, err
		}},
		{URN: u, Aspect: "dataPlatformInstance", Apply: func(before jsontree.Object) (jsontree.Object, error) {
			if before["platform"] == string(platform) {
				return nil, nil
			}
			return jsontree.Object{"platform": string(platform)}, nil
		}},
	}
	if d.Note != nil {
		changes = append(changes, edit.Change{URN: u, Aspect: noteAspect, Apply: func(before jsontree.Object) (jsontree.Object, error) {
			if jsontree.Text(before, "content") == *d.Note {
				return nil, nil
			}
			return jsontree.Object{"content": *d.Note, "lastModified": s.edit.Stamp(ctx)}, nil
		}})
	}
	_, err = s.edit.Apply(ctx, decided, changes...)
	return u, err
}

// mayUpsert decides the privilege on the asset of an assertion and on its previous asset. For an
// existing assertion without an asset it decides the privilege on the assertion itself.
func (s *Service) mayUpsert(ctx context.Context, u, asset urn.URN) (auth.Decisions, error) {
	decided, err := s.mayEdit(ctx, asset)
	if err != nil {
		return nil, err
	}
	before, err := s.asset(ctx, u)
	if err != nil || before == asset {
		return decided, err
	}
	if before == "" {
		there, err := s.edit.Exists(ctx, u)
		if err != nil || !there {
			return decided, err
		}
		before = u
	}
	return s.mayEditOf(ctx, u, before)
}

func (s *Service) mayEdit(ctx context.Context, asset urn.URN) (auth.Decisions, error) {
	return s.edit.RequireOver(ctx, asset, auth.EditAssertions, auth.EditEntity)
}

// mayEditOf decides the privilege on the asset of a stored assertion.
func (s *Service) mayEditOf(ctx context.Context, u, asset urn.URN) (auth.Decisions, error) {
	decided, err := s.mayEdit(ctx, asset)
	return decided, s.edit.Refusal(ctx, u, err, auth.Over(u, auth.EditAssertions, auth.EditEntity))
}

// asset returns the asset of a stored assertion, or an empty URN.
func (s *Service) asset(ctx context.Context, u urn.URN) (urn.URN, error) {
	info, err := s.edit.Stored(ctx, u, infoAspect)
	if err != nil {
		return "", err
	}
	text, _ := info["entityUrn"].(string)
	return urn.URN(text), nil
}

// check validates an assertion without stored values, and returns its platform.
func (s *Service) check(d Draft) (urn.URN, error) {
	if err := errors.Join(edit.Text("type", d.Type, edit.MaxName, true), edit.Text("description", d.Description, edit.MaxText, false)); err != nil {
		return "", err
	}
	for name, text := range map[string]*string{"logic": d.Logic, "nativeType": d.NativeType, "note": d.Note} {
		if text == nil {
			continue
		}
		if err := edit.Text(name, *text, edit.MaxText, false); err != nil {
			return "", err
		}
	}
	if d.ExternalURL != nil && *d.ExternalURL != "" {
		if err := edit.Text("externalUrl", *d.ExternalURL, maxLink, true); err != nil {
			return "", err
		}
	}
	if len(d.Fields) > maxFields {
		return "", fault.New(fault.TooLarge, "fieldPaths: %d entries, at most %d are allowed", len(d.Fields), maxFields)
	}
	if err := checkProperties("nativeParameters", d.NativeParameters); err != nil {
		return "", err
	}
	switch {
	case d.PlatformURN != "":
		return s.edit.Parse("platform.urn", d.PlatformURN, "dataPlatform")
	case strings.TrimSpace(d.PlatformName) != "":
		return s.edit.Parse("platform.name", string(urn.Make("dataPlatform", d.PlatformName)), "dataPlatform")
	}
	return "", fault.New(fault.Malformed, "platform: one of urn and name is required")
}

func checkProperties(name string, properties map[string]string) error {
	if len(properties) > maxProperties {
		return fault.New(fault.TooLarge, "%s: %d entries, at most %d are allowed", name, len(properties), maxProperties)
	}
	for key, v := range properties {
		if err := edit.Text(name, key+v, edit.MaxText, false); err != nil {
			return err
		}
	}
	return nil
}

// info returns the aspect of an assertion, apart from members that depend on the previous value.
func (s *Service) info(d Draft, asset urn.URN) (jsontree.Object, error) {
	test := jsontree.Object{"type": d.Type, "entity": string(asset)}
	for member, v := range map[string]*string{
		"logic": d.Logic, "scope": d.Scope, "aggregation": d.Aggregation, "operator": d.Operator, "nativeType": d.NativeType,
	} {
		if v != nil {
			test[member] = *v
		}
	}
	if d.Parameters != nil {
		test["parameters"] = d.Parameters
	}
	if d.NativeParameters != nil {
		test["nativeParameters"] = tree(d.NativeParameters)
	}
	var columns []any
	for _, path := range d.Fields {
		if err := edit.Text("fieldPath", path, edit.MaxText, true); err != nil {
			return nil, err
		}
		column, err := s.edit.Parse("fieldPath", string(model.ColumnURN(asset, path)), model.ColumnType)
		if err != nil {
			return nil, err
		}
		columns = append(columns, string(column))
	}
	switch {
	case len(columns) == 1:
		test["field"], test["fields"] = columns[0], columns
	case len(columns) > 1:
		test["fields"] = columns
	}
	value := jsontree.Object{"type": custom, "customAssertion": test, "description": d.Description, "entityUrn": string(asset)}
	if d.ExternalURL != nil {
		value["externalUrl"] = *d.ExternalURL
	}
	return value, nil
}

// merged copies members that this package does not write from the previous value: a note of earlier
// versions, custom properties, and the source with the time of creation.
func (s *Service) merged(ctx context.Context, u urn.URN, before, value jsontree.Object) (jsontree.Object, error) {
	if t, _ := before["type"].(string); before != nil && t != custom {
		return nil, fault.New(fault.Malformed, "urn: %s is an assertion of the type %s, not one of another system", u, t)
	}
	out := jsontree.Clone(value).(jsontree.Object)
	for _, member := range []string{"note", "customProperties", "source"} {
		if v := before[member]; v != nil {
			out[member] = v
		}
	}
	if out["source"] == nil {
		out["source"] = jsontree.Object{"type": "EXTERNAL", "created": s.edit.Stamp(ctx)}
	}
	out["lastUpdated"] = s.edit.Stamp(ctx)
	return out, nil
}

func tree(properties map[string]string) jsontree.Object {
	out := make(jsontree.Object, len(properties))
	for key, v := range properties {
		out[key] = v
	}
	return out
}

// Delete deletes an assertion permanently. It requires auth.EditAssertions on the asset, or on the
// assertion itself if that has no asset. An assertion that does not exist is not an error.
func (s *Service) Delete(ctx context.Context, id string) error {
	u, err := s.edit.Parse("urn", id, EntityType)
	if err != nil {
		return err
	}
	about, err := s.asset(ctx, u)
	if err != nil {
		return err
	}
	if about == "" {
		about = u
	}
	decided, err := s.mayEditOf(ctx, u, about)
	if err != nil {
		return err
	}
	return s.edit.Delete(ctx, decided, u)
}
