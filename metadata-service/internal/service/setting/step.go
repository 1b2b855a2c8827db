package setting

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
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
		value, err := s.edit.Read(edit.Decided(ctx), u, stepAspect)
		if err != nil {
			return nil, err
		}
		if value == nil {
			continue
		}
		step := Step{ID: id, Properties: map[string]string{}}
		for name, v := range member(value, "properties") {
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
	for i, step := range steps {
		err := s.saveStep(edit.Decided(ctx), step)
		switch fault.KindOf(err) {
		case fault.Malformed, fault.Invalid, fault.TooLarge:
			continue
		}
		if err != nil {
			return nil, err
		}
		saved[i] = true
	}
	return saved, nil
}

func (s *Service) saveStep(ctx context.Context, step Step) error {
	u, err := s.stepURN(step.ID)
	if err != nil {
		return err
	}
	if len(step.Properties) > maxProperties {
		return fault.New(fault.TooLarge, "properties: %d entries, at most %d are allowed", len(step.Properties), maxProperties)
	}
	properties := jsontree.Object{}
	for name, text := range step.Properties {
		if err := edit.Text("properties", name, edit.MaxName, true); err != nil {
			return err
		}
		if err := edit.Text(name, text, edit.MaxName, false); err != nil {
			return err
		}
		properties[name] = text
	}
	_, err = s.edit.Apply(ctx, edit.Set(u, stepAspect, jsontree.Object{"properties": properties, "lastModified": s.edit.Stamp(ctx)}))
	return err
}

func (s *Service) stepURN(id string) (urn.URN, error) {
	if len(id) > maxStepID {
		return "", fault.New(fault.TooLarge, "id: longer than %d bytes", maxStepID)
	}
	return s.edit.Parse("id", string(urn.Make(stepType, id)), stepType)
}
