package policy

import (
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
)

// anyone is the decision that all who are signed in may do something. It is not
// the lack of a decision: what the tables do not name is refused.
const anyone auth.Privilege = ""

// undecided is what it takes to touch what the tables do not name: a model that
// grows is closed until somebody decides.
const undecided = auth.ManageSystem

// rule is what it takes to touch the entities of a type.
type rule struct {
	// write is for every change, hard deletion included. Where anyone may write, hard deletion
	// needs DELETE_ENTITY all the same: it cannot be undone.
	write auth.Privilege
	read  auth.Privilege
	// aspects names those that need another privilege to be written than the rest.
	aspects map[string]auth.Privilege
	// own names the aspects that users write of themselves.
	own []string
}

// described are the types of entities that describe data and what people know of
// it. Anyone reads and writes them, so that ingestion needs no privilege.
var described = asSet(`
	agentSkill aiAgent api application assertion businessAttribute chart container dashboard dataContract dataFlow dataJob
	dataPlatform dataPlatformInstance dataProcess dataProcessInstance dataProduct dataset document domain erModelRelationship
	glossaryNode glossaryTerm incident metric mlFeature mlFeatureTable mlModel mlModelDeployment mlModelGroup mlPrimaryKey
	notebook platformResource query repository role schemaField semanticModel service tag versionSet
`)

// curated are described types of which the single operations of people ask for a
// privilege of the platform. Ingestion writes them as it writes what it describes:
// glossaries and domains come from files.
var curated = asSet(`domain glossaryNode`)

// guarded are all other types: what they hold decides about the rights of
// others, what all of them see, or what is run.
var guarded = map[string]rule{
	// Identities and rights.
	account.EntityType: {
		write: auth.ManageUsers,
		aspects: map[string]auth.Privilege{
			account.PasswordAspect: auth.ManageCredentials,
			// The sub-type alone makes a user one for whom others get tokens.
			"subTypes": auth.ManageServiceAcct,
		},
		own: []string{"corpUserEditableInfo", "corpUserSettings"},
	},
	"corpGroup":          {write: auth.ManageUsers},
	"inviteToken":        {write: auth.ManageUsers},
	"dataHubPolicy":      {write: auth.ManagePolicies},
	"dataHubRole":        {write: auth.ManagePolicies},
	"dataHubAccessToken": {write: auth.ManageTokens, read: auth.ManageTokens},

	// What runs, and what it runs with. People write passwords into recipes.
	auth.SourceType:     {write: auth.ManageIngestion, read: auth.ManageIngestion},
	auth.RequestType:    {write: auth.ManageIngestion, read: auth.ManageIngestion},
	"dataHubAction":     {write: auth.ManageIngestion},
	"dataHubSecret":     {write: auth.ManageSecrets, read: auth.ManageSecrets},
	"dataHubConnection": {write: auth.ManageConnections},
	"test":              {write: auth.ManageTests},

	// What all see, and how. How people sign in is among the settings.
	"globalSettings":      {write: auth.ManageSettings, read: auth.ManageSettings},
	"dataHubPersona":      {write: auth.ManageSettings},
	"lifecycleStageType":  {write: auth.ManageSettings}, // hides entities from searches
	"searchTemplate":      {write: auth.ManageSettings},
	"dataHubView":         {write: auth.ManageGlobalViews}, // personal ones are read by their owners alone, see visible.go
	"dataHubPageTemplate": {write: auth.ManageHomePage},
	"dataHubPageModule":   {write: auth.ManageHomePage},
	"post":                {write: auth.ManageAnnouncements},
	"dataHubStepState":    {write: anyone}, // how far somebody got in a tour of the pages

	// Definitions that many entities rest on.
	"structuredProperty": {write: auth.ManageProperties},
	"form":               {write: auth.ManageForms},
	"ownershipType":      {write: auth.ManageOwnershipTypes},
	"dataType":           {write: auth.ManageSystem},
	"entityType":         {write: auth.ManageSystem},

	// The installation itself.
	"dataHubRetention":     {write: auth.ManageSystem}, // decides how much history is kept
	"dataHubUpgrade":       {write: auth.ManageSystem}, // decides which default data is written again
	"dataHubOpenAPISchema": {write: auth.ManageSystem},
	"dataHubFile":          {write: auth.ManageSystem}, // names places in the storage of files
	"telemetry":            {write: auth.ManageSystem},
}

// decisive are aspects that need a privilege of their own whatever carries them.
var decisive = map[string]auth.Privilege{
	"roleMembership": auth.ManagePolicies,
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
	systemMetadata tagProperties telemetryClientId testInfo testResults upstreamLineage upstreamMetrics usageFeatures versionInfo
	versionProperties versionSetProperties viewProperties
`)

func asSet(names string) map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(names) {
		set[name] = true
	}
	return set
}

// ruleOf is the rule of an entity type; ok is false when none was made.
func ruleOf(entityType string) (r rule, ok bool) {
	if r, ok = guarded[entityType]; ok {
		return r, true
	}
	return rule{}, described[entityType]
}

// toRead is the privilege for reading an entity, or its aspect.
func toRead(entityType string) auth.Privilege {
	r, ok := ruleOf(entityType)
	if !ok {
		return undecided
	}
	return r.read
}

// toWrite is the privilege for writing an aspect, or what concerns the entity as
// a whole when the aspect is empty.
func toWrite(entityType, aspect string) auth.Privilege {
	r, ok := ruleOf(entityType)
	if !ok {
		return undecided
	}
	if p, ok := r.aspects[aspect]; ok {
		return p
	}
	if p, ok := decisive[aspect]; ok {
		return p
	}
	if aspect != "" && !follows(entityType, aspect) {
		return undecided
	}
	return r.write
}

// follows tells whether an aspect follows the rule of its entity type.
func follows(entityType, aspect string) bool {
	return inherited[aspect] || isKeyOf(entityType, aspect)
}

func isKeyOf(entityType, aspect string) bool { return strings.EqualFold(aspect, entityType+"Key") }
