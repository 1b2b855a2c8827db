//go:build unix

package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/modeltest"
	"github.com/cartulary/cartulary/pkg/urn"
)

// fact is an aspect of an entity with a valid value.
type fact struct {
	entity *model.EntitySpec
	spec   *model.AspectSpec
	urn    urn.URN
	value  string
	run    string // run of the write
}

func (f *fact) String() string { return f.spec.Name + " of " + string(f.urn) }

// proposal is the Rest.li form of a write.
func (f *fact) proposal(change, value string) string {
	return fmt.Sprintf(`{"entityType":%q,"entityUrn":%q,"changeType":%q,"aspectName":%q,"aspect":{"contentType":"application/json","value":%q},"systemMetadata":{"runId":%q,"lastObserved":1}}`,
		f.entity.Name, f.urn, change, f.spec.Name, value, f.run)
}

// patch returns a JSON patch that adds every member of the value.
func (f *fact) patch() string {
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(f.value), &members); err != nil {
		panic(err)
	}
	operations := []string{}
	for name, v := range members {
		operations = append(operations, fmt.Sprintf(`{"op":"add","path":"/%s","value":%s}`, name, v))
	}
	return `{"patch":[` + strings.Join(operations, ",") + `],"forceGenericPatch":true}`
}

// patchEntity returns the patch in the form of GraphQL.
func (f *fact) patchEntity(mutation, before, after string) string {
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(f.value), &members); err != nil {
		panic(err)
	}
	operations := []string{}
	for name, v := range members {
		operations = append(operations, fmt.Sprintf(`{op: ADD, path: %q, value: %q}`, "/"+name, v))
	}
	return graphqlBody(fmt.Sprintf(`mutation { %s(input: %s{urn: %q, aspectName: %q, forceGenericPatch: true, patch: [%s]}%s) { success error } }`,
		mutation, before, f.urn, f.spec.Name, strings.Join(operations, ","), after))
}

func (f *fact) escaped() string { return url.PathEscape(string(f.urn)) }

// snapshot returns the older form of a write, which names the record of the aspect.
func (f *fact) snapshot() string {
	return fmt.Sprintf(`{"value":{%q:{"urn":%q,"aspects":[{%q:%s}]}}}`, f.entity.Snapshot.Record, f.urn, f.spec.Record.Name, f.value)
}

// isNoSnapshot reports whether the older form of a write does not support a fact.
func isNoSnapshot(f *fact) bool {
	return f.entity.Snapshot == nil || !slices.Contains(f.entity.Snapshot.Aspects, f.spec.Name)
}

// typed returns the value with the name of its record in it.
func (f *fact) typed() string {
	var value map[string]any
	if err := json.Unmarshal([]byte(f.value), &value); err != nil {
		panic(err)
	}
	name := f.spec.Record.Name
	value["__type"] = name[strings.LastIndexByte(name, '.')+1:]
	text, _ := json.Marshal(value)
	return string(text)
}

// writer is an API that writes any aspect, given by its request for a fact.
type writer struct {
	// operation is the name of the API in testdata/authorization.tsv, with a variant in
	// parentheses.
	operation string
	method    string
	request   func(f *fact) (path, body string)
	// unless reports facts that the API cannot express at all.
	unless func(f *fact) bool
	// removes is set for removals, which require the right to delete.
	removes bool
	// idle recognises the response for a request with nothing to do; nil if there is no such
	// response.
	idle func(got answer) bool
}

func post(operation string, request func(f *fact) (string, string)) writer {
	return writer{operation: operation, method: http.MethodPost, request: request}
}

func proposing(change string) writer {
	return post("rest POST /aspects?action=ingestProposal ("+change+")", func(f *fact) (string, string) {
		value := f.value
		if change == "PATCH" {
			value = f.patch()
		}
		return "/aspects?action=ingestProposal", `{"proposal":` + f.proposal(change, value) + `,"async":"false"}`
	})
}

func isSeries(f *fact) bool { return f.spec.Timeseries }

// cannotBePatched reports series, and keys, which follow from the URN.
func cannotBePatched(f *fact) bool { return f.spec.Timeseries || f.spec.IsKey }

