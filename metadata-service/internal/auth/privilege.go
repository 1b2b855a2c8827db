package auth

// Privileges over entities, and the remaining platform privileges.
const (
	CreateTags              Privilege = "CREATE_TAGS"
	ManageTags              Privilege = "MANAGE_TAGS"
	CreateDomains           Privilege = "CREATE_DOMAINS"
	ManageDomains           Privilege = "MANAGE_DOMAINS"
	ManageGlossaries        Privilege = "MANAGE_GLOSSARIES"
	ManageGlossaryChildren  Privilege = "MANAGE_GLOSSARY_CHILDREN"
	ManageGlossaryBelow     Privilege = "MANAGE_ALL_GLOSSARY_CHILDREN"
	ManageOwnershipTypes    Privilege = "MANAGE_GLOBAL_OWNERSHIP_TYPES"
	ManageProperties        Privilege = "MANAGE_STRUCTURED_PROPERTIES"
	ViewProperties          Privilege = "VIEW_STRUCTURED_PROPERTIES_PAGE"
	ManageForms             Privilege = "MANAGE_DOCUMENTATION_FORMS"
	ManageDataProducts      Privilege = "MANAGE_DATA_PRODUCTS"
	ManageSecrets           Privilege = "MANAGE_SECRETS"
	ManageConnections       Privilege = "MANAGE_CONNECTIONS"
	ManageGlobalViews       Privilege = "MANAGE_GLOBAL_VIEWS"
	ManageSettings          Privilege = "MANAGE_GLOBAL_SETTINGS"
	ManageFeatures          Privilege = "MANAGE_FEATURES"
	ManageHomePage          Privilege = "MANAGE_HOME_PAGE_TEMPLATES"
	ManageTests             Privilege = "MANAGE_TESTS"
	ViewTests               Privilege = "VIEW_TESTS"
	ManageDocuments         Privilege = "MANAGE_DOCUMENTS"
	ManageAnnouncements     Privilege = "MANAGE_GLOBAL_ANNOUNCEMENTS"
	CreateAnnouncements     Privilege = "CREATE_GLOBAL_ANNOUNCEMENTS"
	CreateBusinessAttribute Privilege = "CREATE_BUSINESS_ATTRIBUTE"
	ManageBusinessAttribute Privilege = "MANAGE_BUSINESS_ATTRIBUTE"
	CreateLogicalModels     Privilege = "CREATE_LOGICAL_MODELS"
	ViewAnalytics           Privilege = "VIEW_ANALYTICS"
	ViewSystemStatus        Privilege = "VIEW_SYSTEM_STATUS"
	ViewManageTags          Privilege = "VIEW_MANAGE_TAGS"
	ViewPage                Privilege = "VIEW_ENTITY_PAGE"
	ExistsEntity            Privilege = "EXISTS_ENTITY"
	CreateEntity            Privilege = "CREATE_ENTITY"
	EditEntity              Privilege = "EDIT_ENTITY"
	DeleteEntity            Privilege = "DELETE_ENTITY"
	ExecuteEntity           Privilege = "EXECUTE_ENTITY"
	EditTags                Privilege = "EDIT_ENTITY_TAGS"
	EditTerms               Privilege = "EDIT_ENTITY_GLOSSARY_TERMS"
	EditOwners              Privilege = "EDIT_ENTITY_OWNERS"
	EditDocs                Privilege = "EDIT_ENTITY_DOCS"
	EditLinks               Privilege = "EDIT_ENTITY_DOC_LINKS"
	EditStatus              Privilege = "EDIT_ENTITY_STATUS"
	EditDomains             Privilege = "EDIT_DOMAINS_PRIVILEGE"
	EditDataProducts        Privilege = "EDIT_ENTITY_DATA_PRODUCTS"
	EditApplications        Privilege = "EDIT_ENTITY_APPLICATIONS_PRIVILEGE"
	EditDeprecation         Privilege = "EDIT_DEPRECATION_PRIVILEGE"
	EditAssertions          Privilege = "EDIT_ENTITY_ASSERTIONS"
	EditContract            Privilege = "EDIT_ENTITY_DATA_CONTRACT"
	EditIncidents           Privilege = "EDIT_ENTITY_INCIDENTS"
	EditOperations          Privilege = "EDIT_ENTITY_OPERATIONS"
	EditProperties          Privilege = "EDIT_ENTITY_PROPERTIES"
	EditQueries             Privilege = "EDIT_ENTITY_QUERIES"
	EditEmbed               Privilege = "EDIT_ENTITY_EMBED"
	EditLineage             Privilege = "EDIT_LINEAGE"
	EditColumnTags          Privilege = "EDIT_DATASET_COL_TAGS"
	EditColumnTerms         Privilege = "EDIT_DATASET_COL_GLOSSARY_TERMS"
	EditColumnDocs          Privilege = "EDIT_DATASET_COL_DESCRIPTION"
	EditColumnAttribute     Privilege = "EDIT_DATASET_COL_BUSINESS_ATTRIBUTE_PRIVILEGE"
	EditTagColor            Privilege = "EDIT_TAG_COLOR"
	EditGroupMembers        Privilege = "EDIT_GROUP_MEMBERS"
	EditProfile             Privilege = "EDIT_USER_PROFILE"
	EditContact             Privilege = "EDIT_CONTACT_INFO"
	ManageAssetSummary      Privilege = "MANAGE_ASSET_SUMMARY"
	ViewUsage               Privilege = "VIEW_DATASET_USAGE"
	ViewProfile             Privilege = "VIEW_DATASET_PROFILE"
	ViewOperations          Privilege = "VIEW_DATASET_OPERATIONS"
)

