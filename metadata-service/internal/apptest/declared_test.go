package apptest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// A program that manages resources from a declared configuration, such as a Terraform provider,
// creates each resource, reads it only by its id and compares it, writes it again if a member
// differs, and deletes it. A second plan must find no difference: a read returns each declared
// member unchanged, and writing the same value again creates no new version.

// declared is a resource in the form of OpenAPI v3: the values of aspects by their names.
type declared struct {
	name string
	urn  urn.URN
	// create and update are two states of the configuration.
	create, update string
	// kept is set for resources that are not deleted.
	kept bool
	// forward is set for resources that cannot change back from update to create.
	forward bool
	// retired is set for resources that are soft-deleted before their deletion.
	retired bool
	// secret is the text that reads replace by the mask.
	secret string
}

// declaredResources has a row for each kind of resource that OpenAPI v3 writes. Access tokens are
// not included: the service generates their text, so only GraphQL creates them.
var declaredResources = []declared{
	{
		name: "tag", urn: "urn:li:tag:declared",
		create: `{"tagProperties":{"name":"Declared","description":"first","colorHex":"#112233"},"ownership":{"owners":[{"owner":"urn:li:corpuser:mia","type":"TECHNICAL_OWNER"}],"lastModified":` + stamp + `}}`,
		update: `{"tagProperties":{"name":"Declared","description":"second","colorHex":"#112234"},"ownership":{"owners":[{"owner":"urn:li:corpuser:mia","type":"BUSINESS_OWNER"}],"lastModified":` + stamp + `}}`,
	},
	{
		name: "domain", urn: "urn:li:domain:declared",
		create: `{"domainProperties":{"name":"Declared","description":"first","parentDomain":"urn:li:domain:above"},"displayProperties":{"colorHex":"#112233"}}`,
		update: `{"domainProperties":{"name":"Declared again","description":"second"},"displayProperties":{"colorHex":"#112234"}}`,
	},
	{
		name: "glossary node", urn: "urn:li:glossaryNode:declared",
		create: `{"glossaryNodeInfo":{"name":"Declared","definition":"first"}}`,
		update: `{"glossaryNodeInfo":{"name":"Declared","definition":"second","parentNode":"urn:li:glossaryNode:above"}}`,
	},
	{
		name: "glossary term", urn: "urn:li:glossaryTerm:declared",
		create: `{"glossaryTermInfo":{"name":"Declared","definition":"first","termSource":"INTERNAL","parentNode":"urn:li:glossaryNode:above","customProperties":{"a":"b"}},"glossaryRelatedTerms":{"isRelatedTerms":["urn:li:glossaryTerm:other"]}}`,
		update: `{"glossaryTermInfo":{"name":"Declared","definition":"second","termSource":"EXTERNAL","sourceRef":"r","sourceUrl":"https://terms.example"},"glossaryRelatedTerms":{"hasRelatedTerms":["urn:li:glossaryTerm:other"]}}`,
	},
	{
		name: "group", urn: "urn:li:corpGroup:declared",
		create: `{"corpGroupInfo":{"displayName":"Declared","admins":[],"members":[],"groups":[]},"corpGroupEditableInfo":{"description":"first","slack":"#a","email":"a@example.org"},"origin":{"type":"NATIVE"}}`,
		update: `{"corpGroupInfo":{"displayName":"Declared","admins":["urn:li:corpuser:mia"],"members":[],"groups":[]},"corpGroupEditableInfo":{"description":"second","slack":"#b","email":"b@example.org"},"origin":{"type":"NATIVE"}}`,
	},
	{
		name: "group member", urn: "urn:li:corpuser:declared-member",
		create: `{"corpUserInfo":{"active":true},"nativeGroupMembership":{"nativeGroups":["urn:li:corpGroup:admins"]}}`,
		update: `{"corpUserInfo":{"active":true},"nativeGroupMembership":{"nativeGroups":[]}}`,
	},
	{
		name: "user", urn: "urn:li:corpuser:declared",
		create: `{"corpUserInfo":{"active":true,"displayName":"Declared","email":"d@example.org","title":"t"},"corpUserEditableInfo":{"aboutMe":"first","displayName":"D","title":"t","teams":["a"],"skills":["b"],"slack":"s","phone":"1"},"corpUserStatus":{"status":"ACTIVE","lastModified":` + stamp + `}}`,
		update: `{"corpUserInfo":{"active":true,"displayName":"Declared","email":"e@example.org"},"corpUserEditableInfo":{"aboutMe":"second","teams":[],"skills":[]},"corpUserStatus":{"status":"SUSPENDED","lastModified":` + stamp + `}}`,
	},
	{
		name: "role member", urn: "urn:li:corpuser:declared-reader",
		create: `{"corpUserInfo":{"active":true},"roleMembership":{"roles":["urn:li:dataHubRole:Reader"]}}`,
		update: `{"corpUserInfo":{"active":true},"roleMembership":{"roles":["urn:li:dataHubRole:Editor"]}}`,
	},
	{
		// DataHub does not allow reverting a cardinality and allowed values, so a program recreates
		// the property.
		name: "structured property", forward: true, retired: true, urn: "urn:li:structuredProperty:declared.property",
		create: `{"propertyDefinition":{"qualifiedName":"declared.property","displayName":"Declared","description":"first","valueType":"urn:li:dataType:datahub.string","cardinality":"SINGLE",` +
			`"entityTypes":["urn:li:entityType:datahub.dataset"],"allowedValues":[{"value":{"string":"a"},"description":"A"}]},"structuredPropertySettings":{"isHidden":false,"showInSearchFilters":true,"showInAssetSummary":false,"showAsAssetBadge":false,"showInColumnsTable":false}}`,
		update: `{"propertyDefinition":{"qualifiedName":"declared.property","displayName":"Declared","description":"second","valueType":"urn:li:dataType:datahub.string","cardinality":"MULTIPLE",` +
			`"entityTypes":["urn:li:entityType:datahub.dataset","urn:li:entityType:datahub.chart"],"allowedValues":[{"value":{"string":"a"},"description":"A"},{"value":{"string":"b"}}]},"structuredPropertySettings":{"isHidden":false,"showInSearchFilters":false,"showInAssetSummary":true,"showAsAssetBadge":false,"showInColumnsTable":false}}`,
	},
	{
		// A criterion has values; the member value of older models is dropped.
		name: "form", urn: "urn:li:form:declared",
		create: `{"formInfo":{"name":"Declared","description":"first","type":"COMPLETION","prompts":[{"id":"p1","title":"T","type":"STRUCTURED_PROPERTY","structuredPropertyParams":{"urn":"urn:li:structuredProperty:asked"},"required":true}],"actors":{"owners":true,"users":["urn:li:corpuser:mia"]}},` +
			`"dynamicFormAssignment":{"filter":{"or":[{"and":[{"field":"platform","condition":"EQUAL","values":["urn:li:dataPlatform:hive"],"negated":false}]}]}}}`,
		update: `{"formInfo":{"name":"Declared","description":"second","type":"VERIFICATION","prompts":[],"actors":{"owners":false,"groups":["urn:li:corpGroup:admins"]}},` +
			`"dynamicFormAssignment":{"filter":{"or":[{"and":[{"field":"_entityType","condition":"EQUAL","values":["dataset"]}]}]}}}`,
	},
	{
		name: "ownership type", urn: "urn:li:ownershipType:declared",
		create: `{"ownershipTypeInfo":{"name":"Declared","description":"first","created":` + stamp + `,"lastModified":` + stamp + `},"status":{"removed":false}}`,
		update: `{"ownershipTypeInfo":{"name":"Declared","description":"second","created":` + stamp + `,"lastModified":` + stamp + `},"status":{"removed":false}}`,
	},
	{
		name: "policy", urn: "urn:li:dataHubPolicy:declared",
		create: `{"dataHubPolicyInfo":{"displayName":"Declared","description":"first","type":"METADATA","state":"ACTIVE","privileges":["EDIT_ENTITY_TAGS","EDIT_ENTITY_DOCS"],"editable":true,` +
			`"actors":{"users":["urn:li:corpuser:mia"],"groups":[],"resourceOwners":false,"allUsers":false,"allGroups":false},` +
			`"resources":{"allResources":false,"filter":{"criteria":[{"field":"TYPE","values":["dataset"],"condition":"EQUALS"}]}}}}`,
		update: `{"dataHubPolicyInfo":{"displayName":"Declared","description":"second","type":"METADATA","state":"INACTIVE","privileges":["EDIT_ENTITY_DOCS"],"editable":true,` +
			`"actors":{"groups":["urn:li:corpGroup:admins"],"roles":["urn:li:dataHubRole:Reader"],"resourceOwners":true,"resourceOwnersTypes":["urn:li:ownershipType:__system__technical_owner"],"allUsers":false,"allGroups":false}}}`,
	},
	{
		name: "ingestion source", urn: "urn:li:dataHubIngestionSource:declared",
		create: `{"dataHubIngestionSourceInfo":{"name":"Declared","type":"file","platform":"urn:li:dataPlatform:file","schedule":{"interval":"0 0 * * *","timezone":"UTC"},"config":{"recipe":"{\"source\":{\"type\":\"file\"}}","version":"1.0","executorId":"default","debugMode":false,"extraArgs":{"a":"b"}}}}`,
		update: `{"dataHubIngestionSourceInfo":{"name":"Declared","type":"file","config":{"recipe":"{}","executorId":"other","debugMode":true}}}`,
	},
	{
		name: "secret", urn: "urn:li:dataHubSecret:declared", secret: secretText,
		create: `{"dataHubSecretValue":{"name":"declared","value":"` + secretText + `","description":"first"}}`,
		update: `{"dataHubSecretValue":{"name":"declared","value":"` + secretText + `","description":"second"}}`,
	},
	{
		name: "connection", urn: "urn:li:dataHubConnection:declared", secret: `{"token":"` + secretText + `"}`,
		create: `{"dataHubConnectionDetails":{"type":"JSON","name":"Declared","json":{"encryptedBlob":"{\"token\":\"` + secretText + `\"}"}},"dataPlatformInstance":{"platform":"urn:li:dataPlatform:slack"}}`,
		update: `{"dataHubConnectionDetails":{"type":"JSON","name":"Declared again","json":{"encryptedBlob":"{\"token\":\"` + secretText + `\"}"}},"dataPlatformInstance":{"platform":"urn:li:dataPlatform:slack"}}`,
	},
	{
		name: "metadata test", urn: "urn:li:test:declared",
		create: `{"testInfo":{"name":"Declared","category":"c","description":"first","definition":{"type":"JSON","json":"{\"on\":{\"types\":[\"dataset\"]},\"rules\":{\"and\":[]}}"}}}`,
		update: `{"testInfo":{"name":"Declared","category":"d","description":"second","definition":{"type":"JSON","json":"{}"}}}`,
	},
	{
		name: "data product", urn: "urn:li:dataProduct:declared",
		create: `{"dataProductProperties":{"name":"Declared","description":"first","assets":[{"destinationUrn":"` + ordersTable + `"}],"customProperties":{"a":"b"}},"domains":{"domains":["urn:li:domain:above"]},"globalTags":{"tags":[{"tag":"urn:li:tag:pii"}]}}`,
		update: `{"dataProductProperties":{"name":"Declared","description":"second","externalUrl":"https://products.example"},"domains":{"domains":["urn:li:domain:above"]},"globalTags":{"tags":[]}}`,
	},
	{
		name: "assertion", urn: "urn:li:assertion:declared",
		create: `{"assertionInfo":{"type":"CUSTOM","description":"first","customAssertion":{"type":"check","entity":"` + ordersTable + `","logic":"x > 1"},"source":{"type":"EXTERNAL"}},"dataPlatformInstance":{"platform":"urn:li:dataPlatform:hive"}}`,
		update: `{"assertionInfo":{"type":"CUSTOM","description":"second","customAssertion":{"type":"check","entity":"` + ordersTable + `"},"source":{"type":"EXTERNAL"}},"dataPlatformInstance":{"platform":"urn:li:dataPlatform:hive"}}`,
	},
	{
		name: "data contract", urn: "urn:li:dataContract:declared",
		create: `{"dataContractProperties":{"entity":"` + ordersTable + `","dataQuality":[{"assertion":"urn:li:assertion:checked"}]},"dataContractStatus":{"state":"ACTIVE"}}`,
		update: `{"dataContractProperties":{"entity":"` + ordersTable + `","dataQuality":[]},"dataContractStatus":{"state":"PENDING","customProperties":{"a":"b"}}}`,
	},
	{
		name: "module of a home page", urn: "urn:li:dataHubPageModule:declared",
		create: `{"dataHubPageModuleProperties":{"name":"Declared","type":"LINK","visibility":{"scope":"GLOBAL"},"params":{"linkParams":{"linkUrl":"https://links.example","description":"first"}},"created":` + stamp + `,"lastModified":` + stamp + `}}`,
		update: `{"dataHubPageModuleProperties":{"name":"Declared","type":"RICH_TEXT","visibility":{"scope":"GLOBAL"},"params":{"richTextParams":{"content":"second"}},"created":` + stamp + `,"lastModified":` + stamp + `}}`,
	},
	{
		name: "template of a home page", urn: "urn:li:dataHubPageTemplate:declared",
		create: `{"dataHubPageTemplateProperties":{"rows":[{"modules":["urn:li:dataHubPageModule:shown"]}],"surface":{"surfaceType":"HOME_PAGE"},"visibility":{"scope":"GLOBAL"},"created":` + stamp + `,"lastModified":` + stamp + `}}`,
		update: `{"dataHubPageTemplateProperties":{"rows":[],"surface":{"surfaceType":"HOME_PAGE"},"visibility":{"scope":"GLOBAL"},"created":` + stamp + `,"lastModified":` + stamp + `}}`,
	},
	{
		name: "view", urn: "urn:li:dataHubView:declared",
		create: `{"dataHubViewInfo":{"name":"Declared","description":"first","type":"GLOBAL","definition":{"entityTypes":["dataset","chart"],"filter":{"or":[{"and":[{"field":"platform","condition":"EQUAL","values":["urn:li:dataPlatform:hive"],"negated":false}]}]}},"created":` + stamp + `,"lastModified":` + stamp + `}}`,
		update: `{"dataHubViewInfo":{"name":"Declared","description":"second","type":"GLOBAL","definition":{"entityTypes":[],"filter":{"or":[]}},"created":` + stamp + `,"lastModified":` + stamp + `}}`,
	},
	{
		name: "global settings", urn: "urn:li:globalSettings:0", kept: true, secret: secretText,
		create: `{"globalSettingsInfo":{"views":{"defaultView":"urn:li:dataHubView:shown"},"docPropagation":{"enabled":true,"columnPropagationEnabled":true},"homePage":{"defaultTemplate":"urn:li:dataHubPageTemplate:shown"},` +
			`"sso":{"baseUrl":"https://catalog.example","oidcSettings":{"enabled":true,"clientId":"a","clientSecret":"` + secretText + `","discoveryUri":"https://id.example"}}}}`,
		update: `{"globalSettingsInfo":{"docPropagation":{"enabled":true,"columnPropagationEnabled":false},"homePage":{"defaultTemplate":"urn:li:dataHubPageTemplate:shown"}}}`,
	},
	{
		name: "service account", urn: "urn:li:corpuser:service_declared",
		create: `{"corpUserInfo":{"active":true,"displayName":"Declared","title":"first"},"subTypes":{"typeNames":["SERVICE_ACCOUNT"]}}`,
		update: `{"corpUserInfo":{"active":true,"displayName":"Declared again"},"subTypes":{"typeNames":["SERVICE_ACCOUNT"]}}`,
	},
}

