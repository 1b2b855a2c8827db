package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Fields that depend on who asks.

// Privileges tell what the caller may do with the entity.
func (a *api) Privileges(ctx context.Context, _ *loader, at place, _ *set) (*gqltype.EntityPrivileges, error) {
	may := func(privileges ...auth.Privilege) *bool {
		return ptr(a.may(ctx, at.URN, append(privileges, auth.EditEntity)...))
	}
	return &gqltype.EntityPrivileges{
		CanManageChildren: may(auth.ManageGlossaryChildren), CanManageEntity: may(), CanEditLineage: may(auth.EditLineage), CanEditEmbed: may(auth.EditEmbed),
		CanEditQueries: may(auth.EditQueries), CanEditProperties: may(auth.EditProperties), CanEditTags: may(auth.EditTags), CanEditGlossaryTerms: may(auth.EditTerms),
		CanEditDescription: may(auth.EditDocs), CanEditLinks: may(auth.EditLinks), CanEditDomains: may(auth.EditDomains), CanEditDataProducts: may(auth.EditDataProducts),
		CanEditOwners: may(auth.EditOwners), CanEditIncidents: may(auth.EditIncidents), CanEditAssertions: may(auth.EditAssertions), CanEditAssertionOwners: may(auth.EditOwners),
		CanEditDeprecation: may(auth.EditDeprecation), CanEditSchemaFieldTags: may(auth.EditColumnTags), CanEditSchemaFieldGlossaryTerms: may(auth.EditColumnTerms),
		CanEditSchemaFieldDescription: may(auth.EditColumnDocs), CanViewDatasetUsage: may(auth.ViewUsage), CanViewDatasetProfile: may(auth.ViewProfile),
		CanViewDatasetOperations: may(auth.ViewOperations), CanManageAssetSummary: may(auth.ManageAssetSummary),
	}, nil
}

// RoleIsMine tells whether the caller holds an access role.
func (a *api) RoleIsMine(ctx context.Context, _ *loader, at place, _ *set) (bool, error) {
	me := string(actor(ctx))
	if me == "" {
		return false, nil
	}
	for _, o := range jsontree.Children(jsontree.AsObject(at.Aspect("actors")), "users") {
		if jsontree.Text(o, "user") == me {
			return true, nil
		}
	}
	return false, nil
}

// FormIsMine tells whether the caller is to fill in a form.
func (a *api) FormIsMine(ctx context.Context, _ *loader, at place, _ *set) (bool, error) {
	me := actor(ctx)
	if me == "" {
		return false, nil
	}
	for _, s := range jsontree.Texts(at.Record, "users") {
		if s == string(me) {
			return true, nil
		}
	}
	groups, err := a.groupsOf(ctx, me)
	if err != nil {
		return false, err
	}
	for _, s := range jsontree.Texts(at.Record, "groups") {
		if groups[urn.URN(s)] {
			return true, nil
		}
	}
	return false, nil
}

// groupsOf are the groups a user is in.
func (a *api) groupsOf(ctx context.Context, u urn.URN) (map[urn.URN]bool, error) {
	out := map[urn.URN]bool{}
	for aspect, member := range map[string]string{"groupMembership": "groups", "nativeGroupMembership": "nativeGroups"} {
		found, err := a.aspect(ctx, u, aspect)
		if err != nil {
			return nil, err
		}
		for _, s := range jsontree.Texts(found, member) {
			out[urn.URN(s)] = true
		}
	}
	return out, nil
}
