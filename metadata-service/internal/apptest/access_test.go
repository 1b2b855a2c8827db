package apptest_test

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/metadata-service/internal/apptest/doctest"
	"github.com/cartulary/cartulary/pkg/urn"
)

// sender sends requests to a service as one caller.
type sender struct {
	t  *testing.T
	by caller
}

func (s sender) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Error(err)
	}
	status, text := s.by.Call(r.Method, r.URL.RequestURI(), string(body))
	w.WriteHeader(status)
	if _, err := io.WriteString(w, text); err != nil {
		s.t.Error(err)
	}
}

func TestThePageAboutPoliciesIsTrue(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	s.As(jo)
	s.As("urn:li:corpuser:etl")
	s.JSON(http.MethodPost, "/openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:pii","tagProperties":{"value":{"name":"pii"}}}]`, nil)
	doctest.Run(t, "../../../docs/api/policies.md", sender{t, s.As("urn:li:corpuser:datahub")})
}

func TestWhoMayHaveAccessExplained(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	plain, root := s.As(jo), s.As("urn:li:corpuser:datahub")
	s.As(mia)
	const path, draft = "/openapi/v1/access/explain", `{"privileges":["MANAGE_TAGS"],"policy":{"displayName":"p","description":"","type":"PLATFORM","state":"ACTIVE","privileges":["MANAGE_TAGS"],"actors":{"allUsers":true}}}`
	for name, c := range map[string]struct {
		by           caller
		method, path string
		body         string
		status       int
		says         string
	}{
		"oneself":                        {plain, http.MethodGet, path + "?privilege=MANAGE_TAGS", "", http.StatusOK, `"allowed":false`},
		"oneself by name":                {plain, http.MethodGet, path + "?privilege=MANAGE_TAGS&actor=" + string(jo), "", http.StatusOK, `"actor":"urn:li:corpuser:jo"`},
		"oneself in a body":              {plain, http.MethodPost, path, `{"privileges":["GENERATE_PERSONAL_ACCESS_TOKENS"]}`, http.StatusOK, `"allowed":true`},
		"somebody else":                  {plain, http.MethodGet, path + "?privilege=MANAGE_TAGS&actor=" + string(mia), "", http.StatusForbidden, "MANAGE_POLICIES"},
		"a draft":                        {plain, http.MethodPost, path, draft, http.StatusForbidden, "MANAGE_POLICIES"},
		"somebody else by the manager":   {root, http.MethodGet, path + "?privilege=MANAGE_TAGS&actor=" + string(mia), "", http.StatusOK, `"allowed":false`},
		"a draft by the manager":         {root, http.MethodPost, path, draft, http.StatusOK, `"draft":true`},
		"an unknown privilege":           {root, http.MethodGet, path + "?privilege=FLY", "", http.StatusBadRequest, "FLY"},
		"no privilege":                   {root, http.MethodGet, path, "", http.StatusBadRequest, "name one or more"},
		"an unknown user":                {root, http.MethodGet, path + "?privilege=MANAGE_TAGS&actor=urn:li:corpuser:none", "", http.StatusBadRequest, "does not exist"},
		"what is no user":                {root, http.MethodGet, path + "?privilege=MANAGE_TAGS&actor=urn:li:tag:pii", "", http.StatusBadRequest, "actor"},
		"what is no URN":                 {root, http.MethodGet, path + "?privilege=MANAGE_TAGS&resource=pii", "", http.StatusBadRequest, "Invalid urn!: pii"},
		"an unknown type":                {root, http.MethodGet, path + "?operation=READ&type=thing", "", http.StatusBadRequest, "thing"},
		"an unknown operation":           {root, http.MethodGet, path + "?operation=FLY&type=tag", "", http.StatusBadRequest, "FLY"},
		"a draft that is no object":      {root, http.MethodPost, path, `{"policy":"all"}`, http.StatusBadRequest, "policy must be an object"},
		"a draft that lacks something":   {root, http.MethodPost, path, `{"policy":{"displayName":"p"}}`, http.StatusBadRequest, "policy"},
		"a policy that is none":          {root, http.MethodPost, path, `{"policyUrn":"urn:li:tag:pii",` + draft[1:], http.StatusBadRequest, "policy.urn"},
		"the service itself":             {root, http.MethodGet, path + "?privilege=MANAGE_TAGS&actor=urn:li:corpuser:__datahub_system", "", http.StatusOK, "everything is allowed"},
		"the own account":                {plain, http.MethodGet, path + "?privilege=EDIT_ENTITY&resource=" + string(jo), "", http.StatusOK, "everybody has EDIT_ENTITY over the own account"},
		"an interface over an asset":     {plain, http.MethodGet, path + "?operation=UPDATE&resource=urn:li:tag:pii", "", http.StatusOK, `"privileges":["EDIT_ENTITY"]`},
		"an interface over a type":       {plain, http.MethodGet, path + "?operation=MANAGE&type=corpUser", "", http.StatusOK, `"allowed":false`},
		"another aspect's own privilege": {plain, http.MethodGet, path + "?operation=UPDATE&aspect=roleMembership&resource=" + string(mia), "", http.StatusOK, `"privileges":["MANAGE_POLICIES"]`},
	} {
		if status, text := c.by.Call(c.method, c.path, c.body); status != c.status || !strings.Contains(text, c.says) {
			t.Errorf("%s: %d %s, want %d with %q", name, status, text, c.status, c.says)
		}
	}
}

// A draft must report the effect that the policy has once it is saved.
func TestADraftTellsWhatSavingItDoes(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	plain, root := s.As(jo), s.As("urn:li:corpuser:datahub")
	s.JSON(http.MethodPost, "/openapi/v3/entity/domain?async=false", `[{"urn":"urn:li:domain:sales","domainProperties":{"value":{"name":"Sales"}}},{"urn":"urn:li:domain:orders","domainProperties":{"value":{"name":"Orders","parentDomain":"urn:li:domain:sales"}}}]`, nil)
	const policy = `{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE","privileges":["EDIT_ENTITY"],"actors":{"users":["urn:li:corpuser:jo"]},"resources":{"filter":{"criteria":[{"field":"DOMAIN","values":["urn:li:domain:sales"]}]}}}`
	for _, c := range []struct {
		name, domain string
		allowed      bool
	}{{"inside", "urn:li:domain:sales", true}, {"below", "urn:li:domain:orders", true}, {"outside", "", false}} {
		dataset := "urn:li:dataset:(urn:li:dataPlatform:hive," + c.name + ",PROD)"
		domains := ""
		if c.domain != "" {
			domains = `"` + c.domain + `"`
		}
		s.JSON(http.MethodPost, "/openapi/v3/entity/dataset?async=false", `[{"urn":"`+dataset+`","domains":{"value":{"domains":[`+domains+`]}}}]`, nil)
		status, text := root.Call(http.MethodPost, "/openapi/v1/access/explain", `{"actor":"urn:li:corpuser:jo","operation":"UPDATE","resource":"`+dataset+`","policy":`+policy+`}`)
		if want := fmt.Sprintf(`"allowed":%v`, c.allowed); status != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s, want %s", c.name, status, text, want)
		}
	}
	status, text := root.Call(http.MethodPost, "/openapi/v1/access/explain", `{"policy":`+policy+`}`)
	if status != http.StatusOK || !strings.Contains(text, `"reach":{"people":1,"owners":false,"complete":true,"assets":4}`) { // two datasets and two domains
		t.Errorf("%d %s", status, text)
	}
	if !strings.Contains(text, `"conditions":[{"on":"STATE","met":true},{"on":"ACTOR","met":false},{"on":"PRIVILEGE","met":true},{"on":"DOMAIN","met":false,"operator":"EQUALS","values":["urn:li:domain:sales"]}]`) {
		t.Errorf("no conditions in %s", text)
	}
	write := func(name string) int {
		dataset := "urn:li:dataset:(urn:li:dataPlatform:hive," + name + ",PROD)"
		status, _ := plain.Call(http.MethodPost, "/openapi/v3/entity/dataset?async=false", `[{"urn":"`+dataset+`","datasetProperties":{"value":{"name":"x"}}}]`)
		return status
	}
	if got := write("below"); got != http.StatusForbidden {
		t.Errorf("before the policy: %d", got)
	}
	s.JSON(http.MethodPost, "/openapi/v3/entity/datahubpolicy?async=false", `[{"urn":"urn:li:dataHubPolicy:p","dataHubPolicyInfo":{"value":`+policy+`}}]`, nil)
	if got := write("below"); got != http.StatusOK {
		t.Errorf("in the next request: %d", got)
	}
	if got := write("outside"); got != http.StatusForbidden {
		t.Errorf("outside the domain: %d", got)
	}
	status, text = root.Call(http.MethodPost, "/openapi/v1/access/reach", `{"policies":["urn:li:dataHubPolicy:p","urn:li:dataHubPolicy:p","urn:li:dataHubPolicy:none"]}`)
	if status != http.StatusOK || text != `{"urn:li:dataHubPolicy:p":{"people":1,"owners":false,"complete":true,"assets":4}}`+"\n" {
		t.Errorf("reach of stored policies: %d %s", status, text)
	}
}

