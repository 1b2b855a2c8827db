//go:build unix

package app_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// TestManagingServiceAccountsGivesNoRightsOfOthers tries to gain the rights of others with
// MANAGE_SERVICE_ACCOUNTS: by turning a user into a service account, by every API that writes
// aspects, and by tokens of accounts with more rights.
func TestManagingServiceAccountsGivesNoRightsOfOthers(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	const (
		person, service = "urn:li:corpuser:jo", "urn:li:corpuser:service_etl"
		strong, fresh   = "urn:li:corpuser:service_strong", "urn:li:corpuser:service_fresh"
	)
	m.grant(t, []string{"MANAGE_SERVICE_ACCOUNTS", "MANAGE_USERS_AND_GROUPS"}, nil)
	put(t, m.app, service, "subTypes", `{"typeNames":["SERVICE_ACCOUNT"]}`)
	put(t, m.app, strong, "subTypes", `{"typeNames":["SERVICE_ACCOUNT"]}`)
	put(t, m.app, strong, "corpUserInfo", `{"active":true}`)
	put(t, m.app, service, "corpUserInfo", `{"active":true}`)
	put(t, m.app, strong, "roleMembership", `{"roles":["urn:li:dataHubRole:Admin"]}`)

	corpuser, _ := registry.Entity("corpuser")
	types, _ := corpuser.Aspect("subTypes")
	for _, c := range []struct{ user, value string }{
		{person, `{"typeNames":["SERVICE_ACCOUNT"]}`}, {string(model.RootUser), `{"typeNames":["SERVICE_ACCOUNT"]}`}, {string(model.RootUser), `{"typeNames":["x","SERVICE_ACCOUNT"]}`},
		{service, `{"typeNames":[]}`}, {service, `{"typeNames":["x"]}`},
	} {
		f := &fact{entity: corpuser, spec: types, urn: urn.URN(c.user), value: c.value}
		for _, w := range writers {
			deletesAccount := w.removes && !strings.Contains(w.operation, "{aspect}") && !strings.Contains(w.operation, "DELETE)") && !strings.Contains(w.operation, "listed") && !strings.Contains(w.operation, "clear")
			if deletesAccount || w.removes && c.user != service || w.unless != nil && w.unless(f) || strings.Contains(w.operation, "CREATE") {
				continue
			}
			before := m.changes()
			path, body := w.request(f)
			got := ask(t, m.app, m.holder, w.method, path, body)
			for _, written := range m.writtenBy(t, holderURN, before) {
				if written.Aspect == "subTypes" {
					t.Errorf("%s of %s by %s: %+v", c.value, c.user, w.operation, got)
				}
			}
		}
	}
	operations := map[string]string{
		"deleting a person":          fmt.Sprintf(`mutation { deleteServiceAccount(urn: %q) }`, person),
		"deleting the administrator": fmt.Sprintf(`mutation { deleteServiceAccount(urn: %q) }`, model.RootUser),
		"a token of a person":        fmt.Sprintf(`mutation { createAccessToken(input: {type: SERVICE_ACCOUNT, actorUrn: %q, duration: ONE_DAY, name: "x"}) { accessToken } }`, person),
		"a token of the root user":   fmt.Sprintf(`mutation { createAccessToken(input: {type: SERVICE_ACCOUNT, actorUrn: %q, duration: ONE_DAY, name: "x"}) { accessToken } }`, model.RootUser),
		"a token of a strong one":    fmt.Sprintf(`mutation { createAccessToken(input: {type: SERVICE_ACCOUNT, actorUrn: %q, duration: ONE_DAY, name: "x"}) { accessToken } }`, strong),
		"its default view":           fmt.Sprintf(`mutation { updateServiceAccountDefaultView(input: {urn: %q, defaultView: null}) }`, person),
	}
	for name, operation := range operations {
		before := m.changes()
		got := ask(t, m.app, m.holder, "POST", "/api/graphql", graphqlBody(operation))
		if !strings.Contains(got.body, `"errors"`) || strings.Contains(got.body, "eyJ") || len(m.written(t, before)) > 0 {
			t.Errorf("%s: %s", name, got.body)
		}
	}
	refused := ask(t, m.app, m.holder, "POST", "/api/graphql", graphqlBody(operations["a token of a strong one"]))
	if !strings.Contains(refused.body, "holds a privilege that you do not") {
		t.Errorf("the refusal is %s", refused.body)
	}
	// A scope without privileges over the platform leaves no privileges to pass on, and an account
	// without such privileges has none.
	for name, operation := range map[string]string{
		"a narrow token of a strong one": fmt.Sprintf(`mutation { createAccessToken(input: {type: SERVICE_ACCOUNT, actorUrn: %q, duration: ONE_DAY, name: "x", scope: {resources: [{field: "TYPE", values: ["tag"], condition: EQUALS}]}}) { accessToken } }`, strong),
		"a token":                        fmt.Sprintf(`mutation { createAccessToken(input: {type: SERVICE_ACCOUNT, actorUrn: %q, duration: ONE_DAY, name: "x"}) { accessToken } }`, service),
	} {
		if text := operate(t, m.app, m.holder, operation); !strings.Contains(text, "eyJ") {
			t.Errorf("%s: %s", name, text)
		}
	}
	// A policy over entities grants such privileges as well.
	const byPolicy = "urn:li:corpuser:service_by_policy"
	put(t, m.app, byPolicy, "subTypes", `{"typeNames":["SERVICE_ACCOUNT"]}`)
	put(t, m.app, byPolicy, "corpUserInfo", `{"active":true}`)
	for _, resources := range []string{`{"allResources":true}`, `{"filter":{"criteria":[{"field":"TYPE","values":["dataHubPolicy"],"condition":"EQUALS"}]}}`} {
		put(t, m.app, "urn:li:dataHubPolicy:by-policy", "dataHubPolicyInfo", fmt.Sprintf(
			`{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE","privileges":["MANAGE_POLICIES"],"actors":{"users":[%q]},"resources":%s}`, byPolicy, resources))
		got := ask(t, m.app, m.holder, "POST", "/api/graphql", graphqlBody(fmt.Sprintf(`mutation { createAccessToken(input: {type: SERVICE_ACCOUNT, actorUrn: %q, duration: ONE_DAY, name: "x"}) { accessToken } }`, byPolicy)))
		if text := got.body; !strings.Contains(text, "holds a privilege that you do not") {
			t.Errorf("a token of an account with MANAGE_POLICIES over %s: %s", resources, text)
		}
	}
	// A policy over sources, runs, actions, forms or connections counts as the privilege that manages
	// them, also over the beginning of their URNs or over one of them.
	scope := func(criterion string) string { return `, scope: {resources: [` + criterion + `]}` }
	for _, c := range []struct {
		criterion, scope string
		refused          bool
	}{
		{`{"field":"TYPE","values":["dataHubIngestionSource"],"condition":"EQUALS"}`, "", true},
		{`{"field":"URN","values":["urn:li:dataHubIngestionSource:"],"condition":"STARTS_WITH"}`, "", true},
		{`{"field":"URN","values":["urn:li:dataHubIngestionSource:nightly"],"condition":"EQUALS"}`, "", true},
		{`{"field":"URN","values":["urn:li:form:"],"condition":"STARTS_WITH"}`, "", true},
		{`{"field":"URN","values":["urn:li:dataHubExecutionRequest:"],"condition":"STARTS_WITH"}`, scope(`{field: "URN", values: ["urn:li:dataHubExecutionRequest:x"], condition: STARTS_WITH}`), true},
		{`{"field":"URN","values":["urn:li:dataHubIngestionSource:"],"condition":"STARTS_WITH"}`, scope(`{field: "TYPE", values: ["dataset"], condition: EQUALS}`), false},
		{`{"field":"URN","values":["urn:li:dataHubIngestionSource:"],"condition":"STARTS_WITH"}`, scope(`{field: "URN", values: ["urn:li:dataset:"], condition: STARTS_WITH}`), false},
		{`{"field":"URN","values":["urn:li:dataset:"],"condition":"STARTS_WITH"}`, "", false},
		{`{"field":"TYPE","values":["dataset"],"condition":"EQUALS"}`, "", false},
	} {
		put(t, m.app, "urn:li:dataHubPolicy:by-policy", "dataHubPolicyInfo", fmt.Sprintf(
			`{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE","privileges":["EDIT_ENTITY"],"actors":{"users":[%q]},"resources":{"filter":{"criteria":[%s]}}}`, byPolicy, c.criterion))
		got := ask(t, m.app, m.holder, "POST", "/api/graphql", graphqlBody(fmt.Sprintf(`mutation { createAccessToken(input: {type: SERVICE_ACCOUNT, actorUrn: %q, duration: ONE_DAY, name: "x"%s}) { accessToken } }`, byPolicy, c.scope)))
		if refused := strings.Contains(got.body, "holds a privilege that you do not"); refused != c.refused || refused == strings.Contains(got.body, "eyJ") {
			t.Errorf("a token of an account with EDIT_ENTITY over %s%s: %s", c.criterion, c.scope, got.body)
		}
	}
	// A user created together with the sub-type, in one batch, is a service account from then on.
	got := ask(t, m.app, m.holder, "POST", "/openapi/v3/entity/corpuser?async=false", fmt.Sprintf(`[{"urn":%q,"corpUserInfo":{"value":{"active":true}},"subTypes":{"value":{"typeNames":["SERVICE_ACCOUNT"]}}}]`, fresh))
	if got.status != 200 {
		t.Errorf("creating one: %+v", got)
	}
	// The holder of MANAGE_ACCESS_TOKENS creates tokens for all users.
	m.grant(t, []string{"MANAGE_SERVICE_ACCOUNTS", "MANAGE_ACCESS_TOKENS"}, nil)
	if text := operate(t, m.app, m.holder, operations["a token of a strong one"]); !strings.Contains(text, "eyJ") {
		t.Errorf("with MANAGE_ACCESS_TOKENS: %s", text)
	}
}
