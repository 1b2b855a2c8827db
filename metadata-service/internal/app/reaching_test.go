//go:build unix

package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// targets are entities that grant rights or configure the service. The test replaces the entities
// in the mutations of testdata/authorization.tsv by them.
var targets = []string{
	string(model.RootUser), "urn:li:corpuser:matrix-nobody", "urn:li:corpGroup:analysts", "urn:li:dataHubRole:Admin", "urn:li:dataHubPolicy:one",
	"urn:li:globalSettings:0", "urn:li:test:loud", "urn:li:dataHubIngestionSource:orders", "urn:li:dataHubExecutionRequest:one",
	"urn:li:dataHubRetention:(dataset,*)", "urn:li:corpuser:service_etl",
}

// grants lists the aspects that grant rights or configure the service, with the privileges by which
// mutations write them. The privileges of the table allow these writes as well.
var grants = map[string][]auth.Privilege{
	"corpuser corpUserInfo":                                 {auth.ManageUsers, auth.ManageServiceAcct, auth.UpdateUsers},
	"corpuser corpUserKey":                                  {auth.ManageUsers, auth.ManageServiceAcct, auth.UpdateUsers},
	"corpuser corpUserStatus":                               {auth.ManageUsers, auth.UpdateUsers},
	"corpuser status":                                       {auth.ManageUsers, auth.UpdateUsers, auth.ManageServiceAcct},
	"corpuser subTypes":                                     {auth.ManageServiceAcct},
	"corpuser corpUserCredentials":                          {auth.ManageCredentials},
	"corpuser corpUserSettings":                             {auth.Own},
	"corpuser roleMembership":                               {auth.ManagePolicies, auth.AcceptRole},
	"corpGroup roleMembership":                              {auth.ManagePolicies},
	"corpuser groupMembership":                              {auth.ManageUsers, auth.EditGroupMembers, auth.UpdateGroups},
	"corpuser nativeGroupMembership":                        {auth.ManageUsers, auth.EditGroupMembers, auth.UpdateGroups},
	"dataHubPolicy dataHubPolicyInfo":                       {auth.ManagePolicies},
	"dataHubRole dataHubRoleInfo":                           {auth.ManagePolicies},
	"globalSettings globalSettingsInfo":                     {auth.ManageSettings, auth.ManageGlobalViews, auth.ManageFeatures, auth.ManageHomePage},
	"test testInfo":                                         {auth.ManageTests},
	"dataHubIngestionSource dataHubIngestionSourceInfo":     {auth.ManageIngestion, auth.EditEntity, auth.CreateEntity},
	"dataHubExecutionRequest dataHubExecutionRequestInput":  {auth.ManageIngestion, auth.ExecuteEntity, auth.EditEntity},
	"dataHubExecutionRequest dataHubExecutionRequestSignal": {auth.ManageIngestion, auth.ExecuteEntity, auth.EditEntity},
	"dataHubRetention dataHubRetentionConfig":               {},
	"dataHubSecret dataHubSecretValue":                      {auth.ManageSecrets},
	"dataHubConnection dataHubConnectionDetails":            {auth.ManageConnections},
	"dataHubAccessToken dataHubAccessTokenInfo":             {auth.ManageTokens, auth.GenerateTokens, auth.ManageServiceAcct},
	"inviteToken inviteToken":                               {auth.ManageCredentials},
}

var anyURN = regexp.MustCompile(`urn:li:[A-Za-z]+:(?:\((?:[^()"\\]|\([^()]*\))*\)|[^"\\,() ]+)`)

