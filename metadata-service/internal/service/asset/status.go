package asset

import (
	"context"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Deprecation marks entities as deprecated, or as no longer deprecated.
type Deprecation struct {
	Deprecated   bool
	Note         string
	Decommission *int64 // end of service in milliseconds since 1970; nil if unknown
	Replacement  *string
}

// Target is an entity or a column of a dataset.
type Target struct {
	URN string
	Column
}

// Deprecate sets the deprecation of all targets, or of none. It requires auth.EditDeprecation on
// each; all must exist. Members that are not set are removed.
func (s *Service) Deprecate(ctx context.Context, d Deprecation, targets []Target) error {
	if len(targets) > edit.MaxTargets {
		return fault.New(fault.TooLarge, "resources: %d entries, at most %d are allowed", len(targets), edit.MaxTargets)
	}
	urns, decided, err := s.mayDeprecate(ctx, targets)
	if err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, "resource", urns...); err != nil {
		return err
	}
	changes := make([]edit.Change, 0, len(targets))
	for i, t := range targets {
		u, err := s.deprecationEntity(ctx, urns[i], t)
		if err != nil {
			return err
		}
		changes = append(changes, amend(u, "deprecation", jsontree.Object{}, func(value jsontree.Object) error {
			s.deprecate(ctx, value, d)
			setOrDelete(value, "replacement", d.Replacement)
			return nil
		}))
	}
	if err := edit.Text("note", d.Note, edit.MaxText, false); err != nil {
		return err
	}
	if d.Replacement != nil {
		if _, err := s.edit.Parse("replacement", *d.Replacement); err != nil {
			return err
		}
	}
	return s.apply(ctx, decided, changes)
}

// deprecate sets the members that all operations for deprecation set.
func (s *Service) deprecate(ctx context.Context, value jsontree.Object, d Deprecation) {
	value["deprecated"], value["note"] = d.Deprecated, d.Note
	value["actor"] = s.edit.Stamp(ctx)["actor"]
	setOrDelete(value, "decommissionTime", d.Decommission)
}

// mayDeprecate parses the entities of targets and decides that the actor may set the deprecation of
// each.
func (s *Service) mayDeprecate(ctx context.Context, targets []Target) (urns []urn.URN, decided auth.Decisions, err error) {
	for _, t := range targets {
		u, err := s.edit.Parse("urn", t.URN)
		if err != nil {
			return nil, nil, err
		}
		may, err := s.edit.RequireOver(ctx, u, auth.EditDeprecation, auth.EditEntity)
		if err != nil {
			return nil, nil, err
		}
		if err := s.supports(u, "deprecation"); err != nil {
			return nil, nil, err
		}
		urns, decided = append(urns, u), append(decided, may...)
	}
	return urns, decided, nil
}

// deprecationEntity returns the entity with the deprecation of a target. For a column it is the
// entity of the column.
func (s *Service) deprecationEntity(ctx context.Context, u urn.URN, t Target) (urn.URN, error) {
	if err := t.check(ctx, s.edit, u); err != nil || t.Path == "" {
		return u, err
	}
	return s.edit.Parse("subResource", string(model.ColumnURN(u, t.Path)))
}

// apply executes changes, if any.
func (s *Service) apply(ctx context.Context, decided auth.Decisions, changes []edit.Change) error {
	if len(changes) == 0 {
		return nil
	}
	_, err := s.edit.Apply(ctx, decided, changes...)
	return err
}

// SetRemoved soft-deletes all entities, or restores them; on an error it changes none. It requires
// auth.DeleteEntity on each; all must exist. The removal of users locks them out, so it requires
// auth.ManageUsers or auth.UpdateUsers. The removal of groups takes privileges from their members;
// auth.ManageUsers and auth.UpdateGroups also permit it.
func (s *Service) SetRemoved(ctx context.Context, resources []string, removed bool) error {
	urns, err := s.edit.ParseAll("urns", resources)
	if err != nil {
		return err
	}
	checks := make([]auth.Check, len(urns))
	for i, u := range urns {
		checks[i] = removalCheck(u)
	}
	decided, err := s.edit.Decide(ctx, checks...)
	if err != nil {
		return err
	}
	changes := make([]edit.Change, 0, len(urns))
	for _, u := range urns {
		if err := s.supports(u, "status"); err != nil {
			return err
		}
		changes = append(changes, amend(u, "status", jsontree.Object{}, func(value jsontree.Object) error {
			value["removed"] = removed
			return nil
		}))
	}
	if err := s.edit.MustExist(ctx, "entity", urns...); err != nil {
		return err
	}
	return s.apply(ctx, decided, changes)
}

