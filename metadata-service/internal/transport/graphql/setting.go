package graphql

import (
	"context"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/service/setting"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

// BatchGetStepStates returns the states of onboarding steps of the actor. Unknown steps are left
// out.
func (q *query) BatchGetStepStates(ctx context.Context, args gqltype.BatchGetStepStatesArgs) (*gqltype.BatchGetStepStatesResult, error) {
	steps, err := q.api.Settings.Steps(ctx, args.Input.Ids)
	if err != nil {
		return nil, err
	}
	out := &gqltype.BatchGetStepStatesResult{Results: make([]*gqltype.StepStateResult, 0, len(steps))}
	for _, step := range steps {
		result := &gqltype.StepStateResult{Id: step.ID, Properties: make([]*gqltype.StringMapEntry, 0, len(step.Properties))}
		for name, text := range step.Properties {
			result.Properties = append(result.Properties, &gqltype.StringMapEntry{Key: name, Value: &text})
		}
		slices.SortFunc(result.Properties, func(a, b *gqltype.StringMapEntry) int { return strings.Compare(a.Key, b.Key) })
		out.Results = append(out.Results, result)
	}
	return out, nil
}

// BatchUpdateStepStates stores the states of onboarding steps.
func (m *mutation) BatchUpdateStepStates(ctx context.Context, args gqltype.BatchUpdateStepStatesArgs) (*gqltype.BatchUpdateStepStatesResult, error) {
	steps := make([]setting.Step, 0, len(args.Input.States))
	for _, state := range args.Input.States {
		step := setting.Step{ID: state.Id, Properties: map[string]string{}}
		for _, p := range dereference(state.Properties) {
			step.Properties[p.Key] = value(p.Value)
		}
		steps = append(steps, step)
	}
	saved, err := m.api.Settings.SaveSteps(ctx, steps)
	if err != nil {
		return nil, err
	}
	out := &gqltype.BatchUpdateStepStatesResult{Results: make([]*gqltype.UpdateStepStateResult, 0, len(steps))}
	for i, step := range steps {
		out.Results = append(out.Results, &gqltype.UpdateStepStateResult{Id: step.ID, Succeeded: saved[i]})
	}
	return out, nil
}

// DocPropagationSettings returns whether column documentation propagates along lineage.
func (q *query) DocPropagationSettings(ctx context.Context) (*gqltype.DocPropagationSettings, error) {
	global, err := q.api.Settings.Global(ctx)
	if err != nil {
		return nil, err
	}
	return &gqltype.DocPropagationSettings{DocColumnPropagation: &global.Propagation}, nil
}

// UpdateDocPropagationSettings sets whether column documentation propagates along lineage.
func (m *mutation) UpdateDocPropagationSettings(ctx context.Context, args gqltype.UpdateDocPropagationSettingsArgs) (bool, error) {
	err := m.api.Settings.SetPropagation(ctx, args.Input.DocColumnPropagation)
	return err == nil, err
}

// UpdateAssetSettings sets the page template for the summary of an asset.
func (m *mutation) UpdateAssetSettings(ctx context.Context, args gqltype.UpdateAssetSettingsArgs) (*gqltype.AssetSettings, error) {
	template, err := m.api.Settings.SetSummary(ctx, args.Input.Urn, value(args.Input.Summary).Template)
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "updateAssetSettings").Of("AssetSettings")["assetSummary"].Of("AssetSummarySettings")["templates"].Of("AssetSummarySettingsTemplate")["template"]
	return build(ctx, m.api, func(l *loader) *gqltype.AssetSettings {
		return &gqltype.AssetSettings{AssetSummary: &gqltype.AssetSummarySettings{
			Templates: &[]*gqltype.AssetSummarySettingsTemplate{{Template: l.DataHubPageTemplate(template, want)}},
		}}
	})
}

// LatestProductUpdate is always null: there are no announcements.
func (q *query) LatestProductUpdate(context.Context, gqltype.LatestProductUpdateArgs) (*gqltype.ProductUpdate, error) {
	return nil, nil
}