// declaredWorld returns a service with the entities that declared resources refer to.
func declaredWorld(t *testing.T) *apptest.Service {
	t.Helper()
	s := world(t)
	put(t, s,
		fact{ordersTable, "datasetProperties", `{"name":"orders"}`},
		fact{"urn:li:domain:above", "domainProperties", `{"name":"Above"}`},
		fact{"urn:li:glossaryNode:above", "glossaryNodeInfo", `{"name":"Above","definition":""}`},
		fact{"urn:li:glossaryTerm:other", "glossaryTermInfo", `{"name":"Other","definition":"","termSource":"INTERNAL"}`},
		fact{"urn:li:tag:pii", "tagProperties", `{"name":"PII"}`},
		fact{"urn:li:structuredProperty:asked", "propertyDefinition", `{"qualifiedName":"asked","valueType":"urn:li:dataType:datahub.string","entityTypes":["urn:li:entityType:datahub.dataset"]}`},
		fact{"urn:li:assertion:checked", "assertionInfo", `{"type":"CUSTOM","customAssertion":{"type":"check","entity":"` + ordersTable + `"}}`},
		fact{"urn:li:dataHubView:shown", "dataHubViewInfo", `{"name":"Shown","type":"GLOBAL","definition":{"entityTypes":[],"filter":{"or":[]}},"created":` + stamp + `,"lastModified":` + stamp + `}`},
		fact{"urn:li:dataHubPageModule:shown", "dataHubPageModuleProperties", `{"name":"Shown","type":"LINK","visibility":{"scope":"GLOBAL"},"params":{"linkParams":{"linkUrl":"https://links.example"}},"created":` + stamp + `,"lastModified":` + stamp + `}`},
		fact{"urn:li:dataHubPageTemplate:shown", "dataHubPageTemplateProperties", `{"rows":[],"surface":{"surfaceType":"HOME_PAGE"},"visibility":{"scope":"GLOBAL"},"created":` + stamp + `,"lastModified":` + stamp + `}`},
	)
	return s
}