// Privileges for parts of the management of users and groups.
const (
	CreateUsersAndGroups Privilege = "CREATE_USERS_AND_GROUPS"
	UpdateUsersAndGroups Privilege = "UPDATE_USERS_AND_GROUPS"
	CreateUsers          Privilege = "CREATE_USERS"
	UpdateUsers          Privilege = "UPDATE_USERS"
	CreateGroups         Privilege = "CREATE_GROUPS"
	UpdateGroups         Privilege = "UPDATE_GROUPS"
)

// Privileges for programs: REST and OpenAPI require them in addition to those for people.
const (
	GetEntity            Privilege = "GET_ENTITY_PRIVILEGE"
	SearchEntities       Privilege = "SEARCH_PRIVILEGE"
	GetCounts            Privilege = "GET_COUNTS_PRIVILEGE"
	GetTimeline          Privilege = "GET_TIMELINE_PRIVILEGE"
	GetTimeseries        Privilege = "GET_TIMESERIES_ASPECT_PRIVILEGE"
	GetTimeseriesSizes   Privilege = "GET_TIMESERIES_INDEX_SIZES_PRIVILEGE"
	TruncateTimeseries   Privilege = "TRUNCATE_TIMESERIES_INDEX_PRIVILEGE"
	GetTaskStatus        Privilege = "GET_ES_TASK_STATUS_PRIVILEGE"
	ExplainQuery         Privilege = "ES_EXPLAIN_QUERY_PRIVILEGE"
	ProducePlatformEvent Privilege = "PRODUCE_PLATFORM_EVENT_PRIVILEGE"
	GetAnalytics         Privilege = "GET_ANALYTICS_PRIVILEGE"
	GetTopicEvents       Privilege = "GET_TOPIC_EVENTS"
	GetPlatformEvents    Privilege = "GET_PLATFORM_EVENTS"
	GetChangeLogEvents   Privilege = "GET_METADATA_CHANGE_LOG_EVENTS"
	CreateERRelationship Privilege = "CREATE_ENTITY_ER_MODEL_RELATIONSHIP"
	DataReadOnly         Privilege = "DATA_READ_ONLY"
	DataReadWrite        Privilege = "DATA_READ_WRITE"
	DataListEntities     Privilege = "DATA_LIST_ENTITIES"
	DataManageTables     Privilege = "DATA_MANAGE_TABLES"
	DataManageViews      Privilege = "DATA_MANAGE_VIEWS"
	DataManageNamespaces Privilege = "DATA_MANAGE_NAMESPACES"
)

