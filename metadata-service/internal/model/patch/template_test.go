package patch_test

import "testing"

const (
	dsA     = "urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)"
	dsB     = "urn:li:dataset:(urn:li:dataPlatform:hive,b,PROD)"
	dsC     = "urn:li:dataset:(urn:li:dataPlatform:hive,c,PROD)"
	chartA  = "urn:li:chart:(looker,a)"
	dashA   = "urn:li:dashboard:(looker,a)"
	jobA    = "urn:li:dataJob:(urn:li:dataFlow:(airflow,f,PROD),a)"
	fieldA  = "urn:li:schemaField:(" + dsA + ",x)"
	fieldB  = "urn:li:schemaField:(" + dsB + ",y)"
	fieldC  = "urn:li:schemaField:(" + dsC + ",z)"
	queryA  = "urn:li:query:q"
	stamps  = `{"created":` + stampText + `,"lastModified":` + stampText + `}`
	chart   = `"title":"t","description":"d","lastModified":{}`
	edgeOfA = `{"destinationUrn":"` + dsA + `"}`
	edgeOfB = `{"destinationUrn":"` + dsB + `"}`
)

func upstream(dataset string) string {
	return `{"dataset":"` + dataset + `","type":"VIEW","auditStamp":` + stampText + `}`
}

