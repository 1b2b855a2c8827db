package privilege

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
)

// undecidedPrivileges are the privileges needed for entity types and aspects that are missing in
// the tables: additions to the model are closed until a decision is made about them.
var undecidedPrivileges = []auth.Privilege{auth.ManageSystem}

// row holds the privileges needed for the entities of a type, by operation. One privilege of a list
// suffices, and refusals name the first.
type row struct {
	create, read, update, delete, execute, exists []auth.Privilege
	// aspects holds the aspects that need other privileges to be written than the rest.
	aspects map[string][]auth.Privilege
	// separateAspects lists aspects that the privilege to edit an entity does not permit to write,
	// since every user has that privilege over its own account.
	separateAspects []string
	// manage is the privilege that manages a type which configures the installation, empty for
	// other types. General privileges apply to its entities only through policies that name them or
	// the type, see mustName.
	manage auth.Privilege
	// isHidden is true if actors without write access cannot read the entities.
	isHidden bool
}

// entityRow applies to entities that describe data and knowledge about data.
var entityRow = row{
	create:  []auth.Privilege{auth.EditEntity, auth.CreateEntity},
	read:    []auth.Privilege{auth.ViewPage, auth.GetEntity, auth.EditEntity, auth.DeleteEntity},
	update:  []auth.Privilege{auth.EditEntity},
	delete:  []auth.Privilege{auth.DeleteEntity},
	execute: []auth.Privilege{auth.ExecuteEntity},
	exists:  []auth.Privilege{auth.ExistsEntity, auth.EditEntity, auth.DeleteEntity, auth.ViewPage, auth.SearchEntities},
}

// alsoBy returns entityRow for a type with a managing privilege of its own. An actor with that
// privilege needs no privilege over the single entities to write them.
func alsoBy(p auth.Privilege) row {
	r := entityRow
	r.manage = p
	for _, list := range []*[]auth.Privilege{&r.create, &r.update, &r.delete, &r.execute} {
		*list = slices.Concat([]auth.Privilege{p}, *list)
	}
	return r
}

// onlyBy returns the row of types whose entities only special privileges permit to write, since
// they decide about the privileges of others or about the installation itself.
func onlyBy(oneOf ...auth.Privilege) row {
	r := entityRow
	r.create, r.update, r.delete, r.execute, r.manage = oneOf, oneOf, oneOf, oneOf, oneOf[0]
	return r
}

// hidden restricts reading, and knowing about existence, to actors that may write.
func (r row) hidden() row {
	r.read, r.exists, r.isHidden = r.update, r.update, true
	return r
}

// entityRowTypes lists the entity types of entityRow. All others are in rows.
var entityRowTypes = asSet(`
	agentSkill aiAgent api application assertion businessAttribute chart container dashboard dataContract dataFlow dataJob
	dataPlatform dataPlatformInstance dataProcess dataProcessInstance dataProduct dataset domain erModelRelationship
	glossaryNode glossaryTerm incident metric mlFeature mlFeatureTable mlModel mlModelDeployment mlModelGroup mlPrimaryKey
	notebook platformResource query repository role schemaField semanticModel service tag versionSet
`)

