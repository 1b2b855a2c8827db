package privilege

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// reach describes the writes that a privilege permits to operations for people.
type reach struct {
	// aspects are aspects of the entities of the check, and of their columns.
	aspects []string
	// types are entity types of which the privilege permits creating, changing and deleting any
	// entity: entities with facts about those of the check and, for platform privileges, the
	// managed entities themselves.
	types []string
	// exact are aspects of the entities of the check, including aspects that otherwise need a
	// privilege of their own.
	exact []string
	// members are single aspects of further entities, by entity type.
	members map[string][]string
	// delete permits the hard deletion of the entities of the check.
	delete bool
}

const everyAspect = "*"

// reaches is the table from privileges to aspects: the writes that a privilege permits if an
// operation for people has checked it. Privileges for viewing and using are missing, since they
// permit no writes. EDIT_ENTITY and CREATE_ENTITY are missing as well: their effect differs by
// entity type and aspect, so the table in table.go decides about each written aspect.
var reaches = map[auth.Privilege]reach{
	auth.DeleteEntity: {aspects: []string{"status"}, delete: true},

	auth.EditTags:         {aspects: []string{"globalTags"}},
	auth.EditTerms:        {aspects: []string{"glossaryTerms"}},
	auth.EditOwners:       {aspects: []string{"ownership"}},
	auth.EditLinks:        {aspects: []string{"institutionalMemory"}},
	auth.EditStatus:       {aspects: []string{"status"}},
	auth.EditDomains:      {aspects: []string{"domains"}},
	auth.EditDeprecation:  {aspects: []string{"deprecation"}},
	auth.EditProperties:   {aspects: []string{"structuredProperties", "editableDatasetProperties"}},
	auth.EditEmbed:        {aspects: []string{"embed"}},
	auth.EditOperations:   {aspects: []string{"operation"}},
	auth.EditApplications: {aspects: []string{"applications"}},
	auth.EditTagColor:     {aspects: []string{"tagProperties"}},
	auth.EditLineage: {aspects: []string{
		"upstreamLineage", "dataJobInputOutput", "chartInfo", "dashboardInfo",
	}},
	auth.EditDocs: {aspects: []string{
		"editableDatasetProperties", "editableNotebookProperties", "editableContainerProperties", "editableChartProperties",
		"editableDashboardProperties", "editableDataFlowProperties", "editableDataJobProperties", "editableMlModelProperties",
		"editableMlModelGroupProperties", "editableMlFeatureTableProperties", "editableMlFeatureProperties", "editableMlPrimaryKeyProperties",
		"tagProperties", "domainProperties", "glossaryTermInfo", "glossaryNodeInfo", "corpGroupEditableInfo", "dataProductProperties",
		"applicationProperties", "businessAttributeInfo", "documentInfo", "editableERModelRelationshipProperties",
	}},
	auth.EditColumnTags:      {aspects: []string{"editableSchemaMetadata"}},
	auth.EditColumnTerms:     {aspects: []string{"editableSchemaMetadata"}},
	auth.EditColumnDocs:      {aspects: []string{"editableSchemaMetadata"}},
	auth.EditColumnAttribute: {aspects: []string{"businessAttributes"}},
	auth.ManageAssetSummary:  {aspects: []string{"assetSettings"}},
	auth.EditProfile:         {aspects: []string{"corpUserEditableInfo"}},
	auth.EditContact:         {aspects: []string{"corpUserEditableInfo", "corpGroupEditableInfo"}},
	auth.EditGroupMembers:    {aspects: []string{"origin"}, members: map[string][]string{account.EntityType: {"nativeGroupMembership", "groupMembership"}}},

	// Entities that hold facts about an asset.
	auth.EditAssertions: {types: []string{"assertion"}},
	auth.EditContract:   {types: []string{"dataContract"}},
	auth.EditIncidents:  {types: []string{"incident"}},
	auth.EditQueries:    {types: []string{"query"}},

	auth.CreateERRelationship: {types: []string{"erModelRelationship"}},
	auth.ExecuteEntity:        {types: []string{auth.RequestType}},
	auth.EditDataProducts:     {members: map[string][]string{"dataProduct": {"dataProductProperties"}}},

	// Platform privileges, and privileges over a part of the platform.
	auth.ManagePolicies: {types: []string{"dataHubPolicy"}, members: map[string][]string{account.EntityType: {account.RolesAspect}, account.GroupType: {account.RolesAspect}}},
	auth.ManageUsers: {types: []string{account.EntityType, "corpGroup"}, members: map[string][]string{
		account.EntityType: {account.InfoAspect, account.StateAspect, account.StatusAspect, account.IngestedGroups, account.NativeGroups},
	}},
	// Over accounts that the service has verified to be service accounts, and never over people.
	auth.ManageServiceAcct:       {exact: []string{account.TypesAspect, account.InfoAspect}, aspects: []string{"corpUserSettings"}, delete: true},
	auth.CreateTags:              {types: []string{"tag"}},
	auth.CreateLogicalModels:     {members: map[string][]string{"dataset": {"datasetProperties", "schemaMetadata", "ownership"}}},
	auth.ManageTags:              {types: []string{"tag"}},
	auth.CreateDomains:           {types: []string{"domain"}},
	auth.ManageDomains:           {types: []string{"domain"}},
	auth.ManageGlossaries:        {types: []string{"glossaryTerm", "glossaryNode"}},
	auth.ManageGlossaryChildren:  {types: []string{"glossaryTerm", "glossaryNode"}},
	auth.ManageGlossaryBelow:     {types: []string{"glossaryTerm", "glossaryNode"}},
	auth.ManageDataProducts:      {types: []string{"dataProduct"}},
	auth.ManageOwnershipTypes:    {types: []string{"ownershipType"}},
	auth.ManageProperties:        {types: []string{"structuredProperty"}},
	auth.CreateBusinessAttribute: {types: []string{"businessAttribute"}},
	auth.ManageBusinessAttribute: {types: []string{"businessAttribute"}},
	auth.CreateAnnouncements:     {types: []string{"post"}},
	auth.ManageAnnouncements:     {types: []string{"post"}},
	auth.ManageIngestion:         {types: []string{auth.SourceType, auth.RequestType}},
	auth.ManageSecrets:           {types: []string{"dataHubSecret"}},
	auth.ManageConnections:       {types: []string{"dataHubConnection"}},
	auth.ManageGlobalViews:       {types: []string{"dataHubView", "globalSettings"}},
	auth.ManageHomePage:          {types: []string{"dataHubPageTemplate", "dataHubPageModule"}},
	auth.ManageFeatures:          {types: []string{"globalSettings"}},
	auth.ManageForms:             {types: []string{"form"}, members: map[string][]string{everyType: {"forms"}}},
	// Tests store their results on assets, and apply their actions to them.
	auth.ManageTests: {types: []string{"test"}, members: map[string][]string{everyType: {
		"testResults", "globalTags", "glossaryTerms", "ownership", "domains", "deprecation", "structuredProperties", "forms",
	}}},
}

