package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/asset"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/precondition"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// PatchEntity applies a patch to one aspect.
func (m *mutation) PatchEntity(ctx context.Context, args gqltype.PatchEntityArgs) (*gqltype.PatchEntityResult, error) {
	return m.patch(ctx, args.Input)
}

// PatchEntities applies patches to aspects, one after the other. Each patch is independent: a
// rejected patch does not affect the others. An internal error ends the operation; earlier
// patches remain applied.
func (m *mutation) PatchEntities(ctx context.Context, args gqltype.PatchEntitiesArgs) ([]*gqltype.PatchEntityResult, error) {
	if len(args.Input) > edit.MaxTargets {
		return nil, fault.New(fault.TooLarge, "input: %d entries, at most %d are allowed", len(args.Input), edit.MaxTargets)
	}
	out := make([]*gqltype.PatchEntityResult, 0, len(args.Input))
	for _, in := range args.Input {
		result, err := m.patch(ctx, in)
		if err != nil {
			return nil, err
		}
		out = append(out, result)
	}
	return out, nil
}

// patch applies one patch. Errors that the client can fix are part of the result; internal errors
// and cancellation are returned as errors.
func (m *mutation) patch(ctx context.Context, in gqltype.PatchEntityInput) (*gqltype.PatchEntityResult, error) {
	var u urn.URN
	var name string
	p, err := patchOf(in)
	if err == nil {
		u, name, err = m.api.Assets.Patch(ctx, p)
	}
	out := &gqltype.PatchEntityResult{Urn: string(u), Name: nilIfZero(name), Success: err == nil}
	if out.Urn == "" {
		out.Urn = value(in.Urn)
	}
	switch fault.KindOf(err) {
	case fault.Internal, fault.Canceled:
		if err != nil {
			return nil, err
		}
	case fault.Forbidden:
		out.Error = ptr(refusal)
	default:
		out.Error = ptr(truncated(fault.Message(err)))
	}
	return out, nil
}

func patchOf(in gqltype.PatchEntityInput) (asset.Patch, error) {
	conditions, err := precondition.Parse(pairs(in.Headers))
	p := asset.Patch{
		URN: value(in.Urn), EntityType: value(in.EntityType), Aspect: in.AspectName, Generic: value(in.ForceGenericPatch),
		Conditions: conditions,
	}
	for _, o := range in.Patch {
		p.Operations = append(p.Operations, asset.Operation{Op: o.Op, Path: o.Path, Value: o.Value, From: value(o.From)})
	}
	if in.ArrayPrimaryKeys != nil {
		p.Keys = map[string][]string{}
		for _, k := range *in.ArrayPrimaryKeys {
			p.Keys[k.ArrayField] = k.Keys
		}
	}
	if s := in.SystemMetadata; s != nil {
		p.System = model.SystemMetadata{LastObserved: int64(value(s.LastObserved)), RunID: value(s.RunId), Properties: pairs(s.Properties)}
	}
	return p, err
}

// pairs converts the entries of a map, nil when there is no list.
func pairs(list *[]gqltype.StringMapEntryInput) map[string]string {
	if list == nil {
		return nil
	}
	out := make(map[string]string, len(*list))
	for _, e := range *list {
		out[e.Key] = value(e.Value)
	}
	return out
}