// rows holds all other types. Their content decides about the privileges of others, affects the
// pages of all users, or is executed.
var rows = map[string]row{
	"document": documentRow(),

	// Identities and privileges.
	account.EntityType:   userRow(),
	"corpGroup":          groupRow(),
	"inviteToken":        onlyBy(auth.ManageUsers),
	"dataHubPolicy":      onlyBy(auth.ManagePolicies),
	"dataHubRole":        onlyBy(auth.ManagePolicies),
	"dataHubAccessToken": tokenRow(),

	// Ingestion, and the credentials that it uses. Recipes can contain passwords.
	auth.SourceType:     sourceRow(),
	auth.RequestType:    alsoBy(auth.ManageIngestion).hidden(),
	"dataHubAction":     alsoBy(auth.ManageIngestion),
	"dataHubSecret":     onlyBy(auth.ManageSecrets).hidden(),
	"dataHubConnection": connectionRow(),
	"test":              onlyBy(auth.ManageTests), // its actions apply to any asset

	// Settings and content for all users. The settings include the methods of signing in.
	"globalSettings":      onlyBy(auth.ManageSettings).hidden(),
	"dataHubPersona":      alsoBy(auth.ManageSettings),
	"lifecycleStageType":  alsoBy(auth.ManageSettings), // hides entities from searches
	"searchTemplate":      alsoBy(auth.ManageSettings),
	"dataHubView":         alsoBy(auth.ManageGlobalViews), // only their owners read and write personal views, see ownership.go
	"dataHubPageTemplate": alsoBy(auth.ManageHomePage),
	"dataHubPageModule":   alsoBy(auth.ManageHomePage),
	"post":                alsoBy(auth.ManageAnnouncements),
	"dataHubStepState":    onlyBy(auth.ManageSettings), // progress of a user in a tour of the pages, written by that user

	// Definitions that many entities use.
	"structuredProperty": propertyRow(),
	"form":               alsoBy(auth.ManageForms),
	"ownershipType":      alsoBy(auth.ManageOwnershipTypes),
	"dataType":           onlyBy(auth.ManageSystem),
	"entityType":         onlyBy(auth.ManageSystem),

	// The installation itself.
	"dataHubRetention":     onlyBy(auth.ManageSystem), // decides how much history is kept
	"dataHubUpgrade":       onlyBy(auth.ManageSystem), // decides which default data is written again
	"dataHubOpenAPISchema": onlyBy(auth.ManageSystem),
	"dataHubFile":          onlyBy(auth.ManageSystem), // names paths in the file storage
	"telemetry":            onlyBy(auth.ManageSystem),
}

func documentRow() row {
	r := entityRow
	for _, list := range []*[]auth.Privilege{&r.create, &r.read, &r.update, &r.delete} {
		*list = slices.Concat(*list, []auth.Privilege{auth.ManageDocuments})
	}
	return r
}

// userRow separates the aspects that decide about privileges: an actor that may change users must
// not be able to give a user a role, a group or a password.
func userRow() row {
	r := entityRow
	r.create = []auth.Privilege{auth.ManageUsers, auth.CreateUsersAndGroups, auth.CreateUsers, auth.UpdateUsers}
	r.update = []auth.Privilege{auth.ManageUsers, auth.UpdateUsersAndGroups, auth.UpdateUsers}
	r.delete = []auth.Privilege{auth.ManageUsers, auth.UpdateUsers}
	r.execute = r.update
	r.aspects = map[string][]auth.Privilege{
		account.PasswordAspect: {auth.ManageCredentials},
		// The sub-type alone identifies a user as a service account, for which other actors may
		// create tokens.
		"subTypes": {auth.ManageServiceAcct},
		// Suspension and soft deletion need the privilege to delete.
		account.StateAspect:    r.delete,
		account.StatusAspect:   r.delete,
		account.IngestedGroups: {auth.ManageUsers, auth.UpdateUsersAndGroups},
		account.NativeGroups:   {auth.ManageUsers, auth.UpdateUsersAndGroups},
	}
	r.separateAspects = []string{account.InfoAspect, "origin", "slackUserInfo"}
	return r
}

func groupRow() row {
	r := entityRow
	r.create = []auth.Privilege{auth.ManageUsers, auth.CreateUsersAndGroups, auth.CreateGroups, auth.UpdateGroups}
	r.update = []auth.Privilege{auth.ManageUsers, auth.UpdateUsersAndGroups, auth.UpdateGroups}
	r.delete = []auth.Privilege{auth.ManageUsers, auth.UpdateGroups}
	r.execute = r.update
	return r
}

// tokenRow ensures that no privilege over entities bypasses the privilege over tokens.
func tokenRow() row { return onlyBy(auth.ManageTokens).hidden() }

func sourceRow() row {
	r := alsoBy(auth.ManageIngestion).hidden()
	r.create = []auth.Privilege{auth.ManageIngestion}
	return r
}