func TestTheReachOfPoliciesIsForWhoManagesThem(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	plain, root := s.As(jo), s.As("urn:li:corpuser:datahub")
	many := strings.TrimSuffix(strings.Repeat(`"urn:li:dataHubPolicy:0",`, 51), ",")
	for name, c := range map[string]struct {
		by     caller
		body   string
		status int
		says   string
	}{
		"somebody":          {plain, `{"policies":["urn:li:dataHubPolicy:0"]}`, http.StatusForbidden, "MANAGE_POLICIES"},
		"the manager":       {root, `{"policies":["urn:li:dataHubPolicy:0"]}`, http.StatusOK, `"people":1`},
		"none":              {root, `{}`, http.StatusOK, `{}`},
		"more than a page":  {root, `{"policies":[` + many + `]}`, http.StatusBadRequest, "51 are asked for, at most 50"},
		"what is no policy": {root, `{"policies":["urn:li:tag:pii"]}`, http.StatusBadRequest, "policies"},
		"what is no list":   {root, `{"policies":"all"}`, http.StatusBadRequest, "policies"},
	} {
		if status, text := c.by.Call(http.MethodPost, "/openapi/v1/access/reach", c.body); status != c.status || !strings.Contains(text, c.says) {
			t.Errorf("%s: %d %s, want %d with %q", name, status, text, c.status, c.says)
		}
	}
}

