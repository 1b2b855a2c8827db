package apptest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	jo  urn.URN = "urn:li:corpuser:jo"
	mia urn.URN = "urn:li:corpuser:mia"

	stamp = `{"time":1,"actor":"urn:li:corpuser:jo"}`
)

// caller sends requests, as the system or as a user.
type caller interface {
	Call(method, path, body string) (int, string)
}

// fact is an aspect with a valid value that differs from the stored one.
type fact struct {
	urn    urn.URN
	aspect string
	value  string
}

func (f fact) String() string { return f.aspect + " of " + string(f.urn) }

// proposal returns the body of a Rest.li proposal.
func (f fact) proposal(change, value string) string {
	return fmt.Sprintf(`{"entityType":%q,"entityUrn":%q,"changeType":%q,"aspectName":%q,"aspect":{"contentType":"application/json","value":%q}}`,
		f.urn.Type(), f.urn, change, f.aspect, value)
}

// writeAPI is an API that writes an aspect over HTTP.
type writeAPI struct {
	name  string
	write func(c caller, f fact) (int, string)
}

// patchOf returns a patch that adds every member of a value.
func patchOf(value string) string {
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(value), &members); err != nil {
		panic(err)
	}
	var ops []string
	for name, v := range members {
		ops = append(ops, fmt.Sprintf(`{"op":"add","path":"/%s","value":%s}`, name, v))
	}
	return "[" + strings.Join(ops, ",") + "]"
}

// records are the names of records that differ from those of their aspects.
var records = map[string]string{
	"dataHubExecutionRequestInput": "ExecutionRequestInput", "dataHubExecutionRequestResult": "ExecutionRequestResult",
	"dataHubExecutionRequestSignal": "ExecutionRequestSignal", "propertyDefinition": "StructuredPropertyDefinition",
}

// writeAPIs are all APIs that write.
var writeAPIs = []writeAPI{
	{"Rest.li UPSERT", func(c caller, f fact) (int, string) {
		return c.Call(http.MethodPost, "/aspects?action=ingestProposal", `{"proposal":`+f.proposal("UPSERT", f.value)+`,"async":"false"}`)
	}},
	{"Rest.li asynchronous batch", func(c caller, f fact) (int, string) {
		return c.Call(http.MethodPost, "/aspects?action=ingestProposalBatch", `{"proposals":[`+f.proposal("UPSERT", f.value)+`],"async":"true"}`)
	}},
	{"Rest.li CREATE", func(c caller, f fact) (int, string) {
		return c.Call(http.MethodPost, "/gms/aspects?action=ingestProposal", `{"proposal":`+f.proposal("CREATE", f.value)+`}`)
	}},
	{"Rest.li PATCH", func(c caller, f fact) (int, string) {
		patch := `{"patch":` + patchOf(f.value) + `,"forceGenericPatch":true}`
		return c.Call(http.MethodPost, "/aspects?action=ingestProposal", `{"proposal":`+f.proposal("PATCH", patch)+`}`)
	}},
	{"OpenAPI v3", func(c caller, f fact) (int, string) {
		return c.Call(http.MethodPost, "/openapi/v3/entity/"+f.urn.Type()+"?async=false", fmt.Sprintf(`[{"urn":%q,%q:{"value":%s}}]`, f.urn, f.aspect, f.value))
	}},
	{"OpenAPI v3 asynchronous", func(c caller, f fact) (int, string) {
		return c.Call(http.MethodPost, "/openapi/v3/entity/"+f.urn.Type()+"?async=true", fmt.Sprintf(`[{"urn":%q,%q:{"value":%s}}]`, f.urn, f.aspect, f.value))
	}},
	{"OpenAPI v3 of any type", func(c caller, f fact) (int, string) {
		return c.Call(http.MethodPost, "/openapi/v3/entity/generic?async=false", fmt.Sprintf(`{%q:[{"urn":%q,%q:{"value":%s}}]}`, f.urn.Type(), f.urn, f.aspect, f.value))
	}},
	{"OpenAPI v3 of one aspect", func(c caller, f fact) (int, string) {
		return c.Call(http.MethodPost, "/openapi/v3/entity/"+f.urn.Type()+"/"+url.PathEscape(string(f.urn))+"/"+f.aspect+"?createIfNotExists=false", `{"value":`+f.value+`}`)
	}},
	{"OpenAPI v3 patch", func(c caller, f fact) (int, string) {
		return c.Call(http.MethodPatch, "/openapi/v3/entity/"+f.urn.Type()+"?async=false",
			fmt.Sprintf(`[{"urn":%q,%q:{"value":{"patch":%s,"forceGenericPatch":true}}}]`, f.urn, f.aspect, patchOf(f.value)))
	}},
	{"OpenAPI v2", func(c caller, f fact) (int, string) {
		return c.Call(http.MethodPost, "/openapi/v2/entity/"+f.urn.Type()+"?async=false", fmt.Sprintf(`[{"urn":%q,"aspects":{%q:{"value":%s}}}]`, f.urn, f.aspect, f.value))
	}},
	{"OpenAPI v1", func(c caller, f fact) (int, string) {
		var value map[string]any
		if err := json.Unmarshal([]byte(f.value), &value); err != nil {
			panic(err)
		}
		value["__type"] = strings.ToUpper(f.aspect[:1]) + f.aspect[1:]
		if record := records[f.aspect]; record != "" {
			value["__type"] = record
		}
		typed, _ := json.Marshal(value)
		return c.Call(http.MethodPost, "/openapi/entities/v1/", fmt.Sprintf(`[{"entityType":%q,"entityUrn":%q,"aspect":%s}]`, f.urn.Type(), f.urn, typed))
	}},
	{"GraphQL patchEntity", func(c caller, f fact) (int, string) {
		var members map[string]json.RawMessage
		if err := json.Unmarshal([]byte(f.value), &members); err != nil {
			panic(err)
		}
		var ops []string
		for name, v := range members {
			ops = append(ops, fmt.Sprintf(`{op: ADD, path: %q, value: %q}`, "/"+name, v))
		}
		query, _ := json.Marshal(fmt.Sprintf(`mutation { patchEntity(input: {urn: %q, aspectName: %q, forceGenericPatch: true, patch: [%s]}) { success error } }`,
			f.urn, f.aspect, strings.Join(ops, ",")))
		return c.Call(http.MethodPost, "/api/graphql", `{"query":`+string(query)+`}`)
	}},
}