// decoded parses a JSON text.
func decoded(t *testing.T, text string) (tree any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &tree); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return tree
}

// differences returns the paths at which a value that was read lacks a declared member, or has a
// different one. It ignores members that were not declared.
func differences(path string, want, got any) (found []string) {
	switch want := want.(type) {
	case map[string]any:
		read, _ := got.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(want)) {
			found = append(found, differences(path+"/"+name, want[name], read[name])...)
		}
		return found
	case []any:
		read, ok := got.([]any)
		if !ok || len(read) != len(want) {
			break
		}
		for i := range want {
			found = append(found, differences(fmt.Sprintf("%s/%d", path, i), want[i], read[i])...)
		}
		return found
	}
	if !reflect.DeepEqual(want, got) {
		found = append(found, fmt.Sprintf("%s: declared %v, read %v", path, want, got))
	}
	return found
}

// aspectsOf reads an entity only by its id: the values of its aspects, and their versions. Both are
// nil for an absent entity.
func aspectsOf(t *testing.T, c caller, u urn.URN) (values map[string]any, versions map[string]string) {
	t.Helper()
	status, body := c.Call(http.MethodGet, "/openapi/v3/entity/"+u.Type()+"/"+url.PathEscape(string(u))+"?systemMetadata=true", "")
	if status == http.StatusNotFound {
		return nil, nil
	}
	if status != http.StatusOK {
		t.Fatalf("%s: %d %s", u, status, body)
	}
	values, versions = map[string]any{}, map[string]string{}
	for name, member := range decoded(t, body).(map[string]any) {
		aspect, ok := member.(map[string]any)
		if !ok {
			continue
		}
		values[name] = aspect["value"]
		if system, ok := aspect["systemMetadata"].(map[string]any); ok {
			versions[name], _ = system["version"].(string)
		}
	}
	return values, versions
}

