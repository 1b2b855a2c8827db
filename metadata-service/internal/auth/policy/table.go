package policy

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
)

// undecided is what it takes to touch what the tables do not name: a model that
// grows is closed until somebody decides.
var undecided = []auth.Privilege{auth.ManageSystem}

// row is what it takes to touch the entities of a type, by operation: one of the
// privileges of a list suffices, and the first is the one that refusals name.
type row struct {
	create, read, update, delete, execute, exists []auth.Privilege
	// aspects names those that need other privileges to be written than the rest.
	aspects map[string][]auth.Privilege
	// apart names aspects that the right to edit an entity does not reach, which every user has
	// over the own account.
	apart []string
	// manage is the privilege of a type by which an installation is configured, empty for other types. General
	// privileges reach its entities by policies alone that name them or the type, see mustName.
	manage auth.Privilege
	// isHidden is set where who may not write does not read.
	isHidden bool
}

// entityRow holds for entities that describe data and what people know of it.
var entityRow = row{
	create:  []auth.Privilege{auth.EditEntity, auth.CreateEntity},
	read:    []auth.Privilege{auth.ViewPage, auth.GetEntity, auth.EditEntity, auth.DeleteEntity},
	update:  []auth.Privilege{auth.EditEntity},
	delete:  []auth.Privilege{auth.DeleteEntity},
	execute: []auth.Privilege{auth.ExecuteEntity},
	exists:  []auth.Privilege{auth.ExistsEntity, auth.EditEntity, auth.DeleteEntity, auth.ViewPage, auth.SearchEntities},
}

// alsoBy is entityRow for a type that a privilege of its own is about: whoever
// has it needs no privilege over the single entities to write them.
func alsoBy(p auth.Privilege) row {
	r := entityRow
	r.manage = p
	for _, list := range []*[]auth.Privilege{&r.create, &r.update, &r.delete, &r.execute} {
		*list = slices.Concat([]auth.Privilege{p}, *list)
	}
	return r
}

// onlyBy is for types whose entities are written by privileges of their own alone,
// since they decide about the rights of others or about the installation itself.
func onlyBy(oneOf ...auth.Privilege) row {
	r := entityRow
	r.create, r.update, r.delete, r.execute, r.manage = oneOf, oneOf, oneOf, oneOf, oneOf[0]
	return r
}

// hidden keeps those from reading who may not write, and from being told what there is.
func (r row) hidden() row {
	r.read, r.exists, r.isHidden = r.update, r.update, true
	return r
}

// described lists the entity types of entityRow. All others are in rows.
var described = asSet(`
	agentSkill aiAgent api application assertion businessAttribute chart container dashboard dataContract dataFlow dataJob
	dataPlatform dataPlatformInstance dataProcess dataProcessInstance dataProduct dataset domain erModelRelationship
	glossaryNode glossaryTerm incident metric mlFeature mlFeatureTable mlModel mlModelDeployment mlModelGroup mlPrimaryKey
	notebook platformResource query repository role schemaField semanticModel service tag versionSet
`)

// rows are all other types: what they hold decides about the rights of others,
// what all of them see, or what is run.
var rows = map[string]row{
	"document": documentRow(),

	// Identities and rights.
	account.EntityType:   userRow(),
	"corpGroup":          groupRow(),
	"inviteToken":        onlyBy(auth.ManageUsers),
	"dataHubPolicy":      onlyBy(auth.ManagePolicies),
	"dataHubRole":        onlyBy(auth.ManagePolicies),
	"dataHubAccessToken": tokenRow(),

	// What runs, and what it runs with. People write passwords into recipes.
	auth.SourceType:     sourceRow(),
	auth.RequestType:    alsoBy(auth.ManageIngestion).hidden(),
	"dataHubAction":     alsoBy(auth.ManageIngestion),
	"dataHubSecret":     onlyBy(auth.ManageSecrets).hidden(),
	"dataHubConnection": connectionRow(),
	"test":              onlyBy(auth.ManageTests), // what its actions say is done to any asset

	// What all see, and how. How people sign in is among the settings.
	"globalSettings":      onlyBy(auth.ManageSettings).hidden(),
	"dataHubPersona":      alsoBy(auth.ManageSettings),
	"lifecycleStageType":  alsoBy(auth.ManageSettings), // hides entities from searches
	"searchTemplate":      alsoBy(auth.ManageSettings),
	viewEntity:            alsoBy(auth.ManageGlobalViews), // personal ones are read and written by their owners alone, see belonging.go
	"dataHubPageTemplate": alsoBy(auth.ManageHomePage),
	"dataHubPageModule":   alsoBy(auth.ManageHomePage),
	"post":                alsoBy(auth.ManageAnnouncements),
	stepEntity:            onlyBy(auth.ManageSettings), // how far somebody got in a tour of the pages, written by that person

	// Definitions that many entities rest on.
	"structuredProperty": propertyRow(),
	"form":               alsoBy(auth.ManageForms),
	"ownershipType":      alsoBy(auth.ManageOwnershipTypes),
	"dataType":           onlyBy(auth.ManageSystem),
	"entityType":         onlyBy(auth.ManageSystem),

	// The installation itself.
	"dataHubRetention":     onlyBy(auth.ManageSystem), // decides how much history is kept
	"dataHubUpgrade":       onlyBy(auth.ManageSystem), // decides which default data is written again
	"dataHubOpenAPISchema": onlyBy(auth.ManageSystem),
	"dataHubFile":          onlyBy(auth.ManageSystem), // names places in the storage of files
	"telemetry":            onlyBy(auth.ManageSystem),
}