// TestMutationsWriteWhatTheirPrivilegesReach runs every mutation of the schema, as an actor who
// holds the required privileges over everything, with entities that grant rights or configure the
// service in place of the regular ones. According to the change log, no aspect may be written whose
// privilege the actor does not hold.
func TestMutationsWriteWhatTheirPrivilegesReach(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	asked := 0
	for _, r := range readRows(t) {
		if !strings.HasPrefix(r.operation, "mutation ") {
			continue
		}
		for _, privileges := range r.needs {
			m.reset(t)
			m.grant(t, privileges, nil)
			for _, target := range targets {
				body := anyURN.ReplaceAllLiteralString(r.body, target)
				if body == r.body {
					continue
				}
				asked++
				before := m.changes()
				got := ask(t, m.app, m.holder, r.method, r.path, m.filled(t, body, m.holder))
				for _, written := range m.writtenBy(t, holderURN, before) {
					if !mayWrite(written, privileges) {
						t.Errorf("%s of %s by %v writes %s of %s: %.300s", r.operation, target, privileges, written.Aspect, written.URN, got.body)
					}
				}
			}
		}
	}
	t.Logf("%d mutations of other targets were asked", asked)
	if asked < 1000 {
		t.Errorf("only %d mutations were asked", asked)
	}
}

// writtenBy returns the log entries of an actor after a sequence of the change log.
func (m *matrix) writtenBy(t *testing.T, actor urn.URN, after uint64) []store.Entry {
	t.Helper()
	entries, err := m.app.Log().Entries(t.Context(), after, 0)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(entries, func(e store.Entry) bool { return e.Actor != actor || e.Kind == store.Message })
}

// written returns the log entries after a sequence of the change log, except for periodic writes of
// the service itself, such as the last uses of tokens.
func (m *matrix) written(t *testing.T, after uint64) []store.Entry {
	t.Helper()
	if m.changes() == after {
		return nil
	}
	entries, err := m.app.Log().Entries(t.Context(), after, 0)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(entries, func(e store.Entry) bool { return e.Actor == model.SystemActor || e.Kind == store.Message })
}

// mayWrite reports whether one of the privileges permits writing an aspect that grants rights or
// configures the service. It returns true for all other aspects.
func mayWrite(e store.Entry, privileges []string) bool {
	by, decides := grants[e.URN.Type()+" "+e.Aspect]
	if !decides {
		return true
	}
	for _, op := range []auth.Operation{auth.OpCreate, auth.OpUpdate, auth.OpDelete} {
		by = append(slices.Clone(by), privilege.Needed(op, e.URN, e.Aspect)...)
	}
	return slices.ContainsFunc(by, func(p auth.Privilege) bool {
		return slices.Contains(privileges, string(p)) || p == auth.Own && e.URN == holderURN || p == auth.AcceptRole && e.URN == holderURN
	})
}