// The rules for policies apply to every API that writes them.
func TestPoliciesKeepTheirRulesAtEveryDoor(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	root := s.As("urn:li:corpuser:datahub")
	const value = `{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE","privileges":[],"actors":{"allUsers":true},"resources":{"filter":{"criteria":[{"field":"%s","values":["x"],"condition":"EQUALS"}]}}}`
	for _, d := range writeAPIs {
		for name, f := range map[string]fact{
			"Invalid field type 'COLOUR'. Must be one of: ": {"urn:li:dataHubPolicy:p", "dataHubPolicyInfo", fmt.Sprintf(value, "COLOUR")},
			"Attempting to edit not editable policy.":       {"urn:li:dataHubPolicy:admin-platform-policy", "dataHubPolicyInfo", fmt.Sprintf(value, "TYPE")},
			"does not exist": {jo, "roleMembership", `{"roles":["urn:li:dataHubRole:None"]}`},
		} {
			if strings.Contains(d.name, "PATCH") || d.name == "Rest.li CREATE" && strings.Contains(name, "editable") {
				continue // policies have no built-in keys for patches, and CREATE is for absent entities
			}
			status, text := d.write(root, f)
			if refused := status >= 400 && status < 500 || strings.Contains(text, `"success":false`); !refused || !strings.Contains(text, name) {
				t.Errorf("%s: %d %s, want %q", d.name, status, text, name)
			}
		}
	}
}

func TestPoliciesOfTheInstallationAreNotDeleted(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, t.TempDir(), func(c *app.Config) { c.Auth.SystemPolicies = []string{"urn:li:dataHubPolicy:reader-platform-policy"} })
	root := s.As("urn:li:corpuser:datahub")
	for id, want := range map[string]bool{"reader-platform-policy": true, "0": true, "reader-metadata-policy": false} {
		status, text := root.Call(http.MethodDelete, "/openapi/v3/entity/datahubpolicy/urn:li:dataHubPolicy:"+id, "")
		if refused := strings.Contains(text, "System policies can not be deleted."); refused != want || refused != (status >= 400) {
			t.Errorf("%s: %d %s", id, status, text)
		}
	}
}