// One story at least for each aspect with built-in keys: first from nothing,
// then with something stored.
func TestTemplates(t *testing.T) {
	t.Parallel()
	tell(t, []story{
		{"ownership from nothing", "ownership", ``,
			`[{"op":"add","path":"/owners/urn:li:corpuser:a/DATAOWNER","value":{"owner":"urn:li:corpuser:a","type":"DATAOWNER"}}]`,
			`{"owners":[{"owner":"urn:li:corpuser:a","type":"DATAOWNER"}],"lastModified":` + stampText + `}`},
		{"ownership: key fields are filled from the path", "ownership", ``,
			`[{"op":"add","path":"/owners/urn:li:corpuser:a/DATAOWNER","value":{}}]`,
			`{"owners":[{"owner":"urn:li:corpuser:a","type":"DATAOWNER"}],"lastModified":` + stampText + `}`},
		{"ownership: one type of an owner goes", "ownership",
			`{"owners":[{"owner":"urn:li:corpuser:a","type":"DATAOWNER"},{"owner":"urn:li:corpuser:b","type":"DELEGATE"},{"owner":"urn:li:corpuser:a","type":"CONSUMER"}],"lastModified":` + stampText + `}`,
			`[{"op":"remove","path":"/owners/urn:li:corpuser:a/DATAOWNER"}]`,
			`{"owners":[{"owner":"urn:li:corpuser:a","type":"CONSUMER"},{"owner":"urn:li:corpuser:b","type":"DELEGATE"}],"lastModified":` + stampText + `}`},
		{"ownership: all types of an owner go", "ownership",
			`{"owners":[{"owner":"urn:li:corpuser:a","type":"DATAOWNER"},{"owner":"urn:li:corpuser:a","type":"CONSUMER"},{"owner":"urn:li:corpuser:b","type":"DELEGATE"}],"lastModified":` + stampText + `}`,
			`[{"op":"remove","path":"/owners/urn:li:corpuser:a"}]`,
			`{"owners":[{"owner":"urn:li:corpuser:b","type":"DELEGATE"}],"lastModified":` + stampText + `}`},
		{"ownership: the last type of an owner goes", "ownership",
			`{"owners":[{"owner":"urn:li:corpuser:a","type":"DATAOWNER"}],"lastModified":` + stampText + `}`,
			`[{"op":"remove","path":"/owners/urn:li:corpuser:a/DATAOWNER"}]`,
			`{"owners":[],"lastModified":` + stampText + `}`},
		{"ownership: an owner with types by key", "ownership", ``,
			`[{"op":"add","path":"/owners/urn:li:corpuser:a","value":{"DELEGATE":{},"CONSUMER":{}}}]`,
			`{"owners":[{"owner":"urn:li:corpuser:a","type":"CONSUMER"},{"owner":"urn:li:corpuser:a","type":"DELEGATE"}],"lastModified":` + stampText + `}`},
		{"datasetProperties from nothing", "datasetProperties", ``,
			`[{"op":"add","path":"/tags/t","value":"t"},{"op":"add","path":"/customProperties/a~1b~0c","value":"1"},{"op":"add","path":"/name","value":"n"}]`,
			`{"tags":["t"],"customProperties":{"a/b~c":"1"},"name":"n"}`},
		{"datasetProperties: properties go and stay", "datasetProperties", `{"tags":["x","y"],"customProperties":{"a":"1","b":"2"},"description":"d"}`,
			`[{"op":"remove","path":"/tags/x"},{"op":"remove","path":"/customProperties/a"},{"op":"remove","path":"/description"},{"op":"remove","path":"/customProperties/none"}]`,
			`{"tags":["y"],"customProperties":{"b":"2"}}`},
		{"datasetProperties: created below a missing parent", "datasetProperties", ``,
			`[{"op":"add","path":"/created/time","value":5}]`, `{"tags":[],"customProperties":{},"created":{"time":5}}`},
		{"upstreamLineage", "upstreamLineage", `{"upstreams":[` + upstream(dsA) + `,` + upstream(dsB) + `]}`,
			`[{"op":"remove","path":"/upstreams/` + dsA + `"},{"op":"add","path":"/upstreams/` + dsC + `","value":{"type":"VIEW","auditStamp":` + stampText + `}}]`,
			`{"upstreams":[` + upstream(dsB) + `,` + upstream(dsC) + `]}`},
		{"documentation by nested key", "documentation", `{"documentations":[{"documentation":"plain"},{"documentation":"old","attribution":{"time":1,"actor":"urn:li:corpuser:a","source":"urn:li:dataHubAction:x"}}]}`,
			`[{"op":"replace","path":"/documentations/urn:li:dataHubAction:x/documentation","value":"new"}]`,
			`{"documentations":[{"documentation":"plain"},{"documentation":"new","attribution":{"time":1,"actor":"urn:li:corpuser:a","source":"urn:li:dataHubAction:x"}}]}`},
		{"documentation without a source has the empty key", "documentation", `{"documentations":[{"documentation":"plain"}]}`,
			`[{"op":"add","path":"/documentations/","value":{"documentation":"other"}}]`,
			`{"documentations":[{"documentation":"other"}]}`},
		{"globalTags from nothing", "globalTags", ``,
			`[{"op":"add","path":"/tags/urn:li:tag:a~1b","value":{"tag":"urn:li:tag:a/b","context":"c"}}]`, `{"tags":[{"tag":"urn:li:tag:a/b","context":"c"}]}`},
		{"globalTags: elements keep their place", "globalTags", `{"tags":[{"tag":"urn:li:tag:z"},{"tag":"urn:li:tag:a"},{"tag":"urn:li:tag:m"}]}`,
			`[{"op":"add","path":"/tags/urn:li:tag:a","value":{"context":"new"}},{"op":"add","path":"/tags/urn:li:tag:b","value":{}},{"op":"remove","path":"/tags/urn:li:tag:none"}]`,
			`{"tags":[{"tag":"urn:li:tag:z"},{"tag":"urn:li:tag:a","context":"new"},{"tag":"urn:li:tag:m"},{"tag":"urn:li:tag:b"}]}`},
		{"globalTags: the whole array is replaced", "globalTags", `{"tags":[{"tag":"urn:li:tag:z"}]}`,
			`[{"op":"replace","path":"/tags","value":[{"tag":"urn:li:tag:b"},{"tag":"urn:li:tag:a"}]},{"op":"remove","path":"/tags/urn:li:tag:b"}]`,
			`{"tags":[{"tag":"urn:li:tag:a"}]}`},
		{"globalTags: the whole array is removed and comes back", "globalTags", `{"tags":[{"tag":"urn:li:tag:z"}]}`,
			`[{"op":"remove","path":"/tags"},{"op":"add","path":"/tags/urn:li:tag:a","value":{}}]`, `{"tags":[{"tag":"urn:li:tag:a"}]}`},
		{"editableSchemaMetadata from nothing", "editableSchemaMetadata", ``,
			`[{"op":"add","path":"/editableSchemaFieldInfo/a.b/globalTags/tags/urn:li:tag:x","value":{"tag":"urn:li:tag:x"}}]`,
			`{"editableSchemaFieldInfo":[{"fieldPath":"a.b","globalTags":{"tags":[{"tag":"urn:li:tag:x"}]}}],"created":` + stampText + `,"lastModified":` + stampText + `}`},
		{"editableSchemaMetadata: tags and terms of a field", "editableSchemaMetadata",
			`{"editableSchemaFieldInfo":[{"fieldPath":"a","globalTags":{"tags":[{"tag":"urn:li:tag:x"},{"tag":"urn:li:tag:y"}]}},{"fieldPath":"b","description":"d"}]}`,
			`[{"op":"remove","path":"/editableSchemaFieldInfo/a/globalTags/tags/urn:li:tag:x"},
			  {"op":"add","path":"/editableSchemaFieldInfo/b/glossaryTerms/auditStamp","value":` + stampText + `},
			  {"op":"add","path":"/editableSchemaFieldInfo/b/glossaryTerms/terms/urn:li:glossaryTerm:t","value":{}}]`,
			`{"editableSchemaFieldInfo":[{"fieldPath":"a","globalTags":{"tags":[{"tag":"urn:li:tag:y"}]}},
			  {"fieldPath":"b","description":"d","glossaryTerms":{"auditStamp":` + stampText + `,"terms":[{"urn":"urn:li:glossaryTerm:t"}]}}],
			  "created":` + stampText + `,"lastModified":` + stampText + `}`},
		{"editableSchemaMetadata: a whole field comes with tags", "editableSchemaMetadata", ``,
			`[{"op":"add","path":"/editableSchemaFieldInfo/a","value":{"globalTags":{"tags":[{"tag":"urn:li:tag:x"},{"tag":"urn:li:tag:y"}]}}},
			  {"op":"remove","path":"/editableSchemaFieldInfo/a/globalTags/tags/urn:li:tag:x"}]`,
			`{"editableSchemaFieldInfo":[{"fieldPath":"a","globalTags":{"tags":[{"tag":"urn:li:tag:y"}]}}],"created":` + stampText + `,"lastModified":` + stampText + `}`},
		{"glossaryTerms from nothing", "glossaryTerms", ``,
			`[{"op":"add","path":"/terms/urn:li:glossaryTerm:t","value":{"urn":"urn:li:glossaryTerm:t"}}]`,
			`{"terms":[{"urn":"urn:li:glossaryTerm:t"}],"auditStamp":` + stampText + `}`},
		{"glossaryTerms: an absent stamp is filled, a present one stays", "glossaryTerms", `{"terms":[],"auditStamp":{"time":1,"actor":"urn:li:corpuser:a"}}`,
			`[{"op":"add","path":"/terms/urn:li:glossaryTerm:t","value":{}}]`,
			`{"terms":[{"urn":"urn:li:glossaryTerm:t"}],"auditStamp":{"time":1,"actor":"urn:li:corpuser:a"}}`},
		{"dataFlowInfo", "dataFlowInfo", ``, `[{"op":"add","path":"/name","value":"n"},{"op":"add","path":"/customProperties/a","value":"b"}]`, `{"name":"n","customProperties":{"a":"b"}}`},
		{"dataJobInfo", "dataJobInfo", ``, `[{"op":"add","path":"/name","value":"n"},{"op":"add","path":"/type","value":{"string":"SQL"}}]`, `{"name":"n","type":{"string":"SQL"},"customProperties":{}}`},
		{"dataProductProperties", "dataProductProperties", `{"assets":[` + edgeOfA + `,` + edgeOfB + `]}`,
			`[{"op":"remove","path":"/assets/` + dsA + `"},{"op":"add","path":"/assets/` + dsC + `","value":{}}]`, `{"assets":[` + edgeOfB + `,{"destinationUrn":"` + dsC + `"}]}`},
		{"chartInfo from nothing", "chartInfo", ``, `[{"op":"add","path":"/inputEdges/` + dsA + `","value":` + edgeOfA + `}]`,
			`{"title":"","description":"","lastModified":` + stamps + `,"inputEdges":[` + edgeOfA + `]}`},
		{"chartInfo: inputs are unions and all stay", "chartInfo", `{` + chart + `,"inputs":[{"string":"` + dsA + `"},{"string":"` + dsB + `"}]}`,
			`[{"op":"add","path":"/inputs/` + dsC + `","value":"` + dsC + `"},{"op":"remove","path":"/inputs/` + dsA + `"}]`,
			`{` + chart + `,"inputs":[{"string":"` + dsB + `"},{"string":"` + dsC + `"}]}`},
		{"dashboardInfo from nothing", "dashboardInfo", ``,
			`[{"op":"add","path":"/chartEdges/` + chartA + `","value":{"destinationUrn":"` + chartA + `"}},{"op":"add","path":"/charts/` + chartA + `","value":{}},{"op":"add","path":"/dashboards/` + dashA + `","value":{}}]`,
			`{"title":"","description":"","lastModified":` + stamps + `,"chartEdges":[{"destinationUrn":"` + chartA + `"}],"charts":["` + chartA + `"],"dashboards":[{"destinationUrn":"` + dashA + `"}],"datasetEdges":[],"datasets":[]}`},
		{"dataJobInputOutput", "dataJobInputOutput", ``,
			`[{"op":"add","path":"/inputDatasetEdges/` + dsA + `","value":` + edgeOfA + `},{"op":"add","path":"/outputDatasetEdges/` + dsB + `","value":{}},
			  {"op":"add","path":"/inputDatajobEdges/` + jobA + `","value":{}},{"op":"add","path":"/inputDatasetFields/` + fieldA + `","value":"` + fieldA + `"}]`,
			`{"inputDatasets":[],"outputDatasets":[],"inputDatajobs":[],"inputDatajobEdges":[{"destinationUrn":"` + jobA + `"}],"inputDatasetEdges":[` + edgeOfA + `],
			  "outputDatasetEdges":[` + edgeOfB + `],"inputDatasetFields":["` + fieldA + `"],"outputDatasetFields":[],"fineGrainedLineages":[]}`},
		{"apiSignature", "apiSignature", ``, `[{"op":"add","path":"/inputDatasetEdges/` + dsA + `","value":{}}]`, `{"inputDatasetEdges":[` + edgeOfA + `]}`},
		{"structuredProperties", "structuredProperties", `{"properties":[{"propertyUrn":"urn:li:structuredProperty:a","values":[{"string":"x"}]},{"propertyUrn":"urn:li:structuredProperty:b","values":[{"double":1}]}]}`,
			`[{"op":"remove","path":"/properties/urn:li:structuredProperty:a"},{"op":"add","path":"/properties/urn:li:structuredProperty:c","value":{"values":[{"double":2.50}]}}]`,
			`{"properties":[{"propertyUrn":"urn:li:structuredProperty:b","values":[{"double":1}]},{"propertyUrn":"urn:li:structuredProperty:c","values":[{"double":2.5}]}]}`},
		{"propertyDefinition from nothing", "propertyDefinition", ``,
			`[{"op":"add","path":"/qualifiedName","value":"q"},{"op":"add","path":"/entityTypes/urn:li:entityType:datahub.dataset","value":"urn:li:entityType:datahub.dataset"},
			  {"op":"add","path":"/allowedPlatforms/urn:li:dataPlatform:hive","value":"urn:li:dataPlatform:hive"},
			  {"op":"add","path":"/allowedValues/hot","value":{"value":{"string":"hot"}}}]`,
			`{"qualifiedName":"q","valueType":"urn:li:dataType:datahub.string","entityTypes":["urn:li:entityType:datahub.dataset"],"allowedPlatforms":["urn:li:dataPlatform:hive"],"allowedValues":[{"value":{"string":"hot"}}]}`},
		{"propertyDefinition: values that are numbers", "propertyDefinition", `{"qualifiedName":"q","valueType":"urn:li:dataType:datahub.number","entityTypes":[],"allowedValues":[{"value":{"double":1}},{"value":{"double":2}}]}`,
			`[{"op":"remove","path":"/allowedValues/1"},{"op":"add","path":"/allowedValues/2/description","value":"two"}]`,
			`{"qualifiedName":"q","valueType":"urn:li:dataType:datahub.number","entityTypes":[],"allowedValues":[{"value":{"double":2},"description":"two"}]}`},
		{"formInfo from nothing", "formInfo", ``,
			`[{"op":"add","path":"/prompts/p1","value":{"title":"t","type":"STRUCTURED_PROPERTY"}},{"op":"add","path":"/actors/users/urn:li:corpuser:a","value":"urn:li:corpuser:a"},
			  {"op":"add","path":"/actors/groups/urn:li:corpGroup:g","value":"urn:li:corpGroup:g"},{"op":"add","path":"/actors/ownershipTypes/urn:li:ownershipType:o","value":{}}]`,
			`{"name":"","prompts":[{"id":"p1","title":"t","type":"STRUCTURED_PROPERTY"}],"actors":{"users":["urn:li:corpuser:a"],"groups":["urn:li:corpGroup:g"],"ownershipTypes":["urn:li:ownershipType:o"]}}`},
		{"versionProperties that exist", "versionProperties", `{"versionSet":"urn:li:versionSet:(a,dataset)","version":{"versionTag":"1"},"sortId":"AAAAAAAA"}`,
			`[{"op":"add","path":"/comment","value":"c"}]`,
			`{"versionSet":"urn:li:versionSet:(a,dataset)","version":{"versionTag":"1"},"sortId":"AAAAAAAA","comment":"c"}`},
		{"siblings", "siblings", ``, `[{"op":"add","path":"/siblings/` + dsA + `","value":"` + dsA + `"},{"op":"replace","path":"/primary","value":true}]`, `{"siblings":["` + dsA + `"],"primary":true}`},
		{"status", "status", ``, `[{"op":"replace","path":"/removed","value":true}]`, `{"removed":true}`},
		{"domains", "domains", `{"domains":["urn:li:domain:a","urn:li:domain:b"]}`, `[{"op":"remove","path":"/domains/urn:li:domain:a"},{"op":"add","path":"/domains/urn:li:domain:c","value":"urn:li:domain:c"}]`, `{"domains":["urn:li:domain:b","urn:li:domain:c"]}`},
		{"editableDatasetProperties", "editableDatasetProperties", ``, `[{"op":"add","path":"/description","value":"d"}]`, `{"description":"d"}`},
		{"editableContainerProperties", "editableContainerProperties", `{"description":"d"}`, `[{"op":"remove","path":"/description"}]`, `{}`},
		{"editableMlModelGroupProperties", "editableMlModelGroupProperties", ``, `[{"op":"add","path":"/description","value":"d"}]`, `{"description":"d"}`},
	})
}