// Sets of privileges of which one allows an operation that has no entity as its object. Pass them
// to Over and ForPlatform unchanged.
var (
	ToReadLineage       = []Privilege{ViewPage, GetEntity, EditEntity, EditLineage, DeleteEntity}
	ToDeleteLineage     = []Privilege{EditEntity, DeleteEntity, EditLineage}
	ToReadRelationships = []Privilege{ViewPage, GetEntity, EditEntity}
	ToReadTimeseries    = []Privilege{GetTimeseries, EditEntity, DeleteEntity}
	ToReadCounts        = []Privilege{GetCounts}
	ToReadAnalytics     = []Privilege{ViewAnalytics, GetAnalytics, ManageSystem}
	ToReadStatus        = []Privilege{ViewSystemStatus, ManageSystem}
)

// Level states the resources over which a privilege can be granted.
type Level string

const (
	Platform Level = "platform" // the catalog as a whole
	AnyAsset Level = "asset"    // entities of every type
	OneAsset Level = "some"     // entities of the listed types
	Programs Level = "programs" // as AnyAsset; required by interfaces for programs, and not offered by pages
)

// Right describes a privilege to authors of policies.
type Right struct {
	Privilege   Privilege
	Level       Level
	Types       []string // entity types; only for OneAsset
	Description string
}

// OfPlatform reports whether a privilege applies to the catalog as a whole.
func OfPlatform(p Privilege) bool { return platformRights[p] }

var platformRights = rightsOf(Platform)

func rightsOf(l Level) map[Privilege]bool {
	of := map[Privilege]bool{}
	for _, r := range Rights() {
		if r.Level == l {
			of[r.Privilege] = true
		}
	}
	return of
}