const everyType = "*"

// Reaches reports whether an allowed check permits a write. A check by the table permits exactly
// its own operation.
func Reaches(c *auth.Check, op auth.Operation, entity urn.URN, aspect string) bool {
	if c.Anywhere {
		return false
	}
	if len(c.AnyOf) == 0 && c.Operation == auth.OpManage {
		return entity.Type() == c.Type && !needsOwnPrivilege(entity.Type(), aspect)
	}
	if len(c.AnyOf) == 0 {
		return op == c.Operation && slices.Contains(c.Entities, entity) && (c.Aspect == "" || c.Aspect == aspect)
	}
	if c.Operation == auth.OpRead {
		return false // the check is for reading
	}
	asked := isAmong(c, entity)
	if asked && aspect != "" && slices.Contains(c.Writes, aspect) && !isKeyOf(entity.Type(), aspect) && !needsOwnPrivilege(entity.Type(), aspect) {
		return true
	}
	for _, p := range c.AnyOf {
		switch {
		case p == auth.Own && asked && IsOwn(entity, aspect), p == auth.AcceptRole && asked && aspect == account.RolesAspect:
			return true
		case reaches[p].covers(op, entity, aspect, asked):
			return true
		}
	}
	return false
}

// isAmong reports whether a check is about an entity, or about the dataset of a column.
func isAmong(c *auth.Check, entity urn.URN) bool {
	if slices.Contains(c.Entities, entity) || slices.Contains(c.Concerns, entity) {
		return true
	}
	parent := model.ParentOfColumn(entity)
	return parent != "" && slices.Contains(c.Entities, parent)
}

func (r reach) covers(op auth.Operation, entity urn.URN, aspect string, asked bool) bool {
	switch entityType := entity.Type(); {
	case slices.Contains(r.types, entityType) && !needsOwnPrivilege(entityType, aspect):
		return true
	case slices.Contains(r.members[entityType], aspect), slices.Contains(r.members[everyType], aspect):
		return true
	case !asked:
		return false
	case slices.Contains(r.exact, aspect):
		return true
	case op == auth.OpDelete && (aspect == "" || isKeyOf(entity.Type(), aspect)):
		return r.delete
	case needsOwnPrivilege(entity.Type(), aspect):
		return false
	}
	return slices.Contains(r.aspects, aspect)
}

// needsOwnPrivilege reports whether an aspect needs a privilege of its own, regardless of the
// actor's other privileges over the entity.
func needsOwnPrivilege(entityType, aspect string) bool {
	r := rowOf(entityType)
	_, separate := r.aspects[aspect]
	return separate || slices.Contains(r.separateAspects, aspect) || aspectPrivileges[aspect] != nil
}