// removalCheck returns the check for a soft deletion.
func removalCheck(u urn.URN) auth.Check {
	switch u.Type() {
	case "corpuser":
		return auth.ForPlatform(auth.ManageUsers, auth.UpdateUsers)
	case "corpGroup":
		return auth.Over(u, auth.ManageUsers, auth.UpdateGroups, auth.DeleteEntity)
	case "structuredProperty":
		return auth.Over(u, auth.ManageProperties, auth.DeleteEntity)
	}
	return auth.Over(u, auth.DeleteEntity)
}

const (
	stageType = "lifecycleStageType"
	stageInfo = "lifecycleStageTypeInfo"
)

// Stages returns the lifecycle stages, ordered by URN, at most edit.MaxTargets.
func (s *Service) Stages(ctx context.Context) ([]urn.URN, error) {
	page, err := s.edit.Discover.List(ctx, discover.ListQuery{Types: []string{stageType}, Limit: edit.MaxTargets})
	return page.URNs, err
}

// SetStage sets the lifecycle stage of an entity, or removes it if stage is empty. It requires
// auth.EditStatus on the entity, which must exist. The stage must exist, be defined for the entity
// type, and be permitted after the current stage.
func (s *Service) SetStage(ctx context.Context, resource, stage string) error {
	u, err := s.edit.Parse("urn", resource)
	if err != nil {
		return err
	}
	decided, err := s.edit.RequireOver(ctx, u, auth.EditStatus, auth.EditEntity)
	if err != nil {
		return err
	}
	if err := s.supports(u, "status"); err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, "entity", u); err != nil {
		return err
	}
	var allowed func(from string) error
	if stage != "" {
		if allowed, err = s.transition(ctx, u, stage); err != nil {
			return err
		}
	}
	_, err = s.edit.Apply(ctx, decided, amend(u, "status", jsontree.Object{"removed": false}, func(value jsontree.Object) error {
		value["lifecycleLastUpdated"] = s.edit.Stamp(ctx)
		if stage == "" {
			delete(value, "lifecycleStage")
			return nil
		}
		from, _ := value["lifecycleStage"].(string)
		value["lifecycleStage"] = stage
		return allowed(from)
	}))
	return err
}

// transition returns the check whether an entity may change from a stage to the given one.
func (s *Service) transition(ctx context.Context, u urn.URN, stage string) (func(from string) error, error) {
	to, err := s.edit.Parse("lifecycleStageUrn", stage, stageType)
	if err != nil {
		return nil, err
	}
	if err := s.edit.MustBeShown(ctx, "lifecycle stage", to); err != nil {
		return nil, err
	}
	info, err := s.edit.Stored(ctx, to, stageInfo)
	if err != nil {
		return nil, err
	}
	if info == nil {
		return nil, fault.New(fault.Malformed, "lifecycle stage does not exist: %s", to)
	}
	types := jsontree.Texts(info, "entityTypes")
	if len(types) > 0 && !slices.ContainsFunc(types, func(t string) bool { return strings.EqualFold(t, u.Type()) }) {
		return nil, fault.New(fault.Malformed, "lifecycleStageUrn: %s is for %s, not for %s", to, strings.Join(types, ", "), u.Type())
	}
	policy, _ := info["transitionPolicy"].(jsontree.Object)
	_, restricted := policy["allowedPreviousStages"]
	before := jsontree.Texts(policy, "allowedPreviousStages")
	return func(from string) error {
		if !restricted || from == stage || slices.Contains(before, from) {
			return nil
		}
		if from == "" {
			return fault.New(fault.Malformed, "lifecycleStageUrn: %s cannot be the first stage", to)
		}
		return fault.New(fault.Malformed, "lifecycleStageUrn: %s does not follow on %s", to, from)
	}, nil
}
