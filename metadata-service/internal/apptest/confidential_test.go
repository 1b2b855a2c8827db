package apptest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// secretText is part of every secret of these tests; visibleText is in another member of the same
// aspect.
const (
	secretText  = "hush-9f2c1e"
	visibleText = "shown-4b7d"
)

// encryptedFact is an aspect with an encrypted member.
type encryptedFact struct {
	fact
	path   string // path of the encrypted member
	secret string // its value
	manage string // privilege to write and to read it
}

// encryptedFacts has one row for each encrypted path of the registry.
var encryptedFacts = []encryptedFact{
	{fact{"urn:li:globalSettings:0", "globalSettingsInfo", `{"sso":{"baseUrl":"https://catalog.example","oidcSettings":` +
		`{"enabled":true,"clientId":"` + visibleText + `","clientSecret":"` + secretText + `","discoveryUri":"https://id.example"}}}`},
		"/sso/oidcSettings/clientSecret", secretText, "MANAGE_GLOBAL_SETTINGS"},
	{fact{"urn:li:dataHubSecret:warehouse", "dataHubSecretValue", `{"name":"` + visibleText + `","value":"` + secretText + `","description":"password of the warehouse"}`},
		"/value", secretText, "MANAGE_SECRETS"},
	{fact{"urn:li:dataHubConnection:slack", "dataHubConnectionDetails", `{"type":"JSON","name":"` + visibleText + `","json":{"encryptedBlob":"{\"token\":\"` + secretText + `\"}"}}`},
		"/json/encryptedBlob", `{"token":"` + secretText + `"}`, "MANAGE_CONNECTIONS"},
}

func TestEachEncryptedPathOfTheRegistryIsTried(t *testing.T) {
	t.Parallel()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	tried := map[string]bool{}
	for _, f := range encryptedFacts {
		tried[f.aspect+f.path] = true
	}
	for _, spec := range registry.Aspects() {
		for _, path := range spec.Encrypted {
			if !tried[spec.Name+path] {
				t.Errorf("%s%s has no row", spec.Name, path)
			}
			delete(tried, spec.Name+path)
		}
	}
	for path := range tried {
		t.Errorf("%s is not encrypted", path)
	}
}

// masked returns the value as reads return it.
func (f encryptedFact) masked() string {
	quoted, _ := json.Marshal(f.secret)
	return strings.Replace(f.value, string(quoted), `"`+model.Mask+`"`, 1)
}

// keptSecret returns the secret that the service itself uses.
func (f encryptedFact) keptSecret(t *testing.T, s *apptest.Service) string {
	t.Helper()
	switch f.aspect {
	case "dataHubSecretValue":
		var found struct{ GetSecretValues []struct{ Value string } }
		graphql(t, s, `{ getSecretValues(input: {secrets: ["`+f.urn.Key()+`"]}) { value } }`, &found)
		if len(found.GetSecretValues) != 1 {
			t.Fatalf("%s: %d values", f, len(found.GetSecretValues))
		}
		return found.GetSecretValues[0].Value
	case "dataHubConnectionDetails":
		var found struct {
			Connection struct {
				Details struct{ JSON struct{ Blob string } }
			}
		}
		graphql(t, s, `{ connection(urn: "`+string(f.urn)+`") { details { json { blob } } } }`, &found)
		return found.Connection.Details.JSON.Blob
	}
	var found struct{ ClientSecret string }
	s.JSON(http.MethodPost, "/auth/getSsoSettings", `{}`, &found)
	return found.ClientSecret
}

// furtherReadings returns reads of copies of written data: events, traces, the index.
func furtherReadings(u urn.URN, aspect string) []question {
	inPath, kind := url.PathEscape(string(u)), u.Type()
	questions := append(listings(kind, "TAG", visibleText),
		question{"events of versioned aspects", "GET", "/openapi/v1/events/poll?topic=MetadataChangeLog_Versioned_v1&lookbackWindowDays=1&limit=1000", ""},
		question{"platform events", "GET", "/openapi/v1/events/poll?topic=PlatformEvent_v1&lookbackWindowDays=1&limit=1000", ""},
		question{"timeline", "GET", "/openapi/v2/timeline/v1/" + inPath + "?categories=TECHNICAL_SCHEMA,TAG,OWNERSHIP,GLOSSARY_TERM,DOCUMENTATION", ""},
		question{"raw index", "POST", "/openapi/operations/elasticSearch/entity/raw", fmt.Sprintf(`[%q]`, u)},
		question{"HEAD of the aspect", "HEAD", "/openapi/v3/entity/" + kind + "/" + inPath + "/" + aspect, ""},
		question{"HEAD of the entity", "HEAD", "/openapi/v3/entity/" + kind + "/" + inPath, ""},
		graphQL("GraphQL timeline", fmt.Sprintf(`{ getTimeline(input: {urn: %q, changeCategories: [DOCUMENTATION]}) { changeTransactions { timestampMillis } } }`, u)),
		graphQL("GraphQL audit", `{ listAccessTokens(input: {start: 0, count: 10, filters: []}) { total } }`),
	)
	return questions
}

