package setting

import (
	"context"
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
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

// Step is the progress of a user in a tour of the web UI. The UI builds the id: the URN of the
// user, a hyphen, and the name of the step.
type Step struct {
	ID         string
	Properties map[string]string
}

// Steps returns the stored steps among ids, in the requested order.
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

// SaveSteps stores steps in place of the previous ones, and reports which were saved: invalid steps
// and steps that the actor must not write are skipped. An actor may write its own steps, whose ids
// begin with its URN and a hyphen, and all others with auth.ManageSettings. If it may write none of
// them, the error is one of the refusals.
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
		if isInvalid(err) {
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
	changes := slices.Collect(maps.Values(last))
	checks := make([]auth.Check, len(changes))
	for i := range changes {
		checks[i] = auth.Over(changes[i].URN, auth.ManageSettings, auth.Own)
	}
	decided, err := s.edit.Authorizer.Decide(ctx, checks)
	if err != nil {
		return nil, err
	}
	var allowed []edit.Change
	var refused error
	for i, d := range decided {
		if !d.Allowed() {
			refused = d.Err()
			continue
		}
		allowed = append(allowed, changes[i])
	}
	if len(allowed) == 0 {
		return nil, refused
	}
	for i, step := range steps {
		saved[i] = saved[i] && slices.ContainsFunc(allowed, func(c edit.Change) bool { return c.URN.Key() == step.ID })
	}
	_, err = s.edit.Apply(ctx, decided, allowed...)
	return saved, err
}

func isInvalid(err error) bool {
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