// write writes a state of the configuration.
func (d *declared) write(t *testing.T, c caller, state string) {
	t.Helper()
	entity := map[string]any{"urn": d.urn}
	for name, value := range decoded(t, state).(map[string]any) {
		entity[name] = map[string]any{"value": value}
	}
	body, _ := json.Marshal([]any{entity})
	if status, answer := c.Call(http.MethodPost, "/openapi/v3/entity/"+d.urn.Type()+"?async=false", string(body)); status != http.StatusOK {
		t.Fatalf("%s: %d %s", d.name, status, answer)
	}
}

// expectKept writes a state of the configuration and checks that reads return it, also after writing
// it again, and after writing back the values that were read.
func (d *declared) expectKept(t *testing.T, c caller, state string) {
	t.Helper()
	d.write(t, c, state)
	want := state
	if d.secret != "" {
		quoted, _ := json.Marshal(d.secret)
		want = strings.ReplaceAll(state, string(quoted), `"`+model.Mask+`"`)
	}
	values, versions := aspectsOf(t, c, d.urn)
	for _, difference := range differences("", decoded(t, want), any(values)) {
		t.Errorf("read: %s", difference)
	}
	imported := map[string]any{}
	for name := range decoded(t, state).(map[string]any) {
		imported[name] = values[name]
	}
	written, _ := json.Marshal(imported)
	for what, again := range map[string]string{"the same": state, "what was read": string(written)} {
		d.write(t, c, again)
		after, now := aspectsOf(t, c, d.urn)
		if !maps.Equal(versions, now) {
			t.Errorf("writing %s again makes versions %v of %v", what, now, versions)
		}
		if !reflect.DeepEqual(values, after) {
			t.Errorf("writing %s again makes %v of %v", what, after, values)
		}
	}
}