// Reads that show a value to actors who may read it.
var showing = map[string]bool{
	"Rest.li aspect": true, "Rest.li entitiesV2": true, "Rest.li entitiesV2 of several": true, "Rest.li entitiesVersionedV2": true,
	"OpenAPI v3 entity": true, "OpenAPI v3 aspect": true, "OpenAPI v3 batchGet": true, "OpenAPI v3 batchGet of any type": true,
	"OpenAPI v2 entity": true, "OpenAPI v2 aspect": true, "OpenAPI v2 batch": true, "OpenAPI v1 latest": true, "run": true,
}

func TestEncryptedAspectsAreReadMaskedByThoseAloneWhoManageThem(t *testing.T) {
	t.Parallel()
	for name, viewed := range map[string]bool{"everybody views entities": false, "with view authorization": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			readEncrypted(t, apptest.Start(t, t.TempDir(), func(cfg *app.Config) { cfg.Auth.ViewAuthorization = viewed }))
		})
	}
}

func readEncrypted(t *testing.T, s *apptest.Service) {
	t.Helper()
	// A user who may edit all entities may not manage secrets, connections or settings.
	grant(s, "edits", "METADATA", "urn:li:corpuser:edits", `"VIEW_ENTITY_PAGE","GET_ENTITY_PRIVILEGE","EDIT_ENTITY","CREATE_ENTITY","DELETE_ENTITY"`)
	editor := s.As("urn:li:corpuser:edits")
	for _, f := range encryptedFacts {
		put(t, s, f.fact)
		user := urn.URN("urn:li:corpuser:manages-" + f.aspect)
		manager, other, admin := s.As(user), s.As(jo), s.As("urn:li:corpuser:datahub")
		grant(s, "manages-"+f.aspect, "PLATFORM", string(user), `"`+f.manage+`"`)
		for _, user := range []apptest.User{manager, admin} {
			for _, tool := range [][2]string{{"get_entities", `{"urns":["` + string(f.urn) + `"]}`}, {"search", `{"query":"` + visibleText + `"}`}} {
				if text, _ := connect(t, s, user.Token()).call(tool[0], tool[1]); strings.Contains(text, secretText) {
					t.Errorf("%s: %s tells %.400s", f, tool[0], text)
				}
			}
		}
		for _, q := range append(readings(f.urn, f.aspect), furtherReadings(f.urn, f.aspect)...) {
			for name, c := range map[string]caller{"the manager": manager, "the administrator": admin, "the system": s} {
				status, body := ask(c, q)
				if strings.Contains(body, secretText) {
					t.Errorf("%s: %s: %s reads the secret: %d %.400s", f, q.name, name, status, body)
				}
				older := q.name == "Rest.li entitiesVersionedV2" && f.aspect == "globalSettingsInfo" // version 1 was written at the first start
				if showing[q.name] && !older && (!strings.Contains(body, visibleText) || !strings.Contains(body, model.Mask)) {
					t.Errorf("%s: %s: %s is not shown the masked value: %d %.400s", f, q.name, name, status, body)
				}
			}
			for name, c := range map[string]caller{"somebody": other, "who edits entities": editor} {
				status, body := ask(c, q)
				if strings.Contains(body, secretText) || strings.Contains(body, visibleText) && q.name != "OpenAPI v3 query" {
					t.Errorf("%s: %s: %s reads %d %.400s", f, q.name, name, status, body)
				}
			}
		}
		for _, d := range writeAPIs {
			if status, body := d.write(editor, f.fact); !refused(status, body) && d.name != "Rest.li CREATE" {
				t.Errorf("%s: %s: who edits entities writes: %d %.300s", f, d.name, status, body)
			}
		}
	}
}