func documentRow() row {
	r := entityRow
	for _, list := range []*[]auth.Privilege{&r.create, &r.read, &r.update, &r.delete} {
		*list = slices.Concat(*list, []auth.Privilege{auth.ManageDocuments})
	}
	return r
}

// userRow keeps apart what decides about rights: whoever may change users cannot
// give anybody a role, a group or a password by it.
func userRow() row {
	r := entityRow
	r.create = []auth.Privilege{auth.ManageUsers, auth.CreateUsersAndGroups, auth.CreateUsers, auth.UpdateUsers}
	r.update = []auth.Privilege{auth.ManageUsers, auth.UpdateUsersAndGroups, auth.UpdateUsers}
	r.delete = []auth.Privilege{auth.ManageUsers, auth.UpdateUsers}
	r.execute = r.update
	r.aspects = map[string][]auth.Privilege{
		account.PasswordAspect: {auth.ManageCredentials},
		// The sub-type alone makes a user one for whom others get tokens.
		"subTypes": {auth.ManageServiceAcct},
		// Who suspends and who deletes softly is who may delete.
		account.StateAspect:   r.delete,
		account.StatusAspect:  r.delete,
		groupMembership:       {auth.ManageUsers, auth.UpdateUsersAndGroups},
		nativeGroupMembership: {auth.ManageUsers, auth.UpdateUsersAndGroups},
	}
	r.apart = []string{account.InfoAspect, "origin", "slackUserInfo"}
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

// tokenRow makes no way around the privilege over tokens.
func tokenRow() row { return onlyBy(auth.ManageTokens).hidden() }

func sourceRow() row {
	r := alsoBy(auth.ManageIngestion).hidden()
	r.create = []auth.Privilege{auth.ManageIngestion}
	return r
}

// connectionRow keeps what connects the catalog to another system from those that edit entities.
func connectionRow() row {
	r := alsoBy(auth.ManageConnections)
	r.aspects = map[string][]auth.Privilege{"dataHubConnectionDetails": {auth.ManageConnections}}
	return r
}

// confidential are the aspects that only actors read who may write them. Those of the types that
// are hidden as a whole are not among them.
var confidential = asSet("dataHubConnectionDetails")

func propertyRow() row {
	r := alsoBy(auth.ManageProperties)
	r.create = []auth.Privilege{auth.ManageProperties}
	r.read = []auth.Privilege{auth.ViewPage, auth.ManageProperties}
	return r
}

// measured lists, by entity type, the time-series aspects that take a privilege over the
// entity to be read besides the right to read it: they say who uses an asset and hold
// sample values.
var measured = map[string]map[string]auth.Privilege{
	"dataset": {
		"datasetProfile": auth.ViewProfile, "datasetUsageStatistics": auth.ViewUsage, "operation": auth.ViewOperations,
	},
	"dashboard": {"dashboardUsageStatistics": auth.ViewUsage},
}

// Measured returns the privilege that reading a time-series aspect of an entity type takes
// besides the right to read the entity, empty for none.
func Measured(entityType, aspect string) auth.Privilege { return measured[entityType][aspect] }

// overNamed are privileges that are held over the entities which an aspect names, and not over
// the entity that carries it. They come last among those that writing the aspect takes. An actor who holds
// one over any entity passes the check of the table; the rules of the catalog demand it over each entity
// that the change concerns.
var overNamed = map[string]struct {
	auth.Privilege
	removes bool // the aspect is also removed by it
}{
	groupMembership: {auth.EditGroupMembers, true}, nativeGroupMembership: {auth.EditGroupMembers, true},
	"incidentInfo": {auth.EditIncidents, false}, "assertionInfo": {auth.EditAssertions, false}, "dataContractProperties": {auth.EditContract, false},
}

// followsDataset are the privileges over what is kept about an asset in entities of their own.
// Over a column they are those over its dataset, or over the column itself.
var followsDataset = []auth.Privilege{auth.EditIncidents, auth.EditAssertions, auth.EditContract, auth.EditQueries}

// decisive are aspects that need a privilege of their own whatever carries them.
var decisive = map[string][]auth.Privilege{
	roleMembership: {auth.ManagePolicies},
}

// inherited are the aspects that follow the rule of what carries them. The key
// aspect of each type does so, too.
var inherited = asSet(`
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

// closedRow is for types that the tables do not name.
var closedRow = row{create: undecided, read: undecided, update: undecided, delete: undecided, execute: undecided, exists: entityRow.exists}

// rowOf is the row of an entity type.
func rowOf(entityType string) *row {
	if described[entityType] {
		return &entityRow
	}
	if r, ok := tableRows[entityType]; ok {
		return r
	}
	return &closedRow
}

// tableRows are the rows by reference, so that looking one up copies nothing.
var tableRows = byReference(rows)

func byReference(table map[string]row) map[string]*row {
	refs := make(map[string]*row, len(table))
	for name, r := range table {
		refs[name] = &r
	}
	return refs
}

// toWrite are the privileges for an operation that writes an aspect of an entity
// type, or what concerns an entity as a whole when the aspect is empty.
func toWrite(entityType, aspect string, otherwise []auth.Privilege) []auth.Privilege {
	r := rowOf(entityType)
	if p, ok := r.aspects[aspect]; ok {
		return p
	}
	if p, ok := decisive[aspect]; ok {
		return p
	}
	if r == &closedRow || aspect != "" && !follows(entityType, aspect) {
		return undecided
	}
	return otherwise
}

// follows tells whether an aspect follows the rule of its entity type.
func follows(entityType, aspect string) bool {
	return inherited[aspect] || isKeyOf(entityType, aspect)
}

func isKeyOf(entityType, aspect string) bool { return strings.EqualFold(aspect, entityType+"Key") }
