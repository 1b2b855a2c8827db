package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/service/incident"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

func incidentStatus(in *gqltype.IncidentStatusInput) *incident.Status {
	if in == nil {
		return nil
	}
	return &incident.Status{State: in.State, Stage: in.Stage, Message: in.Message}
}

// RaiseIncident creates an incident and returns its URN.
func (m *mutation) RaiseIncident(ctx context.Context, args gqltype.RaiseIncidentArgs) (*string, error) {
	in := args.Input
	resources := value(in.ResourceUrns)
	if in.ResourceUrn != nil {
		resources = append([]string{*in.ResourceUrn}, resources...)
	}
	kind := incident.Kind{Type: in.Type, CustomType: value(in.CustomType)}
	if in.Source != nil {
		kind.Source = in.Source.Type
	}
	u, err := m.api.IncidentEdits.Raise(ctx, kind, incident.Content{
		Title: in.Title, Description: in.Description, StartedAt: millis(in.StartedAt), Status: incidentStatus(in.Status),
		Priority: in.Priority, Resources: &resources, Assignees: in.AssigneeUrns,
	})
	if err != nil {
		return nil, err
	}
	return ptr(string(u)), nil
}

// UpdateIncident updates the given members of an incident.
func (m *mutation) UpdateIncident(ctx context.Context, args gqltype.UpdateIncidentArgs) (*bool, error) {
	in := args.Input
	return trueResult(m.api.IncidentEdits.Update(ctx, args.Urn, incident.Content{
		Title: in.Title, Description: in.Description, StartedAt: millis(in.StartedAt), Status: incidentStatus(in.Status),
		Priority: in.Priority, Resources: in.ResourceUrns, Assignees: in.AssigneeUrns,
	}))
}

// UpsertIncident updates an incident or creates it.
func (m *mutation) UpsertIncident(ctx context.Context, args gqltype.UpsertIncidentArgs) (*bool, error) {
	in := args.Input
	return trueResult(m.api.IncidentEdits.Upsert(ctx, args.Urn, incident.Content{
		Title: in.Title, Description: in.Description, Status: incidentStatus(&in.Status),
		Priority: in.Priority, Resources: &in.ResourceUrns, Assignees: &in.AssigneeUrns,
	}))
}

// UpdateIncidentStatus updates the status of an incident.
func (m *mutation) UpdateIncidentStatus(ctx context.Context, args gqltype.UpdateIncidentStatusArgs) (*bool, error) {
	return trueResult(m.api.IncidentEdits.Update(ctx, args.Urn, incident.Content{Status: incidentStatus(&args.Input)}))
}