// TestChangesTakeTheirRightsByEveryInterface tries, by every API that writes aspects, changes that
// require a right beyond that over their entity, as an actor who only has the right over the
// entity.
func TestChangesTakeTheirRightsByEveryInterface(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	const (
		asset   = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)" // in the domain shop
		request = "urn:li:dataHubExecutionRequest:forged"
		outside = "urn:li:dataset:(urn:li:dataPlatform:hive,elsewhere.pay,PROD)" // in no domain
		column  = "urn:li:schemaField:(" + outside + ",id)"
		fresh   = "urn:li:schemaField:(" + outside + ",fresh)"
		product = "urn:li:dataProduct:changes" // in the domain shop
		set     = "urn:li:versionSet:(changes,dataset)"
	)
	policies := map[string]string{
		"domain":    `"type":"METADATA","privileges":["EDIT_ENTITY","CREATE_ENTITY","DELETE_ENTITY"],"resources":{"filter":{"criteria":[{"field":"DOMAIN","values":["urn:li:domain:shop"]}]},"privilegeConstraints":{"criteria":[{"field":"URN","values":["urn:li:tag:pii"]}]}}`,
		"requests":  `"type":"METADATA","privileges":["EDIT_ENTITY","CREATE_ENTITY"],"resources":{"filter":{"criteria":[{"field":"TYPE","values":["dataHubExecutionRequest"]}]}}`,
		"directory": `"type":"PLATFORM","privileges":["MANAGE_USERS_AND_GROUPS"]`,
		"forms":     `"type":"METADATA","privileges":["EDIT_ENTITY","CREATE_ENTITY"],"resources":{"filter":{"criteria":[{"field":"TYPE","values":["form"]}]}}`,
	}
	for id, text := range policies {
		put(t, m.app, "urn:li:dataHubPolicy:changes-"+id, "dataHubPolicyInfo", `{"displayName":"Changes","description":"","state":"ACTIVE","actors":{"users":["`+holderURN+`"]},`+text+`}`)
	}
	put(t, m.app, "urn:li:dataHubPolicy:changes-members", "dataHubPolicyInfo", `{"displayName":"Members","description":"","state":"ACTIVE","type":"PLATFORM","privileges":["MANAGE_POLICIES"],"actors":{"groups":["urn:li:corpGroup:team"]}}`)
	put(t, m.app, request, "dataHubExecutionRequestKey", `{"id":"forged"}`)

	put(t, m.app, outside, "versionProperties", `{"versionSet":"`+set+`","sortId":"B","version":{"versionTag":"b"}}`)
	put(t, m.app, column, "domains", `{"domains":["urn:li:domain:shop"]}`)
	put(t, m.app, product, "domains", `{"domains":["urn:li:domain:shop"]}`)

	tried := 0
	for _, change := range []struct{ entity, aspect, value string }{
		{asset, "domains", `{"domains":["urn:li:domain:elsewhere"]}`},
		{asset, "domains", `{"domains":[]}`},
		{asset, "globalTags", `{"tags":[{"tag":"urn:li:tag:pii"},{"tag":"urn:li:tag:elsewhere"}]}`},
		{asset, "globalTags", `{"tags":[{"tag":"urn:li:tag:elsewhere"}]}`},
		{asset, "editableSchemaMetadata", `{"editableSchemaFieldInfo":[{"fieldPath":"id","globalTags":{"tags":[{"tag":"urn:li:tag:elsewhere"}]}}]}`},
		{asset, "logicalParent", `{"parent":{"destinationUrn":"urn:li:dataset:(urn:li:dataPlatform:hive,shop.revenue,PROD)"}}`},
		{request, "dataHubExecutionRequestInput", `{"task":"RUN_INGEST","args":{"recipe":"{}"},"executorId":"default","requestedAt":1,"source":{"type":"MANUAL_INGESTION_SOURCE"}}`},
		{request, "dataHubExecutionRequestInput", `{"task":"RUN_INGEST","args":{"recipe":"{}"},"executorId":"default","requestedAt":1,"source":{"type":"MANUAL_INGESTION_SOURCE","ingestionSource":"urn:li:dataHubIngestionSource:nightly"}}`},
		{product, "dataProductProperties", `{"name":"P","assets":[{"destinationUrn":"` + outside + `"}]}`},
		{asset, "versionProperties", `{"versionSet":"` + set + `","sortId":"C","version":{"versionTag":"c"}}`},
		{column, "deprecation", `{"deprecated":true,"note":"","actor":"` + holderURN + `"}`},
		{fresh, "domains", `{"domains":["urn:li:domain:shop"]}`},
		{asset, "forms", `{"incompleteForms":[{"urn":"urn:li:form:review","incompletePrompts":[],"completedPrompts":[]}],"completedForms":[],"verifications":[]}`},
		{asset, "forms", `{"incompleteForms":[],"completedForms":[],"verifications":[{"form":"urn:li:form:review","lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}]}`},
		{"urn:li:form:review", "dynamicFormAssignment", `{"filter":{"or":[]}}`},
		{holderURN, "nativeGroupMembership", `{"nativeGroups":["urn:li:corpGroup:team"]}`},
		{holderURN, "groupMembership", `{"groups":["urn:li:corpGroup:team"]}`},
	} {
		u := urn.URN(change.entity)
		entity, _ := registry.Entity(u.Type())
		spec, _ := entity.Aspect(change.aspect)
		f := &fact{entity: entity, spec: spec, urn: u, value: change.value}
		for _, w := range writers {
			if w.removes || w.unless != nil && w.unless(f) || strings.Contains(w.operation, "CREATE") {
				continue
			}
			tried++
			before := m.changes()
			path, body := w.request(f)
			got := ask(t, m.app, m.holder, w.method, path, body)
			if written := m.writtenBy(t, holderURN, before); len(written) > 0 || !isRefusal(got) {
				t.Errorf("%s to %s by %s: wrote %d, answered %d %.300s", f, f.value, w.operation, len(written), got.status, got.body)
			}
		}
	}
	t.Logf("%d cells", tried)
	before := m.changes()
	batch := `{"proposals":[` + strings.Join([]string{
		proposal(fresh, "domains", `{"domains":["urn:li:domain:shop"]}`), proposal(fresh, "documentation", `{"documentations":[{"documentation":"x"}]}`),
	}, ",") + `]}`
	got := ask(t, m.app, m.holder, "POST", "/aspects?action=ingestProposalBatch", batch)
	if written := m.writtenBy(t, holderURN, before); len(written) > 0 || !isRefusal(got) {
		t.Errorf("a column with a domain in one batch: wrote %d, answered %d %.300s", len(written), got.status, got.body)
	}
	// Allowed writes show that the refusals were due to the change.
	for _, allowed := range []struct{ entity, aspect, value string }{
		{asset, "globalTags", `{"tags":[]}`},
		{asset, "datasetProperties", `{"description":"x"}`},
	} {
		u := urn.URN(allowed.entity)
		entity, _ := registry.Entity(u.Type())
		spec, _ := entity.Aspect(allowed.aspect)
		path, body := writers[0].request(&fact{entity: entity, spec: spec, urn: u, value: allowed.value})
		if got := ask(t, m.app, m.holder, writers[0].method, path, body); got.status != 200 {
			t.Errorf("%s of %s: %s", allowed.aspect, u, fmt.Sprint(got))
		}
	}
}