func TestASecondPlanFindsNoDifferenceByOpenAPI(t *testing.T) {
	t.Parallel()
	s := declaredWorld(t)
	admin := s.As("urn:li:corpuser:datahub")
	for i := range declaredResources {
		d := &declaredResources[i]
		t.Run(d.name, func(t *testing.T) {
			d.expectKept(t, admin, d.create)
			d.expectKept(t, admin, d.update)
			if !d.forward {
				d.expectKept(t, admin, d.create)
			}
			if d.kept {
				return
			}
			remove := func() (int, string) {
				return admin.Call(http.MethodDelete, "/openapi/v3/entity/"+d.urn.Type()+"/"+url.PathEscape(string(d.urn)), "")
			}
			if d.retired {
				if status, body := admin.Call(http.MethodPost, "/openapi/v3/entity/"+d.urn.Type()+"?async=false", `[{"urn":"`+string(d.urn)+`","status":{"value":{"removed":true}}}]`); status != http.StatusOK {
					t.Errorf("soft-deleting: %d %s", status, body)
				}
			}
			if status, body := remove(); status != http.StatusOK {
				t.Errorf("deleting: %d %s", status, body)
			}
			if values, _ := aspectsOf(t, admin, d.urn); values != nil {
				t.Errorf("after it was deleted: %v", values)
			}
			if status, body := remove(); status != http.StatusOK {
				t.Errorf("deleting it again: %d %s", status, body)
			}
		})
	}
}
