package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/service/form"
	"github.com/cartulary/cartulary/metadata-service/internal/service/property"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

func prompts(in *[]gqltype.CreatePromptInput) []form.Prompt {
	var out []form.Prompt
	for _, p := range value(in) {
		out = append(out, form.Prompt{
			ID: value(p.Id), Title: p.Title, Description: p.Description, Kind: p.Type, Property: value(p.StructuredPropertyParams).Urn, Required: value(p.Required),
		})
	}
	return out
}

// CreateForm creates a form.
func (m *mutation) CreateForm(ctx context.Context, args gqltype.CreateFormArgs) (*gqltype.Form, error) {
	in := args.Input
	draft := form.Draft{ID: value(in.Id), Name: in.Name, Description: in.Description, Kind: value(in.Type), Prompts: prompts(in.Prompts)}
	if in.Actors != nil {
		draft.Actors = &form.Actors{Owners: valueOr(in.Actors.Owners, true), Users: value(in.Actors.Users), Groups: value(in.Actors.Groups), OwnershipTypes: value(in.Actors.OwnershipTypes)}
	}
	u, err := m.api.Forms.Create(ctx, draft)
	if err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.Form { return l.Form(u, selectionOf(ctx, "createForm")) })
}

// UpdateForm updates a form.
func (m *mutation) UpdateForm(ctx context.Context, args gqltype.UpdateFormArgs) (*gqltype.Form, error) {
	in := args.Input
	u, err := m.api.entityURN("urn", in.Urn, form.EntityType)
	if err != nil {
		return nil, err
	}
	revision := form.Revision{Name: in.Name, Description: in.Description, Kind: in.Type, AddPrompts: prompts(in.PromptsToAdd), RemovePrompts: value(in.PromptsToRemove)}
	if a := in.Actors; a != nil {
		revision.Actors = &form.ActorChanges{
			Owners: a.Owners, AddUsers: value(a.UsersToAdd), RemoveUsers: value(a.UsersToRemove), AddGroups: value(a.GroupsToAdd), RemoveGroups: value(a.GroupsToRemove),
			AddOwnershipTypes: value(a.OwnershipTypesToAdd), RemoveOwnershipTypes: value(a.OwnershipTypesToRemove),
		}
	}
	if err := m.api.Forms.Update(ctx, u, revision); err != nil {
		return nil, err
	}
	return build(ctx, m.api, func(l *loader) *gqltype.Form { return l.Form(u, selectionOf(ctx, "updateForm")) })
}

// DeleteForm deletes a form permanently.
func (m *mutation) DeleteForm(ctx context.Context, args gqltype.DeleteFormArgs) (bool, error) {
	u, err := m.api.entityURN("urn", args.Input.Urn, form.EntityType)
	if err != nil {
		return false, err
	}
	err = m.api.Forms.Delete(ctx, u)
	return err == nil, err
}

// BatchAssignForm assigns a form to assets.
func (m *mutation) BatchAssignForm(ctx context.Context, args gqltype.BatchAssignFormArgs) (*bool, error) {
	u, err := m.api.entityURN("formUrn", args.Input.FormUrn, form.EntityType)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Forms.Assign(ctx, u, args.Input.EntityUrns))
}

// BatchRemoveForm removes a form from assets.
func (m *mutation) BatchRemoveForm(ctx context.Context, args gqltype.BatchRemoveFormArgs) (bool, error) {
	u, err := m.api.entityURN("formUrn", args.Input.FormUrn, form.EntityType)
	if err != nil {
		return false, err
	}
	err = m.api.Forms.Unassign(ctx, u, args.Input.EntityUrns)
	return err == nil, err
}

// CreateDynamicFormAssignment assigns a form to the assets that match a filter, and stores the
// filter.
func (m *mutation) CreateDynamicFormAssignment(ctx context.Context, args gqltype.CreateDynamicFormAssignmentArgs) (*bool, error) {
	u, err := m.api.entityURN("formUrn", args.Input.FormUrn, form.EntityType)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Forms.SetRule(ctx, u, buildFilter(nil, &args.Input.OrFilters)))
}

// SubmitFormPrompt answers a prompt of a form.
func (m *mutation) SubmitFormPrompt(ctx context.Context, args gqltype.SubmitFormPromptArgs) (*bool, error) {
	asset, err := m.api.urnArgument("urn", args.Urn)
	if err != nil {
		return nil, err
	}
	in := args.Input
	answer := form.Answer{Form: in.FormUrn, Prompt: in.PromptId, Kind: in.Type, Column: value(in.FieldPath), Assignment: property.Assignment{}}
	if in.StructuredPropertyParams != nil {
		answer.Assignment = assignment(*in.StructuredPropertyParams)
	}
	return trueResult(m.api.Forms.Submit(ctx, asset, answer))
}

// VerifyForm confirms the answers to a form.
func (m *mutation) VerifyForm(ctx context.Context, args gqltype.VerifyFormArgs) (*bool, error) {
	asset, err := m.api.urnArgument("entityUrn", args.Input.EntityUrn)
	if err != nil {
		return nil, err
	}
	return trueResult(m.api.Forms.Verify(ctx, args.Input.FormUrn, asset))
}