// proposal returns a proposal of ingestProposalBatch.
func proposal(entity urn.URN, aspect, value string) string {
	return fmt.Sprintf(`{"entityType":%q,"entityUrn":%q,"aspectName":%q,"changeType":"UPSERT","aspect":{"contentType":"application/json","value":%q}}`, entity.Type(), entity, aspect, value)
}

// TestGroupsAreFilledByTheRightOverThemByEveryInterface writes memberships, by every API that
// writes aspects, as an actor who holds EDIT_GROUP_MEMBERS over one group and no right over users.
func TestGroupsAreFilledByTheRightOverThemByEveryInterface(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	const member, crew, other = "urn:li:corpuser:jo", "urn:li:corpGroup:crew", "urn:li:corpGroup:other"
	m.grant(t, []string{"EDIT_GROUP_MEMBERS"}, []string{crew})
	entity, _ := registry.Entity("corpuser")
	tried := 0
	for aspect, list := range map[string]string{"groupMembership": "groups", "nativeGroupMembership": "nativeGroups"} {
		spec, _ := entity.Aspect(aspect)
		write := func(u urn.URN, by writer, groups string) (answer, int) {
			f := &fact{entity: entity, spec: spec, urn: u, value: `{"` + list + `":[` + groups + `]}`}
			before := m.changes()
			path, body := by.request(f)
			got := ask(t, m.app, m.holder, by.method, path, body)
			return got, len(m.writtenBy(t, holderURN, before))
		}
		for _, w := range writers {
			if w.removes || strings.Contains(w.operation, "CREATE") || w.unless != nil && w.unless(&fact{entity: entity, spec: spec}) {
				continue
			}
			tried++
			put(t, m.app, member, aspect, `{"`+list+`":[]}`)
			if got, written := write(member, w, `"`+crew+`"`); isRefusal(got) || written == 0 {
				t.Errorf("%s by %s: the group is not joined: %d %.300s", aspect, w.operation, got.status, got.body)
			}
			for name, refused := range map[string]struct {
				member urn.URN
				groups string
			}{
				"a group of others too": {member, `"` + crew + `","` + other + `"`},
				"a group of others":     {member, `"` + other + `"`},
				"oneself":               {holderURN, `"` + crew + `"`},
				"a user that is absent": {"urn:li:corpuser:absent", `"` + crew + `"`},
			} {
				if got, written := write(refused.member, w, refused.groups); !isRefusal(got) || written > 0 {
					t.Errorf("%s by %s, %s: wrote %d, answered %d %.300s", aspect, w.operation, name, written, got.status, got.body)
				}
			}
			if got, written := write(member, w, ``); isRefusal(got) || written == 0 {
				t.Errorf("%s by %s: the group is not left: %d %.300s", aspect, w.operation, got.status, got.body)
			}
		}
	}
	if tried < 30 {
		t.Errorf("only %d interfaces were tried", tried)
	}
}