// version returns the version of the stored aspect.
func (f encryptedFact) version(t *testing.T, s *apptest.Service) string {
	t.Helper()
	var read struct {
		SystemMetadata struct{ Version string }
	}
	s.JSON(http.MethodGet, "/openapi/v3/entity/"+f.urn.Type()+"/"+url.PathEscape(string(f.urn))+"/"+f.aspect+"?systemMetadata=true", "", &read)
	return read.SystemMetadata.Version
}

func TestAValueThatIsWrittenBackAsItWasReadKeepsTheSecret(t *testing.T) {
	t.Parallel()
	s := world(t)
	admin := s.As("urn:li:corpuser:datahub")
	for _, f := range encryptedFacts {
		put(t, s, f.fact)
		read := fact{f.urn, f.aspect, f.masked()}
		before := f.version(t, s)
		for _, d := range writeAPIs {
			status, body := d.write(admin, read)
			if status >= 300 && d.name != "Rest.li CREATE" || strings.Contains(body, `"success":false`) {
				t.Errorf("%s: %s: %d %.300s", f, d.name, status, body)
			}
			if got := f.version(t, s); got != before {
				t.Errorf("%s: %s made version %s of %s", f, d.name, got, before)
				before = got
			}
			if got := f.keptSecret(t, s); got != f.secret {
				t.Fatalf("%s: %s: the secret is %q", f, d.name, got)
			}
		}
		// A change of another member keeps the secret, too.
		status, body := writeAPIs[4].write(admin, fact{f.urn, f.aspect, strings.Replace(f.masked(), visibleText, "another", 1)})
		if got := f.keptSecret(t, s); status != http.StatusOK || got != f.secret || f.version(t, s) == before {
			t.Errorf("%s: a change beside the mask: %d %.300s, the secret is %q", f, status, body, got)
		}
	}
}

// patches are the APIs that accept patch operations.
var patches = map[string]func(c caller, f fact, operations string) (int, string){
	"Rest.li": func(c caller, f fact, operations string) (int, string) {
		return c.Call(http.MethodPost, "/aspects?action=ingestProposal", `{"proposal":`+f.proposal("PATCH", `{"patch":[`+operations+`],"forceGenericPatch":true}`)+`}`)
	},
	"OpenAPI v3": func(c caller, f fact, operations string) (int, string) {
		return c.Call(http.MethodPatch, "/openapi/v3/entity/"+f.urn.Type()+"?async=false",
			fmt.Sprintf(`[{"urn":%q,%q:{"value":{"patch":[%s],"forceGenericPatch":true}}}]`, f.urn, f.aspect, operations))
	},
	"OpenAPI v3 of one aspect": func(c caller, f fact, operations string) (int, string) {
		return c.Call(http.MethodPatch, "/openapi/v3/entity/"+f.urn.Type()+"/"+url.PathEscape(string(f.urn))+"/"+f.aspect, `{"patch":[`+operations+`],"forceGenericPatch":true}`)
	},
}

