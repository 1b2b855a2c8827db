package policy

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// reach is what the operations of people write by a privilege.
type reach struct {
	// aspects are those of the entities that were asked about, and of their columns.
	aspects []string
	// types are entity types of which any entity is created, changed and deleted by the
	// privilege: what is kept about the entities that were asked about, and, for privileges of
	// the platform, what these are about.
	types []string
	// exact are aspects of the entities that were asked about, also those that take a privilege
	// of their own otherwise.
	exact []string
	// members are single aspects of further entities: those of an entity type by its name.
	members map[string][]string
	// delete tells that the entities that were asked about may be deleted for good.
	delete bool
}

const everyAspect = "*"

// reaches is the half of the table that is read from privileges to aspects: the
// writes that rest on a privilege which an operation of people asked for. Privileges
// to see and to use are not in it, since nothing is written by them. EDIT_ENTITY and
// CREATE_ENTITY are not in it either: what they permit differs by entity type and
// aspect, so the other half of the table decides about each aspect that is written.
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

	// What is kept about an asset in an entity of its own.
	auth.EditAssertions: {types: []string{"assertion"}},
	auth.EditContract:   {types: []string{"dataContract"}},
	auth.EditIncidents:  {types: []string{"incident"}},
	auth.EditQueries:    {types: []string{"query"}},

	auth.CreateERRelationship: {types: []string{"erModelRelationship"}},
	auth.ExecuteEntity:        {types: []string{auth.RequestType}},
	auth.EditDataProducts:     {members: map[string][]string{"dataProduct": {"dataProductProperties"}}},

	// Privileges of the platform, and over a part of it.
	auth.ManagePolicies: {types: []string{policyEntity}, members: map[string][]string{account.EntityType: {roleMembership}, groupEntity: {roleMembership}}},
	auth.ManageUsers: {types: []string{account.EntityType, "corpGroup"}, members: map[string][]string{
		account.EntityType: {account.InfoAspect, account.StateAspect, account.StatusAspect, groupMembership, nativeGroupMembership},
	}},
	// Over the accounts that the service has verified to be service accounts, and over no person.
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
	// Tests keep their results on assets, and do to these what their actions say.
	auth.ManageTests: {types: []string{"test"}, members: map[string][]string{everyType: {
		"testResults", "globalTags", "glossaryTerms", "ownership", "domains", "deprecation", "structuredProperties", "forms",
	}}},
}

const everyType = "*"

// Reaches tells whether a write rests on a check that is allowed. A check by the
// table reaches what it asks about and nothing else.
func Reaches(c *auth.Check, op auth.Operation, entity urn.URN, aspect string) bool {
	if c.Anywhere {
		return false
	}
	if len(c.AnyOf) == 0 && c.Operation == auth.OpManage {
		return entity.Type() == c.Type && !isApart(entity.Type(), aspect)
	}
	if len(c.AnyOf) == 0 {
		return op == c.Operation && slices.Contains(c.Entities, entity) && (c.Aspect == "" || c.Aspect == aspect)
	}
	if c.Operation == auth.OpRead {
		return false // asked in order to read
	}
	asked := isAmong(c, entity)
	if asked && aspect != "" && slices.Contains(c.Writes, aspect) && !isKeyOf(entity.Type(), aspect) && !isApart(entity.Type(), aspect) {
		return true
	}
	for _, p := range c.AnyOf {
		switch {
		case p == auth.Own && asked && isOwnAspect(entity, aspect), p == auth.AcceptRole && asked && aspect == roleMembership:
			return true
		case reaches[p].covers(op, entity, aspect, asked):
			return true
		}
	}
	return false
}

// isAmong tells whether a check asked about an entity, or about that of which it is
// a column.
func isAmong(c *auth.Check, entity urn.URN) bool {
	if slices.Contains(c.Entities, entity) || slices.Contains(c.Concerns, entity) {
		return true
	}
	parent := model.ParentOfColumn(entity)
	return parent != "" && slices.Contains(c.Entities, parent)
}

func (r reach) covers(op auth.Operation, entity urn.URN, aspect string, asked bool) bool {
	switch entityType := entity.Type(); {
	case slices.Contains(r.types, entityType) && !isApart(entityType, aspect):
		return true
	case slices.Contains(r.members[entityType], aspect), slices.Contains(r.members[everyType], aspect):
		return true
	case !asked:
		return false
	case slices.Contains(r.exact, aspect):
		return true
	case op == auth.OpDelete && (aspect == "" || isKeyOf(entity.Type(), aspect)):
		return r.delete
	case isApart(entity.Type(), aspect):
		return false
	}
	return slices.Contains(r.aspects, aspect)
}

// isApart tells whether an aspect needs a privilege of its own, whatever else an
// actor may change about the entity.
func isApart(entityType, aspect string) bool {
	r := rowOf(entityType)
	_, apart := r.aspects[aspect]
	return apart || slices.Contains(r.apart, aspect) || decisive[aspect] != nil
}