// refused reports whether a response is a refusal due to a missing right.
func refused(status int, body string) bool {
	return status == http.StatusForbidden || status == http.StatusUnauthorized ||
		status == http.StatusOK && strings.Contains(body, `"success":false`) && strings.Contains(body, "Unauthorized")
}

// stored returns the stored value, "" for none.
func stored(s *apptest.Service, u urn.URN, aspect string) string {
	status, body := s.Call(http.MethodGet, "/aspects/"+url.QueryEscape(string(u))+"?aspect="+aspect+"&version=0", "")
	if status != http.StatusOK {
		return ""
	}
	return body
}

const (
	pendingRun  urn.URN = "urn:li:dataHubExecutionRequest:7b0e1f5e-0001-4c2e-9f3e-000000000001"
	adminsGroup urn.URN = "urn:li:corpGroup:admins"
	cliSource   urn.URN = "urn:li:dataHubIngestionSource:cli-5d41402abc4b2a76b9719d911017c592"

	pendingInput = `{"task":"RUN_INGEST","executorId":"default","requestedAt":1,"source":{"type":"MANUAL_INGESTION_SOURCE","ingestionSource":"urn:li:dataHubIngestionSource:nightly"},` +
		`"args":{"recipe":"source: {type: file}"},"actorUrn":"urn:li:corpuser:datahub"}`
)