func TestPatchesNeitherTellNorCopyASecret(t *testing.T) {
	t.Parallel()
	s := world(t)
	admin := s.As("urn:li:corpuser:datahub")
	for _, f := range encryptedFacts {
		put(t, s, f.fact)
		before := f.version(t, s)
		stored := stored(s, f.urn, f.aspect)
		parent := f.path[:strings.LastIndex(f.path, "/")]
		secret, _ := json.Marshal(f.secret)
		for name, patch := range patches {
			for _, operations := range []string{
				`{"op":"test","path":"` + f.path + `","value":` + string(secret) + `}`,
				`{"op":"test","path":"` + f.path + `","value":"another"}`,
				`{"op":"copy","from":"` + f.path + `","path":"/name"}`,
				`{"op":"copy","from":"` + f.path + `","path":"/sso/baseUrl"}`,
				`{"op":"move","from":"` + f.path + `","path":"/name"}`,
				`{"op":"copy","from":"` + parent + `","path":"/other"}`,
				`{"op":"move","from":"` + parent + `","path":"/other"}`,
				`{"op":"copy","from":"","path":"/other"}`,
				`{"op":"copy","from":"` + f.path + `","path":"` + f.path + `"}`,
			} {
				status, body := patch(admin, f.fact, operations)
				if status < 400 || status >= 500 || strings.Contains(body, secretText) {
					t.Errorf("%s: %s: %s: %d %.300s", f, name, operations, status, body)
				}
			}
			for _, operations := range []string{
				`{"op":"test","path":"` + f.path + `","value":"` + model.Mask + `"}`,
				`{"op":"replace","path":"` + f.path + `","value":"` + model.Mask + `"}`,
				`{"op":"replace","path":"` + f.path + `","value":` + string(secret) + `}`,
			} {
				if status, body := patch(admin, f.fact, operations); status >= 300 {
					t.Errorf("%s: %s: %s: %d %.300s", f, name, operations, status, body)
				}
			}
			if got := f.version(t, s); got != before {
				t.Errorf("%s: %s made version %s of %s", f, name, got, before)
				before = got
			}
		}
		if got := f.keptSecret(t, s); got != f.secret {
			t.Errorf("%s: the secret is %q", f, got)
		}
		put(t, s, f.fact)
		if _, after := ask(s, readings(f.urn, f.aspect)[0]); !strings.Contains(stored, model.Mask) || !strings.Contains(after, model.Mask) {
			t.Errorf("%s is read as %s", f, after)
		}
		for name, patch := range patches {
			status, body := patch(admin, f.fact, `{"op":"replace","path":"`+f.path+`","value":"\"new-`+name+`\""}`)
			if got := f.keptSecret(t, s); status != http.StatusOK || got != `"new-`+name+`"` {
				t.Errorf("%s: %s: %d %.300s, the secret is %q", f, name, status, body, got)
			}
		}
	}
}

func TestAMaskStandsForNoSecretThatIsNotStored(t *testing.T) {
	t.Parallel()
	s := world(t)
	for _, f := range encryptedFacts {
		f.fact.value = f.masked()
		for _, d := range writeAPIs {
			status, body := d.write(s, f.fact)
			if d.name == "OpenAPI v3 asynchronous" || d.name == "Rest.li asynchronous batch" {
				continue // is answered before validation
			}
			if d.name == "Rest.li CREATE" && f.aspect == "globalSettingsInfo" {
				continue // it exists
			}
			if status < 400 && !strings.Contains(body, `"success":false`) || !strings.Contains(body, "must be the secret itself") {
				t.Errorf("%s: %s: %d %.300s", f, d.name, status, body)
			}
		}
	}
}

// A rejected value may contain the intended secret.
func TestRefusalsOfEncryptedAspectsQuoteNoSecret(t *testing.T) {
	t.Parallel()
	s := world(t)
	for _, f := range []fact{
		{"urn:li:dataHubSecret:a", "dataHubSecretValue", `{"name":"a","value":["` + secretText + `"]}`},
		{"urn:li:dataHubSecret:a", "dataHubSecretValue", `{"name":["` + secretText + `"],"value":"a"}`},
		{"urn:li:dataHubSecret:a", "dataHubSecretValue", `{"name":"","value":"` + secretText + `"}`},
		{"urn:li:dataHubSecret:a", "dataHubSecretValue", `{"name":"a","value":"` + secretText + strings.Repeat("x", 100_000) + `"}`},
		{"urn:li:dataHubConnection:a", "dataHubConnectionDetails", `{"type":"JSON","json":{"encryptedBlob":"` + secretText + `"}}`},
		{"urn:li:dataHubConnection:a", "dataHubConnectionDetails", `{"type":"JSON","json":"` + secretText + `"}`},
		{"urn:li:dataHubConnection:a", "dataHubConnectionDetails", `{"type":"` + secretText + `","json":{"encryptedBlob":"{}"}}`},
		{"urn:li:globalSettings:0", "globalSettingsInfo", `{"sso":{"baseUrl":"a","oidcSettings":{"clientSecret":{"a":"` + secretText + `"}}}}`},
	} {
		for _, d := range writeAPIs {
			status, body := d.write(s, f)
			if status < 400 && !strings.Contains(body, `"success":false`) && !strings.Contains(d.name, "async") {
				t.Errorf("%.100s: %s: %d %.300s", f, d.name, status, body)
			}
			if strings.Contains(body, secretText) {
				t.Errorf("%.100s: %s: the refusal quotes %.600s", f, d.name, body)
			}
		}
	}
}