// An actor who may change and delete users cannot grant a role by that.
func TestNoOtherPrivilegeWritesRoles(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	s.As(mia)
	plain := s.As(jo)
	s.JSON(http.MethodPost, "/openapi/v3/entity/datahubpolicy?async=false", `[{"urn":"urn:li:dataHubPolicy:helpdesk","dataHubPolicyInfo":{"value":{"displayName":"Help desk","description":"","type":"PLATFORM","state":"ACTIVE",
		"privileges":["MANAGE_USERS_AND_GROUPS","UPDATE_USERS","UPDATE_GROUPS","EDIT_ENTITY","DELETE_ENTITY","CREATE_ENTITY","MANAGE_INGESTION","MANAGE_ACCESS_TOKENS"],"actors":{"users":["urn:li:corpuser:jo"]}}}}]`, nil)
	for _, d := range writeAPIs {
		for _, holder := range []urn.URN{jo, mia} {
			f := fact{holder, "roleMembership", `{"roles":["urn:li:dataHubRole:Admin"]}`}
			status, text := d.write(plain, f)
			if status < 400 && !strings.Contains(text, `"success":false`) {
				t.Errorf("%s: %s is written: %d %s", d.name, f, status, text)
			}
		}
	}
	for _, holder := range []urn.URN{jo, mia} {
		if status, text := s.Call(http.MethodGet, "/openapi/v3/entity/corpuser/"+string(holder)+"/rolemembership", ""); status != http.StatusNotFound {
			t.Errorf("%s holds %d %s", holder, status, text)
		}
	}
}

// An actor who manages users and groups cannot gain a role through a group that holds it, or grant
// it to others.
func TestNobodyComesToARoleByAGroupOneManages(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	s.As(mia)
	plain, root := s.As(jo), s.As("urn:li:corpuser:datahub")
	const group, open urn.URN = "urn:li:corpGroup:bosses", "urn:li:corpGroup:readers"
	for _, g := range []urn.URN{group, open} {
		s.JSON(http.MethodPost, "/openapi/v3/entity/corpgroup?async=false", `[{"urn":"`+string(g)+`","corpGroupInfo":{"value":{"admins":[],"members":[],"groups":[]}},"origin":{"value":{"type":"NATIVE"}}}]`, nil)
	}
	s.JSON(http.MethodPost, "/openapi/v3/entity/corpgroup?async=false", `[{"urn":"`+string(group)+`","roleMembership":{"value":{"roles":["urn:li:dataHubRole:Admin"]}}}]`, nil)
	s.JSON(http.MethodPost, "/openapi/v3/entity/datahubpolicy?async=false", `[{"urn":"urn:li:dataHubPolicy:helpdesk","dataHubPolicyInfo":{"value":{"displayName":"Help desk","description":"","type":"PLATFORM","state":"ACTIVE",
		"privileges":["MANAGE_USERS_AND_GROUPS","UPDATE_USERS_AND_GROUPS","UPDATE_USERS","UPDATE_GROUPS"],"actors":{"users":["urn:li:corpuser:jo"]}}}},
		{"urn":"urn:li:dataHubPolicy:members","dataHubPolicyInfo":{"value":{"displayName":"Members","description":"","type":"METADATA","state":"ACTIVE",
		"privileges":["EDIT_GROUP_MEMBERS"],"actors":{"users":["urn:li:corpuser:jo"]}}}}]`, nil)
	add := func(to urn.URN, member urn.URN) string {
		return `mutation { addGroupMembers(input: {groupUrn: "` + string(to) + `", userUrns: ["` + string(member) + `"]}) }`
	}
	for _, member := range []urn.URN{jo, mia} {
		for _, f := range []fact{
			{member, "groupMembership", `{"groups":["` + string(group) + `"]}`}, {member, "nativeGroupMembership", `{"nativeGroups":["` + string(group) + `"]}`},
		} {
			for _, d := range writeAPIs {
				if status, text := d.write(plain, f); !refused(status, text) || d.name != "GraphQL patchEntity" && !strings.Contains(text, "MANAGE_POLICIES") {
					t.Errorf("%s: %s: %d %s", d.name, f, status, text)
				}
				if held := stored(s, f.urn, f.aspect); held != "" {
					t.Fatalf("%s: %s is written: %s", d.name, f, held)
				}
			}
		}
		if _, text := graphql(t, plain, add(group, member), nil); !strings.Contains(text, `"code":403`) || !strings.Contains(text, "MANAGE_POLICIES") {
			t.Errorf("addGroupMembers: %s", text)
		}
		if held := stored(s, member, "nativeGroupMembership"); held != "" {
			t.Errorf("addGroupMembers wrote %s", held)
		}
		for _, by := range []caller{plain, root} {
			if _, text := graphql(t, by, add(open, member), nil); !strings.Contains(text, `"addGroupMembers":true`) {
				t.Errorf("to a group that gives nothing: %s", text)
			}
		}
	}
	if _, text := graphql(t, root, add(group, mia), nil); !strings.Contains(text, `"addGroupMembers":true`) {
		t.Errorf("by an administrator: %s", text)
	}
}

