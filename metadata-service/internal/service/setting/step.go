package setting

import (
	"context"
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	stepType   = "dataHubStepState"
	stepAspect = "dataHubStepStateProperties"
)

const (
	maxStepID     = 400 // bytes
	maxProperties = 100
)

// Step is how far somebody got with something the interface leads through. Its
// id is made by the interface and means nothing here.
type Step struct {
	ID         string
	Properties map[string]string
}

// Steps gives the steps that are known, in the order asked.
func (s *Service) Steps(ctx context.Context, ids []string) ([]Step, error) {
	if _, err := edit.Actor(ctx); err != nil {
		return nil, err
	}
	if len(ids) > edit.MaxTargets {
		return nil, fault.New(fault.TooLarge, "ids: %d entries, at most %d are allowed", len(ids), edit.MaxTargets)
	}
	out := []Step{}
	for _, id := range ids {
		u, err := s.stepURN(id)
		if err != nil {
			return nil, err
		}
		value, err := s.edit.Stored(ctx, u, stepAspect)
		if err != nil {
			return nil, err
		}
		if value == nil {
			continue
		}
		step := Step{ID: id, Properties: map[string]string{}}
		for name, v := range jsontree.Child(value, "properties") {
			step.Properties[name], _ = v.(string)
		}
		out = append(out, step)
	}
	return out, nil
}

// SaveSteps stores steps in place of what was known of them, and tells which
// were saved: a step with a mistake does not hold up the others.
func (s *Service) SaveSteps(ctx context.Context, steps []Step) ([]bool, error) {
	if _, err := edit.Actor(ctx); err != nil {
		return nil, err
	}
	if len(steps) > edit.MaxTargets {
		return nil, fault.New(fault.TooLarge, "states: %d entries, at most %d are allowed", len(steps), edit.MaxTargets)
	}
	saved := make([]bool, len(steps))
	last := make(map[urn.URN]edit.Change, len(steps))
	for i, step := range steps {
		change, err := s.stepChange(ctx, step)
		if mistaken(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		saved[i], last[change.URN] = true, change
	}
	if len(last) == 0 {
		return saved, nil
	}
	decided, err := s.edit.RequireOwn(ctx, slices.Collect(maps.Keys(last))...)
	if err != nil {
		return nil, err
	}
	_, err = s.edit.Apply(ctx, decided, slices.Collect(maps.Values(last))...)
	return saved, err
}

func mistaken(err error) bool {
	switch fault.KindOf(err) {
	case fault.Malformed, fault.Invalid, fault.TooLarge:
		return err != nil
	}
	return false
}

func (s *Service) stepChange(ctx context.Context, step Step) (edit.Change, error) {
	u, err := s.stepURN(step.ID)
	if err != nil {
		return edit.Change{}, err
	}
	if len(step.Properties) > maxProperties {
		return edit.Change{}, fault.New(fault.TooLarge, "properties: %d entries, at most %d are allowed", len(step.Properties), maxProperties)
	}
	properties := jsontree.Object{}
	for name, text := range step.Properties {
		if err := edit.Text("properties", name, edit.MaxName, true); err != nil {
			return edit.Change{}, err
		}
		if err := edit.Text(name, text, edit.MaxName, false); err != nil {
			return edit.Change{}, err
		}
		properties[name] = text
	}
	return edit.Set(u, stepAspect, jsontree.Object{"properties": properties, "lastModified": s.edit.Stamp(ctx)}), nil
}

func (s *Service) stepURN(id string) (urn.URN, error) {
	if len(id) > maxStepID {
		return "", fault.New(fault.TooLarge, "id: longer than %d bytes", maxStepID)
	}
	u, err := s.edit.Parse("id", string(urn.Make(stepType, id)), stepType)
	if err != nil {
		return "", err
	}
	spec, _ := s.edit.Registry.Entity(stepType)
	return u, model.CheckWritable(u, spec)
}