func (w writer) except(unless func(f *fact) bool) writer { w.unless = unless; return w }
func (w writer) removing() writer                        { w.removes = true; return w }
func (w writer) idleBy(idle func(got answer) bool) writer {
	w.idle = idle
	return w
}
func (w writer) by(method string) writer { w.method = method; return w }

// writers are all APIs that write an aspect named by the caller.
var writers = []writer{
	proposing("UPSERT"), proposing("CREATE").except(isSeries), proposing("CREATE_ENTITY").except(isSeries), proposing("RESTATE"), proposing("PATCH").except(cannotBePatched),
	post("rest POST /aspects?action=ingestProposalBatch", func(f *fact) (string, string) {
		return "/aspects?action=ingestProposalBatch", `{"proposals":[` + f.proposal("UPSERT", f.value) + `],"async":"true"}`
	}),
	post("rest POST /aspects?action=ingestProposal (DELETE)", func(f *fact) (string, string) {
		return "/aspects?action=ingestProposal", `{"proposal":` + f.proposal("DELETE", "") + `}`
	}).removing().except(isSeries),
	post("rest POST /entities?action=ingest", func(f *fact) (string, string) {
		return "/entities?action=ingest", `{"entity":` + f.snapshot() + `}`
	}).except(isNoSnapshot),
	post("rest POST /entities?action=batchIngest", func(f *fact) (string, string) {
		return "/entities?action=batchIngest", `{"entities":[` + f.snapshot() + `]}`
	}).except(isNoSnapshot),
	post("rest POST /entities?action=delete", func(f *fact) (string, string) {
		return "/entities?action=delete", fmt.Sprintf(`{"urn":%q}`, f.urn)
	}).removing(),
	post("rest POST /entities?action=deleteReferences", func(f *fact) (string, string) {
		return "/entities?action=deleteReferences", fmt.Sprintf(`{"urn":%q}`, f.urn)
	}).removing(),
	post("rest POST /runs?action=rollback", func(f *fact) (string, string) {
		return "/runs?action=rollback", fmt.Sprintf(`{"runId":%q,"dryRun":"false","hardDelete":"true"}`, f.run)
	}).removing().idleBy(func(got answer) bool { return strings.Contains(got.body, `"aspectsAffected":0,"aspectsReverted":0,`) }),
	post("openapi POST /openapi/entities/v1", func(f *fact) (string, string) {
		return "/openapi/entities/v1", fmt.Sprintf(`[{"entityType":%q,"entityUrn":%q,"aspect":%s}]`, f.entity.Name, f.urn, f.typed())
	}),
	post("openapi DELETE /openapi/entities/v1", func(f *fact) (string, string) {
		return "/openapi/entities/v1?soft=false&urns=" + url.QueryEscape(string(f.urn)), ""
	}).by(http.MethodDelete).removing(),
	post("openapi POST /openapi/v2/platform/entities/v1", func(f *fact) (string, string) {
		return "/openapi/v2/platform/entities/v1", fmt.Sprintf(`[{"entityType":%q,"entityUrn":%q,"changeType":"UPSERT","aspectName":%q,"aspect":{"contentType":"application/json","value":%q}}]`,
			f.entity.Name, f.urn, f.spec.Name, f.value)
	}),
	post("openapi POST /openapi/v2/entity/{type}", func(f *fact) (string, string) {
		return "/openapi/v2/entity/" + f.entity.Name + "?async=false", fmt.Sprintf(`[{"urn":%q,"aspects":{%q:{"value":%s}}}]`, f.urn, f.spec.Name, f.value)
	}),
	post("openapi PATCH /openapi/v2/entity/{type}", func(f *fact) (string, string) {
		return "/openapi/v2/entity/" + f.entity.Name + "?async=false", fmt.Sprintf(`[{"urn":%q,"aspects":{%q:{"value":%s}}}]`, f.urn, f.spec.Name, f.patch())
	}).by(http.MethodPatch).except(cannotBePatched),
	post("openapi POST /openapi/v2/entity/{type}/{urn}/{aspect}", func(f *fact) (string, string) {
		return "/openapi/v2/entity/" + f.entity.Name + "/" + f.escaped() + "/" + f.spec.Name + "?createIfNotExists=false", f.value
	}),
	post("openapi PATCH /openapi/v2/entity/{type}/{urn}/{aspect}", func(f *fact) (string, string) {
		return "/openapi/v2/entity/" + f.entity.Name + "/" + f.escaped() + "/" + f.spec.Name, f.patch()
	}).by(http.MethodPatch).except(cannotBePatched),
	post("openapi DELETE /openapi/v2/entity/{type}/{urn}", func(f *fact) (string, string) {
		return "/openapi/v2/entity/" + f.entity.Name + "/" + f.escaped(), ""
	}).by(http.MethodDelete).removing(),
	post("openapi DELETE /openapi/v2/entity/{type}/{urn}/{aspect}", func(f *fact) (string, string) {
		return "/openapi/v2/entity/" + f.entity.Name + "/" + f.escaped() + "/" + f.spec.Name, ""
	}).by(http.MethodDelete).removing(),
	post("openapi POST /openapi/v3/entity/generic", func(f *fact) (string, string) {
		return "/openapi/v3/entity/generic?async=false", fmt.Sprintf(`{%q:[{"urn":%q,%q:{"value":%s}}]}`, f.entity.Name, f.urn, f.spec.Name, f.value)
	}),
	post("openapi PATCH /openapi/v3/entity/generic", func(f *fact) (string, string) {
		return "/openapi/v3/entity/generic?async=false", fmt.Sprintf(`{%q:[{"urn":%q,%q:{"value":%s}}]}`, f.entity.Name, f.urn, f.spec.Name, f.patch())
	}).by(http.MethodPatch).except(cannotBePatched),
	post("openapi POST /openapi/v3/entity/{type}", func(f *fact) (string, string) {
		return "/openapi/v3/entity/" + f.entity.Name + "?async=false", fmt.Sprintf(`[{"urn":%q,%q:{"value":%s}}]`, f.urn, f.spec.Name, f.value)
	}),
	post("openapi POST /openapi/v3/entity/{type} (async)", func(f *fact) (string, string) {
		return "/openapi/v3/entity/" + f.entity.Name + "?async=true", fmt.Sprintf(`[{"urn":%q,%q:{"value":%s}}]`, f.urn, f.spec.Name, f.value)
	}),
	post("openapi PATCH /openapi/v3/entity/{type}", func(f *fact) (string, string) {
		return "/openapi/v3/entity/" + f.entity.Name + "?async=false", fmt.Sprintf(`[{"urn":%q,%q:{"value":%s}}]`, f.urn, f.spec.Name, f.patch())
	}).by(http.MethodPatch).except(cannotBePatched),
	post("openapi POST /openapi/v3/entity/{type}/{urn}/{aspect}", func(f *fact) (string, string) {
		return "/openapi/v3/entity/" + f.entity.Name + "/" + f.escaped() + "/" + f.spec.Name + "?createIfNotExists=false", `{"value":` + f.value + `}`
	}),
	post("openapi PATCH /openapi/v3/entity/{type}/{urn}/{aspect}", func(f *fact) (string, string) {
		return "/openapi/v3/entity/" + f.entity.Name + "/" + f.escaped() + "/" + f.spec.Name, f.patch()
	}).by(http.MethodPatch).except(cannotBePatched),
	post("openapi DELETE /openapi/v3/entity/{type}/{urn}", func(f *fact) (string, string) {
		return "/openapi/v3/entity/" + f.entity.Name + "/" + f.escaped(), ""
	}).by(http.MethodDelete).removing(),
	post("openapi DELETE /openapi/v3/entity/{type}/{urn} (listed aspects)", func(f *fact) (string, string) {
		return "/openapi/v3/entity/" + f.entity.Name + "/" + f.escaped() + "?aspects=" + f.spec.Name, ""
	}).by(http.MethodDelete).removing(),
	post("openapi DELETE /openapi/v3/entity/{type}/{urn} (clear)", func(f *fact) (string, string) {
		return "/openapi/v3/entity/" + f.entity.Name + "/" + f.escaped() + "?clear=true", ""
	}).by(http.MethodDelete).removing(),
	post("openapi DELETE /openapi/v3/entity/{type}/{urn}/{aspect}", func(f *fact) (string, string) {
		return "/openapi/v3/entity/" + f.entity.Name + "/" + f.escaped() + "/" + f.spec.Name, ""
	}).by(http.MethodDelete).removing(),
	post("graphql mutation patchEntity", func(f *fact) (string, string) {
		return "/api/graphql", f.patchEntity("patchEntity", "", "")
	}).except(cannotBePatched),
	post("graphql mutation patchEntities", func(f *fact) (string, string) {
		return "/api/graphql", f.patchEntity("patchEntities", "[", "]")
	}).except(cannotBePatched),
}