// TestToolsWriteWhatTheTablePermits calls every tool of the Model Context Protocol with entities
// that grant rights or configure the service, with arguments generated from the schemas of the
// tools, as an actor who may create and edit every entity.
func TestToolsWriteWhatTheTablePermits(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	privileges := []string{"CREATE_ENTITY", "EDIT_ENTITY"}
	m.grant(t, privileges, nil)
	var listed struct {
		Result struct {
			Tools []struct {
				Name        string
				InputSchema schema
			}
		}
	}
	text := m.remoteCall(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if err := json.Unmarshal([]byte(text), &listed); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	asked := 0
	for _, tool := range listed.Result.Tools {
		for _, target := range targets {
			arguments, _ := json.Marshal(tool.InputSchema.example("", target))
			before := m.changes()
			answer := m.remoteCall(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool.Name, arguments))
			if strings.Contains(answer, "invalid params") {
				t.Errorf("%s was not called: %.300s", tool.Name, answer)
			}
			asked++
			for _, written := range m.writtenBy(t, holderURN, before) {
				if !mayWrite(written, privileges) {
					t.Errorf("%s of %s writes %s of %s: %.300s", tool.Name, target, written.Aspect, written.URN, answer)
				}
			}
		}
	}
	t.Logf("%d calls of %d tools", asked, len(listed.Result.Tools))
	if len(listed.Result.Tools) < 10 {
		t.Errorf("only %d tools are listed", len(listed.Result.Tools))
	}
}

// remoteCall sends a message of the Model Context Protocol as the holder.
func (m *matrix) remoteCall(t *testing.T, message string) string {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(message))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", m.holder)
	w := httptest.NewRecorder()
	m.app.Handler().ServeHTTP(w, r)
	text := w.Body.String()
	if _, data, ok := strings.Cut(text, "data: "); ok {
		text = data
	}
	return text
}

// schema is the part of JSON schema that the tools use.
type schema struct {
	Type       any
	Enum       []any
	Properties map[string]*schema
	Items      *schema
}

// example returns a value of the schema, in which texts with names that denote entities are the
// target.
func (s *schema) example(name, target string) any {
	kind, _ := s.Type.(string)
	if kinds, ok := s.Type.([]any); ok { // or null
		for _, k := range kinds {
			if k != "null" {
				kind, _ = k.(string)
			}
		}
	}
	switch {
	case len(s.Enum) > 0:
		return s.Enum[0]
	case kind == "object":
		out := map[string]any{}
		for member, of := range s.Properties {
			out[member] = of.example(member, target)
		}
		return out
	case kind == "array":
		return []any{s.Items.example(name, target)}
	case kind == "integer" || kind == "number":
		return 1
	case kind == "boolean":
		return false
	case name == "column":
		return ""
	}
	return target
}
