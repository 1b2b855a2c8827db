package patch_test

import "testing"

func TestGenericMode(t *testing.T) {
	t.Parallel()
	tell(t, []story{
		{"keys of the document", "globalTags", `{"tags":[{"tag":"urn:li:tag:a"},{"tag":"urn:li:tag:b"}]}`,
			`{"patch":[{"op":"remove","path":"/tags/urn:li:tag:a"},{"op":"add","path":"/tags/urn:li:tag:c","value":{}}],"arrayPrimaryKeys":{"tags":["tag"]}}`,
			`{"tags":[{"tag":"urn:li:tag:b"},{"tag":"urn:li:tag:c"}]}`},
		{"nothing stored starts from the template", "glossaryTerms", ``,
			`{"patch":[{"op":"add","path":"/terms/urn:li:glossaryTerm:a","value":{}}],"arrayPrimaryKeys":{"terms":["urn"]}}`,
			`{"terms":[{"urn":"urn:li:glossaryTerm:a"}],"auditStamp":` + stampText + `}`},
		{"nothing stored and no template starts from nothing", "browsePathsV2", ``,
			`{"patch":[{"op":"add","path":"/path/a","value":{}}],"arrayPrimaryKeys":{"path":["id"]}}`, `{"path":[{"id":"a"}]}`},
		{"an aspect that must exist in the other mode", "versionProperties", ``,
			`{"patch":[{"op":"add","path":"","value":{"versionSet":"urn:li:versionSet:(a,dataset)","version":{"versionTag":"1"},"sortId":"A"}}],"forceGenericPatch":true}`,
			`{"versionSet":"urn:li:versionSet:(a,dataset)","version":{"versionTag":"1"},"sortId":"A"}`},
		{"several keys", "ownership", `{"owners":[{"owner":"urn:li:corpuser:a","type":"DATAOWNER"}],"lastModified":` + stampText + `}`,
			`{"patch":[{"op":"add","path":"/owners/CONSUMER/urn:li:corpuser:a","value":{}},{"op":"remove","path":"/owners/DATAOWNER/urn:li:corpuser:a"}],"arrayPrimaryKeys":{"owners":["type","owner"]}}`,
			`{"owners":[{"owner":"urn:li:corpuser:a","type":"CONSUMER"}],"lastModified":` + stampText + `}`},
		{"arrays in arrays", "editableSchemaMetadata", `{"editableSchemaFieldInfo":[{"fieldPath":"a","globalTags":{"tags":[{"tag":"urn:li:tag:x"}]}}]}`,
			`{"patch":[{"op":"add","path":"/editableSchemaFieldInfo/a/globalTags/tags/urn:li:tag:y","value":{}},{"op":"add","path":"/editableSchemaFieldInfo/b/globalTags/tags/urn:li:tag:z","value":{}}],
			  "arrayPrimaryKeys":{"editableSchemaFieldInfo":["fieldPath"],"editableSchemaFieldInfo.*.globalTags.tags":["tag"]}}`,
			`{"editableSchemaFieldInfo":[{"fieldPath":"a","globalTags":{"tags":[{"tag":"urn:li:tag:x"},{"tag":"urn:li:tag:y"}]}},{"fieldPath":"b","globalTags":{"tags":[{"tag":"urn:li:tag:z"}]}}],
			  "created":` + stampText + `,"lastModified":` + stampText + `}`},
		{"keys below an array that has none", "editableSchemaMetadata", `{"editableSchemaFieldInfo":[{"fieldPath":"a","globalTags":{"tags":[{"tag":"urn:li:tag:x"}]}}]}`,
			`{"patch":[{"op":"add","path":"/editableSchemaFieldInfo/0/globalTags/tags/urn:li:tag:y","value":{}},{"op":"add","path":"/editableSchemaFieldInfo/-","value":{"fieldPath":"b","globalTags":{"tags":[{"tag":"urn:li:tag:z"}]}}}],
			  "arrayPrimaryKeys":{"editableSchemaFieldInfo.*.globalTags.tags":["tag"]}}`,
			`{"editableSchemaFieldInfo":[{"fieldPath":"a","globalTags":{"tags":[{"tag":"urn:li:tag:x"},{"tag":"urn:li:tag:y"}]}},{"fieldPath":"b","globalTags":{"tags":[{"tag":"urn:li:tag:z"}]}}],
			  "created":` + stampText + `,"lastModified":` + stampText + `}`},
		{"keys below a map", "ownership", `{"owners":[],"ownerTypes":{"urn:li:ownershipType:o":["urn:li:corpuser:a","urn:li:corpuser:b"]},"lastModified":` + stampText + `}`,
			`{"patch":[{"op":"remove","path":"/ownerTypes/urn:li:ownershipType:o/urn:li:corpuser:a"},{"op":"add","path":"/ownerTypes/urn:li:ownershipType:p","value":["urn:li:corpuser:c"]}],"arrayPrimaryKeys":{"ownerTypes.*":[]}}`,
			`{"owners":[],"ownerTypes":{"urn:li:ownershipType:o":["urn:li:corpuser:b"],"urn:li:ownershipType:p":["urn:li:corpuser:c"]},"lastModified":` + stampText + `}`},
		{"nested key fields", "propertyDefinition", `{"qualifiedName":"q","valueType":"urn:li:dataType:datahub.string","entityTypes":[],"allowedValues":[{"value":{"string":"a"}},{"value":{"string":"b"}}]}`,
			`{"patch":[{"op":"remove","path":"/allowedValues/a"}],"arrayPrimaryKeys":{"allowedValues":["value␟string"]}}`,
			`{"qualifiedName":"q","valueType":"urn:li:dataType:datahub.string","entityTypes":[],"allowedValues":[{"value":{"string":"b"}}]}`},
		{"arrays without keys are addressed by index", "browsePathsV2", `{"path":[{"id":"a"},{"id":"b"},{"id":"c"}]}`,
			`{"patch":[{"op":"remove","path":"/path/0"},{"op":"add","path":"/path/1","value":{"id":"x"}},{"op":"add","path":"/path/-","value":{"id":"y"}},{"op":"replace","path":"/path/0","value":{"id":"z"}},
			  {"op":"replace","path":"/path/1/id","value":"w"},{"op":"remove","path":"/path/9"},{"op":"remove","path":"/path/q"},{"op":"test","path":"/path/2/id","value":"c"}],"forceGenericPatch":true}`,
			`{"path":[{"id":"z"},{"id":"w"},{"id":"c"},{"id":"y"}]}`},
		{"an index moves in an array inside an element", "structuredProperties", `{"properties":[{"propertyUrn":"urn:li:structuredProperty:a","values":[{"double":1},{"double":2}]}]}`,
			`{"patch":[{"op":"remove","path":"/properties/urn:li:structuredProperty:a/values/0"},{"op":"move","from":"/properties/urn:li:structuredProperty:a/values/0","path":"/properties/urn:li:structuredProperty:a/values/-"}],"arrayPrimaryKeys":{"properties":["propertyUrn"]}}`,
			`{"properties":[{"propertyUrn":"urn:li:structuredProperty:a","values":[{"double":2}]}]}`},
		{"forced, the template's keys are not used", "globalTags", `{"tags":[{"tag":"urn:li:tag:a"},{"tag":"urn:li:tag:b"}]}`,
			`{"patch":[{"op":"remove","path":"/tags/0"}],"forceGenericPatch":true}`, `{"tags":[{"tag":"urn:li:tag:b"}]}`},
		{"fine-grained lineage is a plain array here", "upstreamLineage", `{"upstreams":[],"fineGrainedLineages":[{"upstreamType":"NONE","downstreamType":"FIELD","confidenceScore":0.3}]}`,
			`{"patch":[{"op":"replace","path":"/fineGrainedLineages/0/confidenceScore","value":0.4}],"forceGenericPatch":true}`,
			`{"upstreams":[],"fineGrainedLineages":[{"upstreamType":"NONE","downstreamType":"FIELD","confidenceScore":0.4}]}`},
		{"an object without keys is the template mode", "globalTags", ``, `{"patch":[{"op":"add","path":"/tags/urn:li:tag:a","value":{}}],"arrayPrimaryKeys":{},"forceGenericPatch":false}`, `{"tags":[{"tag":"urn:li:tag:a"}]}`},
	})
}

func TestResultsThatLackRequiredFieldsDoNotConform(t *testing.T) {
	t.Parallel()
	for _, s := range []story{
		{aspect: "dataFlowInfo", patch: `[{"op":"add","path":"/customProperties/a","value":"b"}]`},
		{aspect: "dataJobInfo", patch: `[{"op":"add","path":"/name","value":"n"}]`},
		{aspect: "browsePathsV2", patch: `{"patch":[],"forceGenericPatch":true}`},
		{aspect: "globalTags", current: `{"tags":[]}`, patch: `[{"op":"replace","path":"/tags","value":null}]`},
		{aspect: "globalTags", patch: `[{"op":"add","path":"/tags/","value":{}}]`},
		{aspect: "globalTags", patch: `[{"op":"add","path":"/tags","value":["urn:li:tag:a","urn:li:tag:b"]}]`},
	} {
		if got, err := conformed(t, s.aspect, s.current, s.patch); err == nil {
			t.Errorf("%s: %s gives %s", s.aspect, s.patch, got)
		}
	}
}