// readValues returns values for aspects whose minimal values the rules refuse.
func readValues(t *testing.T) map[string]json.RawMessage {
	t.Helper()
	text, err := os.ReadFile("testdata/writing.json")
	if err != nil {
		t.Fatal(err)
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal(text, &values); err != nil {
		t.Fatal(err)
	}
	return values
}

// facts returns a fact for each aspect of each entity type.
func facts(t *testing.T, registry *model.Registry) []fact {
	t.Helper()
	values := readValues(t)
	var all []fact
	for _, entity := range registry.Entities() {
		for _, spec := range entity.All() {
			f := fact{entity: entity, spec: spec, urn: urn.URN(entity.Example), run: fmt.Sprintf("run-%d", len(all))}
			value, ok := values[entity.Name+" "+spec.Name]
			if !ok {
				value, ok = values[spec.Name]
			}
			switch {
			case spec.IsKey:
				f.value = string(jsontree.Encode(entity.KeyValue(f.urn)))
			case ok:
				f.value = string(value)
			default:
				value := modeltest.Minimal(registry, spec)
				if _, ok := value["versionSet"]; ok {
					value["versionSet"] = string(urn.Make("versionSet", "x1", entity.Name))
				}
				f.value = string(jsontree.Encode(value))
			}
			all = append(all, f)
		}
	}
	return all
}

// actor sends requests, and has a set of rights.
type actor struct {
	name, credential string
	// holds are the privileges, over all entities and over the platform.
	holds []auth.Privilege
	scope *auth.Scope // of its token
	all   bool        // the actor holds every privilege, limited by the scope of the token
}

// may reports whether the table permits the actor to write a fact, or to remove it.
func (a *actor) may(f *fact, removes bool) bool {
	if a.scope.ReadsOnly() {
		return false
	}
	for _, op := range []auth.Operation{auth.OpCreate, auth.OpUpdate, auth.OpDelete} {
		if removes != (op == auth.OpDelete) {
			continue
		}
		for _, aspect := range []string{f.spec.Name, ""} {
			for _, p := range privilege.Needed(op, f.urn, aspect) {
				held := a.all || slices.Contains(a.holds, p)
				inScope := a.scope == nil || slices.Contains(a.scope.Privileges, p) || len(a.scope.Privileges) == 0 && !auth.OfPlatform(p)
				if held && inScope || p == auth.Own && a.scope == nil {
					return true
				}
			}
		}
	}
	return false
}

// TestNoInterfaceWritesWhatTheTableRefuses tries every API that writes aspects with every aspect of
// the model, as actors who must not write it: each request must be refused and write nothing. The
// APIs come from the route tables and the GraphQL schema, the aspects from the registry, and the
// privileges from the list that policies grant; a new one is tested automatically, or fails the
// test.
func TestNoInterfaceWritesWhatTheTableRefuses(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	if lost := unknownWriters(m.operations(t)); len(lost) > 0 {
		t.Errorf("these operations may write, and neither writers nor fixed in writing_test.go says what:\n%s", strings.Join(lost, "\n"))
	}
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	all := facts(t, registry)
	w := &writing{matrix: m, facts: all, writable: map[*fact]bool{}}
	w.control(t)
	for _, who := range w.actors(t) {
		for i := range all {
			w.try(t, who, &all[i], writers)
		}
	}
	t.Logf("%d interfaces, %d aspects of entity types: %d cells", len(writers), len(all), w.tried)
	w.singlePrivileges(t)
	t.Logf("with actors of one privilege each, of %d: %d cells", len(auth.Rights()), w.tried)
	if len(all) < 500 || w.tried < 10_000 {
		t.Errorf("only %d aspects and %d cells were tried", len(all), w.tried)
	}
}

// writing runs the write attempts.
type writing struct {
	*matrix
	facts    []fact
	writable map[*fact]bool // writable by the system, so that a refusal is due to a missing right
	tried    int            // number of attempts
}

// control writes each fact as the system, which shows that its value is valid: later refusals are
// then due to a missing right. No API writes managed aspects.
func (w *writing) control(t *testing.T) {
	t.Helper()
	put(t, w.app, managerURN, "corpUserInfo", `{"active":true}`)
	for i := range w.facts {
		f := &w.facts[i]
		if f.spec.Managed || f.entity.Key.Managed {
			continue
		}
		path, body := writers[0].request(f)
		if got := ask(t, w.app, asTheSystem, http.MethodPost, path, body); got.status != http.StatusOK {
			t.Errorf("%s is not written by the system, put a valid value into testdata/writing.json: %d %.300s", f, got.status, got.body)
			continue
		}
		w.writable[f] = true
	}
}

const managerURN = "urn:li:corpuser:writing-manager"

// actors returns the actors that try every API.
func (w *writing) actors(t *testing.T) []*actor {
	t.Helper()
	w.grant(t, []string{"CREATE_ENTITY", "EDIT_ENTITY", "DELETE_ENTITY"}, nil)
	manager := newToken(t, w.app, managerURN)
	put(t, w.app, "urn:li:dataHubPolicy:writing", "dataHubPolicyInfo", `{"displayName":"Writing","description":"","type":"METADATA","state":"ACTIVE","privileges":["MANAGE_INGESTION","EDIT_ENTITY","CREATE_ENTITY"],"actors":{"users":["`+managerURN+`"]}}`)
	admin := func(name, scope string, limits *auth.Scope) *actor {
		return &actor{name: name, credential: scopedToken(t, w.app, scope), all: true, scope: limits}
	}
	return []*actor{
		{name: "an actor without privileges", credential: w.nobody},
		{name: "an actor with CREATE_ENTITY, EDIT_ENTITY and DELETE_ENTITY", credential: w.holder, holds: []auth.Privilege{auth.CreateEntity, auth.EditEntity, auth.DeleteEntity}},
		{name: "an actor with MANAGE_INGESTION, CREATE_ENTITY and EDIT_ENTITY", credential: manager, holds: []auth.Privilege{auth.ManageIngestion, auth.CreateEntity, auth.EditEntity}},
		admin("the administrator with a token for EDIT_ENTITY and CREATE_ENTITY", `{privileges: ["EDIT_ENTITY", "CREATE_ENTITY"]}`,
			&auth.Scope{Privileges: []auth.Privilege{auth.EditEntity, auth.CreateEntity}}),
		admin("the administrator with a token for all but a type", `{resources: [{field: "TYPE", values: ["none"], condition: NOT_EQUALS}]}`,
			&auth.Scope{Resources: []auth.Criterion{{Field: auth.FieldType, Values: []string{"none"}, Condition: auth.NotEquals}}}),
		admin("the administrator with a read-only token", `{readOnly: true}`, &auth.Scope{ReadOnly: true}),
	}
}

// scopedToken returns a token of the administrator limited by a scope.
func scopedToken(t *testing.T, a *app.App, scope string) string {
	t.Helper()
	var made struct {
		Data struct{ CreateAccessToken struct{ AccessToken string } }
	}
	text := operate(t, a, asTheSystem, fmt.Sprintf(`mutation { createAccessToken(input: {type: PERSONAL, actorUrn: %q, duration: ONE_DAY, name: "scoped", scope: %s}) { accessToken } }`, model.RootUser, scope))
	if err := json.Unmarshal([]byte(text), &made); err != nil {
		t.Fatal(err)
	}
	return "Bearer " + made.Data.CreateAccessToken.AccessToken
}

// try runs requests that write a fact that the actor must not write.
func (w *writing) try(t *testing.T, who *actor, f *fact, by []writer) {
	t.Helper()
	if !w.writable[f] && !f.spec.Managed && !f.entity.Key.Managed {
		return // reported by control
	}
	for i := range by {
		if by[i].unless != nil && by[i].unless(f) || who.may(f, by[i].removes) {
			continue
		}
		w.tried++
		before := w.changes()
		path, body := by[i].request(f)
		got := ask(t, w.app, who.credential, by[i].method, path, body)
		if len(w.written(t, before)) > 0 {
			t.Errorf("%s writes %s by %s: %d %.300s", who.name, f, by[i].operation, got.status, got.body)
		}
		// Keys of the data of a new catalog, and managed aspects, are in no run of this test.
		isIdle := by[i].idle != nil && by[i].idle(got) && (f.spec.IsKey || !w.writable[f])
		if !isRefusal(got) && !isIdle {
			t.Errorf("%s is not refused to write %s by %s: %d %.300s", who.name, f, by[i].operation, got.status, got.body)
		}
	}
}

// decides reports whether EDIT_ENTITY does not suffice to write a fact, because it determines the
// rights of others or the configuration of the installation.
func decides(f *fact) bool {
	return !slices.Contains(privilege.Needed(auth.OpUpdate, f.urn, f.spec.Name), auth.EditEntity)
}

// singlePrivileges tries the facts that determine rights as actors with one privilege each, by one
// API of each kind.
func (w *writing) singlePrivileges(t *testing.T) {
	t.Helper()
	by := slices.DeleteFunc(slices.Clone(writers), func(one writer) bool {
		return one.operation != "rest POST /aspects?action=ingestProposal (UPSERT)" && one.operation != "openapi DELETE /openapi/v3/entity/{type}/{urn}/{aspect}" &&
			one.operation != "graphql mutation patchEntity"
	})
	for _, right := range auth.Rights() {
		w.grant(t, []string{string(right.Privilege)}, nil)
		who := &actor{name: "an actor with " + string(right.Privilege), credential: w.holder, holds: []auth.Privilege{right.Privilege}}
		for i := range w.facts {
			if decides(&w.facts[i]) {
				w.try(t, who, &w.facts[i], by)
			}
		}
	}
}

// fixed are the operations over REST and OpenAPI that change data without naming an aspect, with
// their effects. TestMutationsWriteWhatTheirPrivilegesReach covers GraphQL mutations.
var fixed = map[string]string{
	"rest POST /usageStats?action=batchIngest":                                                        "datasetUsageStatistics, by EDIT_ENTITY over the dataset",
	"rest POST /runs?action=rollback":                                                                 "takes back what a run wrote, by the right to delete each aspect: see TestRollingBackIsNoWayRoundTheTable",
	"openapi POST /openapi/openlineage/api/v1/lineage":                                                "aspects of datasets, jobs and flows, decided by the table",
	"openapi DELETE /openapi/v3/entity/versioning/{versionSetUrn}/relationship/versionOf/{entityUrn}": "versionProperties",
	"openapi POST /openapi/v3/entity/versioning/{versionSetUrn}/relationship/versionOf/{entityUrn}":   "versionProperties",
	"openapi DELETE /openapi/v3/logical/{childUrn}/relationship/physicalInstanceOf":                   "logicalParent",
	"openapi POST /openapi/v3/logical/{childUrn}/relationship/physicalInstanceOf/{parentUrn}":         "logicalParent",
	"other POST /mcp": "descriptions, tags, terms, owners, domains and documents, by the services of GraphQL",

	// Operations on no aspect that a caller names.
	"rest POST /aspects?action=restoreIndices": "", "rest POST /entities?action=applyRetention": "", "rest POST /entities?action=deleteAll": "", "rest POST /entities?action=setWritable": "",
	"rest POST /operations?action=restoreIndices": "", "rest POST /operations?action=truncateTimeseriesAspect": "", "rest POST /test?action=evaluate": "results of tests, by MANAGE_TESTS",
	"openapi POST /openapi/operations/elasticSearch/restoreIndices": "", "openapi POST /openapi/operations/computeFeatures": "usageFeatures and storageFeatures, by MANAGE_SYSTEM_OPERATIONS",
	"openapi POST /openapi/v1/webhooks": "", "openapi PATCH /openapi/v1/webhooks/{id}": "", "openapi DELETE /openapi/v1/webhooks/{id}": "",
	"openapi POST /openapi/v1/webhooks/{id}/pause": "", "openapi POST /openapi/v1/webhooks/{id}/resume": "", "openapi POST /openapi/v1/webhooks/{id}/test": "",
	"openapi POST /openapi/v1/webhooks/{id}/dead-letters/{delivery}/replay": "", "openapi DELETE /openapi/v1/webhooks/{id}/dead-letters/{delivery}": "",
	"openapi POST /openapi/operations/tasks/{id}/cancel": "", "openapi POST /openapi/operations/throttle/requests/manual": "", "openapi POST /openapi/v1/tracking/track": "",
	"other POST /auth/endSession": "", "other POST /auth/generateSessionTokenForUser": "", "other POST /auth/reportFailedLogIn": "",
	"other POST /auth/provisionUser": "identities, by the system alone", "other POST /auth/signUp": "identities, by an invitation and the system",
	"other POST /auth/resetNativeUserCredentials": "credentials, by a reset token and the system",

	// Reads by POST.
	"rest POST /analytics?action=getTimeseriesStats": "", "rest POST /aspects?action=getCount": "", "rest POST /aspects?action=getTimeseriesAspectValues": "",
	"rest POST /entities?action=autocomplete": "", "rest POST /entities?action=batchGetTotalEntityCount": "", "rest POST /entities?action=browse": "",
	"rest POST /entities?action=exists": "", "rest POST /entities?action=filter": "", "rest POST /entities?action=filterExistingUrns": "",
	"rest POST /entities?action=getBrowsePaths": "", "rest POST /entities?action=getTotalEntityCount": "", "rest POST /entities?action=list": "",
	"rest POST /entities?action=listUrns": "", "rest POST /entities?action=scrollAcrossEntities": "", "rest POST /entities?action=scrollAcrossLineage": "",
	"rest POST /entities?action=search": "", "rest POST /entities?action=searchAcrossEntities": "", "rest POST /entities?action=searchAcrossLineage": "",
	"rest POST /operations?action=getEsTaskStatus": "", "rest POST /operations?action=getIndexSizes": "", "rest POST /operations?action=getIndexSizeHistory": "",
	"rest POST /operations?action=getBackups": "", "rest POST /relationships?action=getLineage": "", "rest POST /runs?action=describe": "", "rest POST /runs?action=list": "",
	"rest POST /usageStats?action=query": "", "rest POST /usageStats?action=queryRange": "", "openapi POST /openapi/operations/elasticSearch/entity/raw": "",
	"openapi POST /openapi/v1/access/explain": "", "openapi POST /openapi/v1/access/reach": "", "openapi POST /openapi/v1/events/audit/search": "",
	"openapi POST /openapi/v1/trace/write/{traceId}": "", "openapi POST /openapi/v2/entity/batch/{type}": "", "openapi POST /openapi/v3/entity/generic/batchGet": "",
	"openapi POST /openapi/v3/entity/scroll": "", "openapi POST /openapi/v3/entity/{type}/batchGet": "", "openapi POST /openapi/v3/lineage/scroll": "",
	"openapi POST /openapi/v3/relationship/scroll": "", "other POST /auth/getSsoSettings": "", "other POST /auth/verifyNativeUserCredentials": "",
}

// unknownWriters returns operations that may write and are missing in writers and fixed, and
// entries of both for removed operations. It ignores operations that read by GET.
func unknownWriters(operations []string) []string {
	known := map[string]bool{}
	for operation := range fixed {
		known[operation] = false
	}
	for _, w := range writers {
		name, _, _ := strings.Cut(w.operation, " (")
		known[name] = false
	}
	var lost []string
	for _, operation := range operations {
		api, what, _ := strings.Cut(operation, " ")
		method, _, _ := strings.Cut(what, " ")
		reads := method == http.MethodGet || method == http.MethodHead || method == "query" || method == "mutation"
		if _, ok := known[operation]; ok {
			known[operation] = true
		} else if !reads && api != "" {
			lost = append(lost, operation)
		}
	}
	for operation, there := range known {
		if !there {
			lost = append(lost, "(does not exist) "+operation)
		}
	}
	slices.Sort(lost)
	return lost
}