// connectionRow hides the credentials of a connection to another system from actors that may edit
// entities.
func connectionRow() row {
	r := alsoBy(auth.ManageConnections)
	r.aspects = map[string][]auth.Privilege{"dataHubConnectionDetails": {auth.ManageConnections}}
	return r
}

// confidentialAspects lists the aspects that only actors with the privilege to write them may read.
// Aspects of types that are hidden as a whole are not listed.
var confidentialAspects = asSet("dataHubConnectionDetails")

func propertyRow() row {
	r := alsoBy(auth.ManageProperties)
	r.create = []auth.Privilege{auth.ManageProperties}
	r.read = []auth.Privilege{auth.ViewPage, auth.ManageProperties}
	return r
}

// seriesPrivileges lists, by entity type, the time-series aspects that need an additional privilege
// over the entity for reading, since they identify the users of an asset or contain sample values.
var seriesPrivileges = map[string]map[string]auth.Privilege{
	"dataset": {
		"datasetProfile": auth.ViewProfile, "datasetUsageStatistics": auth.ViewUsage, "operation": auth.ViewOperations,
	},
	"dashboard": {"dashboardUsageStatistics": auth.ViewUsage},
}

// overNamed lists, by aspect, privileges that are held over the entities which the aspect names,
// and not over the entity with the aspect. They come last among the privileges for writing the
// aspect. An actor that holds one over any entity passes the check of the table; the rules of the
// catalog then require it over each entity that the change affects.
var overNamed = map[string]struct {
	auth.Privilege
	removes bool // the privilege also permits removing the aspect
}{
	account.IngestedGroups: {auth.EditGroupMembers, true}, account.NativeGroups: {auth.EditGroupMembers, true},
	"incidentInfo": {auth.EditIncidents, false}, "assertionInfo": {auth.EditAssertions, false}, "dataContractProperties": {auth.EditContract, false},
}

// followsDataset are the privileges over entities that hold facts about an asset. For a column they
// are held over its dataset or over the column itself.
var followsDataset = []auth.Privilege{auth.EditIncidents, auth.EditAssertions, auth.EditContract, auth.EditQueries}

// aspectPrivileges lists aspects that need a privilege of their own in entities of any type.
var aspectPrivileges = map[string][]auth.Privilege{
	account.RolesAspect: {auth.ManagePolicies},
}