// Rights returns all privileges that policies can grant, platform privileges first.
func Rights() []Right {
	return []Right{
		{ManagePolicies, Platform, nil, "Create, change and delete policies, and thereby the privileges of all users."},
		{ManageUsers, Platform, nil, "Add, change, suspend and remove users and groups."},
		{CreateUsersAndGroups, Platform, nil, "Add users and groups by interfaces of programs."},
		{UpdateUsersAndGroups, Platform, nil, "Change users and groups by interfaces of programs."},
		{CreateUsers, Platform, nil, "Add users by interfaces of programs."},
		{UpdateUsers, Platform, nil, "Add, change and delete users by interfaces of programs."},
		{CreateGroups, Platform, nil, "Add groups by interfaces of programs."},
		{UpdateGroups, Platform, nil, "Add, change and delete groups by interfaces of programs."},
		{ManageCredentials, Platform, nil, "Invite users and give out links to reset passwords."},
		{ManageIngestion, Platform, nil, "Create, change, run and delete ingestion sources."},
		{ManageSecrets, Platform, nil, "Create, change and delete the secrets that recipes name."},
		{ManageConnections, Platform, nil, "Read and change connections to other systems."},
		{GenerateTokens, Platform, nil, "Make access tokens for oneself."},
		{ManageTokens, Platform, nil, "Create access tokens for all users, see and revoke all of them."},
		{ManageServiceAcct, Platform, nil, "Create and delete service accounts and make tokens for them."},
		{CreateDomains, Platform, nil, "Create domains."},
		{ManageDomains, Platform, nil, "Create, move, rename and delete domains."},
		{ManageGlossaries, Platform, nil, "Create, change, move and delete all terms and nodes of the glossary."},
		{CreateTags, Platform, nil, "Create tags."},
		{ManageTags, Platform, nil, "Create and delete tags."},
		{ViewManageTags, Platform, nil, "See the page that lists all tags."},
		{ManageTests, Platform, nil, "Create, change and delete metadata tests."},
		{ViewTests, Platform, nil, "See metadata tests."},
		{ManageGlobalViews, Platform, nil, "Create, change and delete views that everybody sees."},
		{ManageSettings, Platform, nil, "Change settings that apply to all users."},
		{ManageFeatures, Platform, nil, "Switch features on and off."},
		{ManageHomePage, Platform, nil, "Change the home page that everybody sees."},
		{ManageOwnershipTypes, Platform, nil, "Create, change and delete types of ownership."},
		{ManageProperties, Platform, nil, "Create, change and delete structured properties."},
		{ViewProperties, Platform, nil, "See the page that lists structured properties."},
		{ManageForms, Platform, nil, "Create, change, assign and delete forms."},
		{CreateAnnouncements, Platform, nil, "Write announcements on the home page."},
		{ManageAnnouncements, Platform, nil, "Write, change and delete announcements."},
		{CreateBusinessAttribute, Platform, nil, "Create business attributes."},
		{ManageBusinessAttribute, Platform, nil, "Create, change and delete business attributes."},
		{CreateLogicalModels, Platform, nil, "Create logical models."},
		{ManageDocuments, Platform, nil, "Create, change and delete all documents."},
		{ViewAnalytics, Platform, nil, "See how the catalog is used."},
		{GetAnalytics, Platform, nil, "Read how the catalog is used, by interfaces of programs."},
		{GetPlatformEvents, Platform, nil, "Follow platform events."},
		{GetChangeLogEvents, Platform, nil, "Follow the log of changes."},
		{GetTopicEvents, Platform, nil, "Follow events of every topic."},
		{ManageSystem, Platform, nil, "Run operations on the system, such as rebuilding the index."},
		{ViewSystemStatus, Platform, nil, "See the positions of the followers of the change log, and the names of its topics."},
		{RestoreIndices, Platform, nil, "Rebuild the search index and the graph from the stored aspects."},
		{ApplyRetention, Platform, nil, "Remove old versions that no rule of retention keeps."},
		{SetWriteable, Platform, nil, "Stop all writing and let it go on."},
		{ViewPage, AnyAsset, nil, "See an asset and its metadata."},
		{CreateEntity, AnyAsset, nil, "Create the asset."},
		{ExistsEntity, AnyAsset, nil, "Ask whether the asset is there."},
		{EditEntity, AnyAsset, nil, "Change everything about an asset."},
		{DeleteEntity, AnyAsset, nil, "Delete an asset."},
		{EditTags, AnyAsset, nil, "Add tags to an asset and remove them."},
		{EditTerms, AnyAsset, nil, "Add glossary terms to an asset and remove them."},
		{EditOwners, AnyAsset, nil, "Add owners to an asset and remove them."},
		{EditDocs, AnyAsset, nil, "Change the description of an asset."},
		{EditLinks, AnyAsset, nil, "Change the links of an asset."},
		{EditStatus, AnyAsset, nil, "Soft-delete an asset and bring it back."},
		{EditDomains, AnyAsset, nil, "Put an asset into a domain."},
		{EditDataProducts, AnyAsset, nil, "Put an asset into data products."},
		{EditApplications, AnyAsset, nil, "Assign an asset to applications."},
		{EditDeprecation, AnyAsset, nil, "Mark an asset as deprecated."},
		{EditIncidents, AnyAsset, nil, "Raise and resolve incidents of an asset."},
		{EditProperties, AnyAsset, nil, "Set structured properties of an asset."},
		{ManageAssetSummary, AnyAsset, nil, "Arrange the summary of an asset."},
		{EditLineage, OneAsset, []string{"chart", "dashboard", "dataJob", "dataset"}, "Draw and remove lineage of an asset."},
		{EditAssertions, OneAsset, []string{"dataset"}, "Create, report and delete assertions about a dataset."},
		{EditContract, OneAsset, []string{"dataset"}, "Change the contract of a dataset."},
		{EditOperations, OneAsset, []string{"dataset"}, "Report operations on a dataset."},
		{EditQueries, OneAsset, []string{"dataset"}, "Create, change and delete queries of a dataset."},
		{EditEmbed, OneAsset, []string{"chart", "dashboard", "dataset"}, "Change the embedded preview of an asset."},
		{EditColumnTags, OneAsset, []string{"dataset"}, "Add tags to columns and remove them."},
		{EditColumnTerms, OneAsset, []string{"dataset"}, "Add glossary terms to columns and remove them."},
		{EditColumnDocs, OneAsset, []string{"dataset"}, "Change descriptions of columns."},
		{EditColumnAttribute, OneAsset, []string{"dataset"}, "Give columns a business attribute."},
		{ViewUsage, OneAsset, []string{"dataset", "dashboard"}, "See the users of a dataset or a dashboard, and the number of uses."},
		{ViewProfile, OneAsset, []string{"dataset"}, "See profiles of a dataset, with sample values."},
		{ViewOperations, OneAsset, []string{"dataset"}, "See operations on a dataset."},
		{ExecuteEntity, OneAsset, []string{"dataHubIngestionSource"}, "Run an ingestion source, and stop its runs."},
		{EditTagColor, OneAsset, []string{"tag"}, "Change the colour of a tag."},
		{EditGroupMembers, OneAsset, []string{"corpGroup"}, "Add users to a group and remove them."},
		{EditContact, OneAsset, []string{"corpuser", "corpGroup"}, "Change contact data of a user or group."},
		{EditProfile, OneAsset, []string{"corpuser"}, "Change the profile of a user."},
		{ManageDataProducts, OneAsset, []string{"domain"}, "Create, change and delete data products of a domain."},
		{ManageGlossaryChildren, OneAsset, []string{"glossaryNode"}, "Change the direct children of a glossary node."},
		{ManageGlossaryBelow, OneAsset, []string{"glossaryNode"}, "Change everything below a glossary node."},
		{DataReadOnly, OneAsset, []string{"dataPlatformInstance", "dataset"}, "Read the data of a dataset through the catalog."},
		{DataReadWrite, OneAsset, []string{"dataPlatformInstance", "dataset"}, "Read and write the data of a dataset through the catalog."},
		{DataListEntities, OneAsset, []string{"container", "dataPlatformInstance"}, "List the tables of a namespace through the catalog."},
		{DataManageTables, OneAsset, []string{"container", "dataPlatformInstance"}, "Create and drop tables through the catalog."},
		{DataManageViews, OneAsset, []string{"container", "dataPlatformInstance"}, "Create and drop views through the catalog."},
		{DataManageNamespaces, OneAsset, []string{"container", "dataPlatformInstance"}, "Create and drop namespaces through the catalog."},
		{GetEntity, Programs, nil, "Read entities and their relationships."},
		{SearchEntities, Programs, nil, "Ask whether entities are there, as searches do."},
		{GetCounts, Programs, nil, "Count entities and aspects."},
		{GetTimeline, Programs, nil, "Read the history of changes of an entity."},
		{GetTimeseries, Programs, nil, "Read time series of an entity."},
		{GetTimeseriesSizes, Programs, nil, "Read how large the time series are."},
		{TruncateTimeseries, Programs, nil, "Delete time series of all entities."},
		{GetTaskStatus, Programs, nil, "Read the progress of tasks of the search index."},
		{ExplainQuery, Programs, nil, "Have the ranking of a search explained."},
		{ProducePlatformEvent, Programs, nil, "Write platform events."},
		{CreateERRelationship, Programs, nil, "Relate datasets as in a diagram of entities."},
	}
}

// IsOverNamed reports whether a privilege is held over the entities that a written aspect names,
// and not over the entity with the aspect. Whether an actor holds it over them is decided together
// with the change.
func IsOverNamed(p Privilege) bool {
	switch p {
	case EditGroupMembers, EditIncidents, EditAssertions, EditContract:
		return true
	}
	return false
}