// guarded are facts that an ordinary user must not write, with the privilege that the refusal
// names.
var guarded = []struct {
	fact
	needs string
}{
	{fact{"urn:li:dataHubExecutionRequest:forged", "dataHubExecutionRequestInput", `{"task":"RUN_INGEST","executorId":"default","requestedAt":1,"source":{"type":"MANUAL_INGESTION_SOURCE"},"args":{"recipe":"{}"}}`}, "MANAGE_INGESTION"},
	{fact{"urn:li:dataHubExecutionRequest:forged", "dataHubExecutionRequestInput", `{"task":"TEST_CONNECTION","executorId":"__datahub_cli_","requestedAt":1,"source":{"type":"MANUAL_TEST_CONNECTION"},"args":{}}`}, "MANAGE_INGESTION"},
	{fact{pendingRun, "dataHubExecutionRequestInput", `{"task":"CLI Ingestion","executorId":"__datahub_cli_","requestedAt":2,"source":{"type":"CLI_INGESTION_SOURCE","ingestionSource":"` + string(cliSource) + `"},"args":{"recipe":"mine"}}`}, "MANAGE_INGESTION"},
	{fact{pendingRun, "dataHubExecutionRequestResult", `{"status":"SUCCESS","report":"forged"}`}, "MANAGE_INGESTION"},
	{fact{pendingRun, "dataHubExecutionRequestSignal", `{"signal":"KILL","createdAt":` + stamp + `}`}, "MANAGE_INGESTION"},
	{fact{cliSource, "dataHubIngestionSourceInfo", `{"name":"[CLI] file","type":"file","config":{"recipe":"{}","executorId":"__datahub_cli_"},"schedule":{"interval":"* * * * *","timezone":"UTC"}}`}, "MANAGE_INGESTION"},
	{fact{cliSource, "dataHubIngestionSourceInfo", `{"name":"[CLI] file","type":"file","config":{"recipe":"{}","executorId":"default"}}`}, "MANAGE_INGESTION"},
	{fact{cliSource, "dataHubIngestionSourceInfo", `{"name":"[CLI] file","type":"file","config":{"recipe":"{}","executorId":"__datahub_cli_"},"source":{"type":"SYSTEM"}}`}, "MANAGE_INGESTION"},
	{fact{jo, "groupMembership", `{"groups":["` + string(adminsGroup) + `"]}`}, "MANAGE_USERS_AND_GROUPS"},
	{fact{jo, "nativeGroupMembership", `{"nativeGroups":["` + string(adminsGroup) + `"]}`}, "MANAGE_USERS_AND_GROUPS"},
	{fact{adminsGroup, "corpGroupInfo", `{"admins":["urn:li:corpuser:jo"],"members":[],"groups":[]}`}, "MANAGE_USERS_AND_GROUPS"},
	{fact{adminsGroup, "corpGroupEditableInfo", `{"description":"mine"}`}, "MANAGE_USERS_AND_GROUPS"},
	{fact{adminsGroup, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"DATAOWNER"}],"lastModified":` + stamp + `}`}, "MANAGE_USERS_AND_GROUPS"},
	{fact{adminsGroup, "status", `{"removed":true}`}, "MANAGE_USERS_AND_GROUPS"},
	{fact{adminsGroup, "origin", `{"type":"EXTERNAL"}`}, "MANAGE_USERS_AND_GROUPS"},
	{fact{mia, "corpUserInfo", `{"active":false,"displayName":"not Mia"}`}, "MANAGE_USERS_AND_GROUPS"},
	{fact{"urn:li:corpuser:datahub", "corpUserInfo", `{"active":true,"displayName":"not the administrator","email":"jo@example.org"}`}, "MANAGE_USERS_AND_GROUPS"},
	{fact{jo, "corpUserInfo", `{"active":true,"email":"root@example.org"}`}, "MANAGE_USERS_AND_GROUPS"},
	{fact{mia, "corpUserSettings", `{"appearance":{"showThemeV2":true}}`}, "MANAGE_USERS_AND_GROUPS"},
	{fact{mia, "corpUserEditableInfo", `{"aboutMe":"not Mia"}`}, "MANAGE_USERS_AND_GROUPS"},
	{fact{"urn:li:corpuser:datahub", "corpUserEditableInfo", `{"aboutMe":"gone"}`}, "MANAGE_USERS_AND_GROUPS"},
	{fact{"urn:li:corpuser:squatted", "corpUserKey", `{"username":"squatted"}`}, "MANAGE_USERS_AND_GROUPS"},
	{fact{"urn:li:corpuser:squatted", "globalTags", `{"tags":[]}`}, "MANAGE_USERS_AND_GROUPS"},
	{fact{jo, "subTypes", `{"typeNames":["SERVICE_ACCOUNT"]}`}, "MANAGE_SERVICE_ACCOUNTS"},
	{fact{jo, "roleMembership", `{"roles":["urn:li:dataHubRole:Admin"]}`}, "MANAGE_POLICIES"},
	{fact{"urn:li:ownershipType:mine", "ownershipTypeInfo", `{"name":"Mine","created":` + stamp + `,"lastModified":` + stamp + `}`}, "MANAGE_GLOBAL_OWNERSHIP_TYPES"},
	{fact{"urn:li:structuredProperty:mine", "propertyDefinition", `{"qualifiedName":"mine","valueType":"urn:li:dataType:datahub.string","entityTypes":["urn:li:entityType:datahub.dataset"]}`}, "MANAGE_STRUCTURED_PROPERTIES"},
	{fact{"urn:li:form:mine", "formInfo", `{"name":"Mine","type":"COMPLETION","prompts":[]}`}, "MANAGE_DOCUMENTATION_FORMS"},
	{fact{"urn:li:test:mine", "testInfo", `{"name":"Mine","category":"c","definition":{"type":"JSON","json":"{}"}}`}, "MANAGE_TESTS"},
	{fact{"urn:li:dataHubUpgrade:default-data-policies-1", "dataHubUpgradeResult", `{"timestampMs":1}`}, "MANAGE_SYSTEM_OPERATIONS"},
	{fact{"urn:li:dataHubPersona:mine", "dataHubPersonaInfo", `{"personaName":"Mine"}`}, "MANAGE_GLOBAL_SETTINGS"},
	{fact{"urn:li:telemetry:clientId", "telemetryClientId", `{"clientId":"mine"}`}, "MANAGE_SYSTEM_OPERATIONS"},
	{fact{"urn:li:dataHubSecret:mine", "dataHubSecretKey", `{"id":"mine"}`}, "MANAGE_SECRETS"},
	{fact{"urn:li:dataHubConnection:mine", "dataHubConnectionKey", `{"id":"mine"}`}, "MANAGE_CONNECTIONS"},
	{fact{"urn:li:dataHubRetention:(chart,*)", "dataHubRetentionConfig", `{"retention":{"version":{"maxVersions":1}}}`}, "MANAGE_SYSTEM_OPERATIONS"},
	{fact{"urn:li:lifecycleStageType:mine", "lifecycleStageTypeInfo", `{"name":"Mine","settings":{"hideInSearch":true},"created":` + stamp + `,"lastModified":` + stamp + `}`}, "MANAGE_GLOBAL_SETTINGS"},
	{fact{"urn:li:dataType:datahub.string", "dataTypeInfo", `{"qualifiedName":"datahub.mine"}`}, "MANAGE_SYSTEM_OPERATIONS"},
	{fact{"urn:li:entityType:datahub.dataset", "entityTypeInfo", `{"qualifiedName":"datahub.mine"}`}, "MANAGE_SYSTEM_OPERATIONS"},
	{fact{"urn:li:globalSettings:0", "globalSettingsInfo", `{"views":{}}`}, "MANAGE_GLOBAL_SETTINGS"},
}

// world returns a running service with some data of an administrator.
func world(t *testing.T) *apptest.Service {
	t.Helper()
	s := apptest.New(t)
	for _, f := range []fact{
		{mia, "corpUserInfo", `{"active":true,"displayName":"Mia"}`},
		{adminsGroup, "corpGroupInfo", `{"admins":[],"members":[],"groups":[],"displayName":"Administrators"}`},
		{pendingRun, "dataHubExecutionRequestInput", pendingInput},
	} {
		if status, body := writeAPIs[0].write(s, f); status != http.StatusOK {
			t.Fatalf("%s: %d %s", f, status, body)
		}
	}
	return s
}

func TestAnOrdinaryUserWritesNothingThatDecidesAboutOthersThroughAnyAPI(t *testing.T) {
	t.Parallel()
	s := world(t)
	user := s.As(jo)
	for _, g := range guarded {
		before := stored(s, g.urn, g.aspect)
		for _, d := range writeAPIs {
			status, body := d.write(user, g.fact)
			// An existing aspect cannot be created, by any caller.
			taken := d.name == "Rest.li CREATE" && before != "" && status == http.StatusUnprocessableEntity
			if taken {
				continue
			}
			if !refused(status, body) {
				t.Errorf("%s: %s: answered %d %.300s", g.fact, d.name, status, body)
			} else if d.name != "GraphQL patchEntity" && !strings.Contains(body, g.needs) {
				t.Errorf("%s: %s: the refusal does not name %s: %.300s", g.fact, d.name, g.needs, body)
			}
			if after := stored(s, g.urn, g.aspect); after != before {
				t.Errorf("%s: %s: wrote %.300s", g.fact, d.name, after)
				before = after
			}
		}
	}
}

func TestASnapshotIsNoWayRoundTheRightsOverItsAspects(t *testing.T) {
	t.Parallel()
	s := world(t)
	user := s.As(jo)
	for u, snapshot := range map[urn.URN]string{
		mia: `{"com.linkedin.metadata.snapshot.CorpUserSnapshot":{"urn":"urn:li:corpuser:mia","aspects":[{"com.linkedin.identity.CorpUserInfo":{"active":false}}]}}`,
		adminsGroup: `{"com.linkedin.metadata.snapshot.CorpGroupSnapshot":{"urn":"urn:li:corpGroup:admins","aspects":[` +
			`{"com.linkedin.identity.CorpGroupInfo":{"admins":["urn:li:corpuser:jo"],"members":[],"groups":[]}}]}}`,
	} {
		for action, body := range map[string]string{
			"ingest": `{"entity":{"value":` + snapshot + `}}`, "batchIngest": `{"entities":[{"value":` + snapshot + `}]}`,
		} {
			status, answer := user.Call(http.MethodPost, "/entities?action="+action, body)
			if !refused(status, answer) || !strings.Contains(answer, "MANAGE_USERS_AND_GROUPS") {
				t.Errorf("%s of %s: answered %d %.300s", action, u, status, answer)
			}
		}
	}
}

func TestAnOrdinaryUserDeletesNothingForGoodThroughAnyAPI(t *testing.T) {
	t.Parallel()
	s := world(t)
	user := s.As(jo)
	report := fact{cliSource, "dataHubIngestionSourceInfo", `{"name":"[CLI] file","type":"file","config":{"recipe":"{}","executorId":"__datahub_cli_"}}`}
	if status, body := writeAPIs[0].write(user, report); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	for _, f := range []fact{
		{mia, "corpUserInfo", "{}"}, {jo, "corpUserInfo", "{}"}, {adminsGroup, "corpGroupInfo", "{}"},
		{pendingRun, "dataHubExecutionRequestInput", "{}"}, report, {"urn:li:globalSettings:0", "globalSettingsInfo", "{}"},
	} {
		before := stored(s, f.urn, f.aspect)
		if before == "" {
			t.Fatalf("there is no %s", f)
		}
		escaped := url.PathEscape(string(f.urn))
		for name, call := range map[string][3]string{
			"Rest.li DELETE of the aspect":   {"POST", "/aspects?action=ingestProposal", `{"proposal":` + f.proposal("DELETE", "") + `}`},
			"Rest.li DELETE of the entity":   {"POST", "/aspects?action=ingestProposal", fmt.Sprintf(`{"proposal":{"entityType":%q,"entityUrn":%q,"changeType":"DELETE"}}`, f.urn.Type(), f.urn)},
			"delete":                         {"POST", "/entities?action=delete", fmt.Sprintf(`{"urn":%q}`, f.urn)},
			"deleteReferences":               {"POST", "/entities?action=deleteReferences", fmt.Sprintf(`{"urn":%q}`, f.urn)},
			"OpenAPI v3 of the entity":       {"DELETE", "/openapi/v3/entity/" + f.urn.Type() + "/" + escaped, ""},
			"OpenAPI v3 of the aspect":       {"DELETE", "/openapi/v3/entity/" + f.urn.Type() + "/" + escaped + "/" + f.aspect, ""},
			"OpenAPI v3 of listed aspects":   {"DELETE", "/openapi/v3/entity/" + f.urn.Type() + "/" + escaped + "?aspects=" + f.aspect, ""},
			"OpenAPI v2 of the entity":       {"DELETE", "/openapi/v2/entity/" + f.urn.Type() + "/" + escaped, ""},
			"OpenAPI v1":                     {"DELETE", "/openapi/entities/v1/?soft=false&urns=" + url.QueryEscape(string(f.urn)), ""},
			"rollback of writes without run": {"POST", "/runs?action=rollback", `{"runId":"no-run-id-provided","dryRun":"false"}`},
		} {
			if status, body := user.Call(call[0], call[1], call[2]); !refused(status, body) {
				t.Errorf("%s: %s: answered %d %.300s", f, name, status, body)
			}
			if after := stored(s, f.urn, f.aspect); after != before {
				t.Fatalf("%s: %s: left %q", f, name, after)
			}
		}
	}
}

// A run of the stock client reports itself as an ordinary user, asynchronously and in two parts,
// and does so again the next time.
func TestAPipelineOfAnOrdinaryUserReportsItselfAndNobodyElseDoes(t *testing.T) {
	t.Parallel()
	s := world(t)
	owner, other := s.As(jo), s.As(mia)
	source := fact{cliSource, "dataHubIngestionSourceInfo",
		`{"name":"[CLI] file","type":"file","platform":"urn:li:dataPlatform:file","config":{"recipe":"{\"source\":{\"type\":\"file\"}}","version":"1.7.0.17","executorId":"__datahub_cli_"}}`}
	run := urn.URN("urn:li:dataHubExecutionRequest:file-2026_08_13-10_00_00-abc123")
	input := fact{run, "dataHubExecutionRequestInput", `{"task":"CLI Ingestion","args":{"recipe":"{}","version":"1.7.0.17"},"executorId":"__datahub_cli_",` +
		`"source":{"type":"CLI_INGESTION_SOURCE","ingestionSource":"` + string(cliSource) + `"},"requestedAt":1765000000000}`}
	result := fact{run, "dataHubExecutionRequestResult",
		`{"status":"SUCCESS","startTimeMs":1765000000000,"durationMs":10,"report":"done","structuredReport":{"type":"CLI_INGEST","serializedValue":"{}","contentType":"application/json"}}`}
	late := fact{"urn:li:dataHubExecutionRequest:file-2026_08_13-10_00_00-late00", "dataHubExecutionRequestResult", result.value}
	for _, f := range []fact{input, source, input} {
		if status, body := writeAPIs[0].write(owner, f); status != http.StatusOK {
			t.Errorf("%s: %d %s", f, status, body)
		}
	}
	for _, f := range []fact{input, result, {run, "dataHubExecutionRequestInput", strings.ReplaceAll(input.value, "1765000000000", "1")}} {
		if status, body := writeAPIs[0].write(other, f); !refused(status, body) || !strings.Contains(body, "somebody else reported this run first") {
			t.Errorf("%s of another user: %d %s", f, status, body)
		}
	}
	for _, f := range []fact{result, source, late} {
		for _, d := range []writeAPI{writeAPIs[1], writeAPIs[4]} {
			if status, body := d.write(owner, f); status != http.StatusOK {
				t.Errorf("%s by %s: %d %s", f, d.name, status, body)
			}
		}
	}
	// Two users may run pipelines of one kind: they share the source.
	if status, body := writeAPIs[0].write(other, source); status != http.StatusOK {
		t.Errorf("the same source of another user: %d %s", status, body)
	}
	for _, f := range []fact{
		{run, "dataHubExecutionRequestInput", strings.Replace(input.value, string(cliSource), "urn:li:dataHubIngestionSource:nightly", 1)},
		{run, "dataHubExecutionRequestInput", strings.Replace(input.value, `"requestedAt"`, `"actorUrn":"urn:li:corpuser:datahub","requestedAt"`, 1)},
		{run, "dataHubExecutionRequestInput", strings.Replace(input.value, "__datahub_cli_", "default", 1)},
	} {
		if status, body := writeAPIs[0].write(owner, f); !refused(status, body) || !strings.Contains(body, "MANAGE_INGESTION") {
			t.Errorf("%s: %d %s", f.value, status, body)
		}
	}
	// An actor who manages ingestion schedules the source; from then on a pipeline does not change
	// it.
	scheduled := fact{cliSource, source.aspect, strings.Replace(source.value, `"config"`, `"schedule":{"interval":"0 0 * * *","timezone":"UTC"},"config"`, 1)}
	if status, body := writeAPIs[0].write(s.As("urn:li:corpuser:datahub"), scheduled); status != http.StatusOK {
		t.Fatalf("the administrator: %d %s", status, body)
	}
	if status, body := writeAPIs[0].write(owner, source); !refused(status, body) || !strings.Contains(body, "somebody manages it") {
		t.Errorf("a source that is scheduled: %d %s", status, body)
	}
}

func TestAUserEditsOnesOwnProfileAndSettingsThroughEveryDoor(t *testing.T) {
	t.Parallel()
	s := world(t)
	user := s.As(jo)
	for i, d := range writeAPIs[:11] {
		for _, f := range []fact{
			{jo, "corpUserEditableInfo", fmt.Sprintf(`{"aboutMe":"by door %d","teams":[],"skills":[]}`, i)},
			{jo, "corpUserSettings", fmt.Sprintf(`{"appearance":{"showThemeV2":true},"locale":{"language":"x%d"}}`, i)},
		} {
			status, body := d.write(user, f)
			if status >= 300 && d.name != "Rest.li CREATE" {
				t.Errorf("%s: %s: %d %.300s", f, d.name, status, body)
			}
		}
	}
}