// inheritedAspects lists the aspects that follow the rule of their entity type. The key aspect of
// each type follows it, too.
var inheritedAspects = asSet(`
	access actors agentSkillInfo aiAgentDependencies aiAgentInfo aiContext aliases apiProperties apiSignature applicationLineage
	applicationProperties applications assertionActions assertionInfo assertionNote assertionRunEvent assertionRunSummary assetSettings
	browsePaths browsePathsV2 businessAttributeInfo businessAttributes chartInfo chartQuery chartUsageStatistics container containerProperties
	corpGroupEditableInfo corpGroupInfo corpUserEditableInfo corpUserInfo corpUserSettings corpUserStatus cost dashboardInfo
	dashboardUsageStatistics dataContractProperties dataContractStatus dataFlowInfo dataHubAccessTokenInfo dataHubConnectionDetails
	dataHubExecutionRequestInput dataHubExecutionRequestResult dataHubExecutionRequestSignal dataHubFileInfo dataHubIngestionSourceInfo
	dataHubPageModuleProperties dataHubPageTemplateProperties dataHubPersonaInfo dataHubPolicyInfo dataHubRetentionConfig dataHubRoleInfo
	dataHubSecretValue dataHubStepStateProperties dataHubUpgradeRequest dataHubUpgradeResult dataHubViewInfo dataJobInfo dataJobInputOutput
	dataPlatformInfo dataPlatformInstance dataPlatformInstanceProperties dataProcessInfo dataProcessInstanceInput dataProcessInstanceOutput
	dataProcessInstanceProperties dataProcessInstanceRelationships dataProcessInstanceRunEvent dataProductProperties dataProducts
	dataTransformLogic dataTypeInfo datahubIngestionCheckpoint datahubIngestionRunSummary datasetDeprecation datasetProfile datasetProperties
	datasetUpstreamLineage datasetUsageStatistics deprecation displayProperties documentInfo documentSettings documentUsageStatistics
	documentation domainProperties domains dynamicFormAssignment editableChartProperties editableContainerProperties editableDashboardProperties
	editableDataFlowProperties editableDataJobProperties editableDatasetProperties editableERModelRelationshipProperties
	editableMlFeatureProperties editableMlFeatureTableProperties editableMlModelGroupProperties editableMlModelProperties
	editableMlPrimaryKeyProperties editableNotebookProperties editableSchemaMetadata embed entityTypeInfo erModelRelationshipProperties formInfo
	forms globalSettingsInfo globalTags glossaryNodeInfo glossaryRelatedTerms glossaryTermInfo glossaryTerms groupMembership icebergCatalogInfo
	icebergWarehouseInfo incidentExternalLinks incidentInfo incidentNotes incidentsSummary inputFields institutionalMemory intendedUse
	inviteToken lifecycleStageTypeInfo logicalParent mcpServerProperties metricInfo metricRelationships metricUpstreams mlFeatureProperties
	mlFeatureTableProperties mlModelCaveatsAndRecommendations mlModelDeploymentProperties mlModelEthicalConsiderations mlModelEvaluationData
	mlModelFactorPrompts mlModelGroupProperties mlModelMetrics mlModelProperties mlModelQuantitativeAnalyses mlModelTrainingData
	mlPrimaryKeyProperties mlTrainingRunProperties nativeGroupMembership notebookContent notebookInfo operation origin ownership
	ownershipTypeInfo partitionsSummary platformResourceInfo postInfo propertyDefinition queryProperties querySubjects queryUsageStatistics
	repositoryLineage repositoryProperties repositorySource restApiProperties roleProperties schemaFieldAliases schemaMetadata schemafieldInfo
	searchTemplateProperties semanticContent semanticFieldAnnotation semanticModelInfo semanticModelProperties semanticText serviceDefinition
	serviceProperties siblings slackUserInfo sourceCode status storageFeatures structuredProperties structuredPropertySettings subTypes
	systemMetadata tagProperties telemetryClientId testInfo testResults testRunEvent upstreamLineage upstreamMetrics usageFeatures
	versionInfo versionProperties versionSetProperties viewProperties
`)

func asSet(names string) map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(names) {
		set[name] = true
	}
	return set
}

// closedRow is the row of types that are missing in the tables.
var closedRow = row{create: undecidedPrivileges, read: undecidedPrivileges, update: undecidedPrivileges, delete: undecidedPrivileges, execute: undecidedPrivileges, exists: entityRow.exists}

// rowOf returns the row of an entity type.
func rowOf(entityType string) *row {
	if entityRowTypes[entityType] {
		return &entityRow
	}
	if r, ok := tableRows[entityType]; ok {
		return r
	}
	return &closedRow
}

// tableRows holds pointers to the rows, so that a lookup copies nothing.
var tableRows = byReference(rows)

func byReference(table map[string]row) map[string]*row {
	refs := make(map[string]*row, len(table))
	for name, r := range table {
		refs[name] = &r
	}
	return refs
}

// toWrite returns the privileges for an operation that writes an aspect of an entity type, or the
// entity as a whole if the aspect is empty.
func toWrite(entityType, aspect string, otherwise []auth.Privilege) []auth.Privilege {
	r := rowOf(entityType)
	if p, ok := r.aspects[aspect]; ok {
		return p
	}
	if p, ok := aspectPrivileges[aspect]; ok {
		return p
	}
	if r == &closedRow || aspect != "" && !follows(entityType, aspect) {
		return undecidedPrivileges
	}
	return otherwise
}

// follows reports whether an aspect follows the rule of its entity type.
func follows(entityType, aspect string) bool {
	return inheritedAspects[aspect] || isKeyOf(entityType, aspect)
}

func isKeyOf(entityType, aspect string) bool { return strings.EqualFold(aspect, entityType+"Key") }