func TestMoveCopyAndTest(t *testing.T) {
	t.Parallel()
	tell(t, []story{
		{"a scalar moves", "datasetProperties", `{"customProperties":{"a":"1"}}`, `[{"op":"move","from":"/customProperties/a","path":"/customProperties/b"}]`, `{"customProperties":{"b":"1"}}`},
		{"a scalar is copied", "datasetProperties", `{"customProperties":{"a":"1"}}`, `[{"op":"copy","from":"/customProperties/a","path":"/description"}]`, `{"customProperties":{"a":"1"},"description":"1"}`},
		{"an element is copied and stays itself", "globalTags", `{"tags":[{"tag":"urn:li:tag:a","context":"c"}]}`,
			`[{"op":"copy","from":"/tags/urn:li:tag:a","path":"/tags/urn:li:tag:b"},{"op":"replace","path":"/tags/urn:li:tag:b/tag","value":"urn:li:tag:b"},{"op":"add","path":"/tags/urn:li:tag:b/context","value":"d"}]`,
			`{"tags":[{"tag":"urn:li:tag:a","context":"c"},{"tag":"urn:li:tag:b","context":"d"}]}`},
		{"an array with keys moves to one with other keys", "dashboardInfo", `{"title":"","description":"","lastModified":{},"datasetEdges":[` + edgeOfA + `],"chartEdges":[]}`,
			`[{"op":"move","from":"/datasetEdges","path":"/chartEdges"},{"op":"remove","path":"/chartEdges/` + dsA + `"}]`,
			`{"title":"","description":"","lastModified":{},"chartEdges":[]}`},
		{"an array with keys is copied where no keys are known", "globalTags", `{"tags":[{"tag":"urn:li:tag:a"}]}`, `[{"op":"copy","from":"/tags","path":"/unknown"}]`, `{"tags":[{"tag":"urn:li:tag:a"}]}`},
		{"an array of keys of their own becomes the tags", "datasetProperties", `{"tags":["a","b"]}`, `[{"op":"copy","from":"/tags","path":"/x/y"},{"op":"remove","path":"/tags/a"},{"op":"move","from":"/x/y","path":"/tags"}]`, `{"tags":["a","b"]}`},
		{"all types of an owner go to another", "ownership", `{"owners":[{"owner":"urn:li:corpuser:a","type":"DATAOWNER"}],"lastModified":` + stampText + `}`,
			`[{"op":"copy","from":"/owners/urn:li:corpuser:a","path":"/owners/urn:li:corpuser:b"},{"op":"add","path":"/owners/urn:li:corpuser:b/DATAOWNER/owner","value":"urn:li:corpuser:b"}]`,
			`{"owners":[{"owner":"urn:li:corpuser:a","type":"DATAOWNER"},{"owner":"urn:li:corpuser:b","type":"DATAOWNER"}],"lastModified":` + stampText + `}`},
		{"the root is copied below itself and dropped", "status", `{"removed":true}`, `[{"op":"copy","from":"","path":"/x"},{"op":"test","path":"/x","value":{"removed":true}}]`, `{"removed":true}`},
		{"the root is replaced", "globalTags", `{"tags":[]}`, `[{"op":"replace","path":"","value":{"tags":[{"tag":"urn:li:tag:a"}]}},{"op":"add","path":"/tags/urn:li:tag:b","value":{}}]`, `{"tags":[{"tag":"urn:li:tag:a"},{"tag":"urn:li:tag:b"}]}`},
		{"the root is removed", "status", `{"removed":true}`, `[{"op":"remove","path":""}]`, `{}`},
		{"a test of a whole array looks at elements, not at their order", "globalTags", `{"tags":[{"tag":"urn:li:tag:a"},{"tag":"urn:li:tag:b"}]}`,
			`[{"op":"test","path":"/tags","value":[{"tag":"urn:li:tag:b"},{"tag":"urn:li:tag:a"}]},{"op":"remove","path":"/tags/urn:li:tag:a"}]`, `{"tags":[{"tag":"urn:li:tag:b"}]}`},
		{"a test compares numbers by value", "datasetProperties", `{"created":{"time":5}}`, `[{"op":"test","path":"/created/time","value":5.0},{"op":"test","path":"/created","value":{"time":5e0}}]`, `{"created":{"time":5}}`},
		{"adding null takes away", "datasetProperties", `{"name":"n"}`, `[{"op":"add","path":"/name","value":null}]`, `{}`},
	})
}