// The full process of an invitation, from its creation by the administrator to the rights of its
// role.
func TestARoleHoldsFromTheNextRequestOn(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	plain, root := s.As(jo), s.As("urn:li:corpuser:datahub")
	createTag := func() bool {
		_, text := graphql(t, plain, `mutation { createTag(input: {name: "x"}) }`, nil)
		return !strings.Contains(text, `"errors"`)
	}
	ask := func(by caller, document string) string {
		t.Helper()
		status, text := graphql(t, by, document, nil)
		if status != http.StatusOK || strings.Contains(text, `"errors"`) {
			t.Fatalf("%s: %d %s", document, status, text)
		}
		return text
	}
	if createTag() {
		t.Fatal("an ordinary user creates tags")
	}
	invitation := regexp.MustCompile(`[a-z]{32}`).FindString(ask(root, `{ getInviteToken(input: {roleUrn: "urn:li:dataHubRole:Editor"}) { inviteToken } }`))
	ask(plain, `mutation { acceptRole(input: {inviteToken: "`+invitation+`"}) }`)
	if !createTag() {
		t.Error("an Editor creates no tags")
	}
	ask(root, `mutation { batchAssignRole(input: {actors: ["urn:li:corpuser:jo"]}) }`)
	if createTag() {
		t.Error("who was an Editor still creates tags")
	}
	ask(root, `mutation { createInviteToken(input: {roleUrn: "urn:li:dataHubRole:Editor"}) { inviteToken } }`)
	if _, text := graphql(t, plain, `mutation { acceptRole(input: {inviteToken: "`+invitation+`"}) }`, nil); !strings.Contains(text, "Invite token "+invitation+" is invalid") {
		t.Errorf("the former invitation: %s", text)
	}
}

func TestWithPoliciesOffEverybodyMayDoEverything(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, t.TempDir(), func(c *app.Config) { c.Auth.Policies = false })
	plain := s.As(jo)
	for document, want := range map[string]string{
		`{ appConfig { policiesConfig { enabled } } }`:                                            `"enabled":false`,
		`{ me { platformPrivileges { managePolicies manageIdentities } } }`:                       `{"managePolicies":true,"manageIdentities":true}`,
		`mutation { createTag(input: {id: "off", name: "off"}) }`:                                 `"urn:li:tag:off"`,
		`mutation { batchAssignRole(input: {roleUrn: "urn:li:dataHubRole:Reader", actors: []}) }`: `"batchAssignRole":true`,
	} {
		if status, text := graphql(t, plain, document, nil); status != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s, want %s", document, status, text, want)
		}
	}
	if status, text := plain.Call(http.MethodGet, "/openapi/v1/access/explain?privilege=MANAGE_TAGS&actor=urn:li:corpuser:datahub", ""); status != http.StatusOK || !strings.Contains(text, "everything is allowed") {
		t.Errorf("explained: %d %s", status, text)
	}
	if status, text := graphql(t, apptest.New(t).As(jo), `{ appConfig { policiesConfig { enabled } } }`, nil); status != http.StatusOK || !strings.Contains(text, `"enabled":true`) {
		t.Errorf("with policies: %d %s", status, text)
	}
}
