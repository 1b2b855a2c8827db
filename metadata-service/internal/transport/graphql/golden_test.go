package graphql_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/access"
	"github.com/cartulary/cartulary/metadata-service/internal/service/analytics"
	"github.com/cartulary/cartulary/metadata-service/internal/service/assertion"
	"github.com/cartulary/cartulary/metadata-service/internal/service/asset"
	"github.com/cartulary/cartulary/metadata-service/internal/service/businessattribute"
	"github.com/cartulary/cartulary/metadata-service/internal/service/collection"
	"github.com/cartulary/cartulary/metadata-service/internal/service/contract"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/metadata-service/internal/service/domain"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ermodel"
	"github.com/cartulary/cartulary/metadata-service/internal/service/form"
	"github.com/cartulary/cartulary/metadata-service/internal/service/glossary"
	"github.com/cartulary/cartulary/metadata-service/internal/service/homepage"
	"github.com/cartulary/cartulary/metadata-service/internal/service/incident"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ingestion"
	"github.com/cartulary/cartulary/metadata-service/internal/service/knowledge"
	"github.com/cartulary/cartulary/metadata-service/internal/service/label"
	"github.com/cartulary/cartulary/metadata-service/internal/service/lineageedit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/link"
	"github.com/cartulary/cartulary/metadata-service/internal/service/logical"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/owner"
	"github.com/cartulary/cartulary/metadata-service/internal/service/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/service/post"
	"github.com/cartulary/cartulary/metadata-service/internal/service/principal"
	"github.com/cartulary/cartulary/metadata-service/internal/service/property"
	"github.com/cartulary/cartulary/metadata-service/internal/service/query"
	"github.com/cartulary/cartulary/metadata-service/internal/service/recommendation"
	"github.com/cartulary/cartulary/metadata-service/internal/service/role"
	"github.com/cartulary/cartulary/metadata-service/internal/service/secret"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/setting"
	"github.com/cartulary/cartulary/metadata-service/internal/service/statistics"
	"github.com/cartulary/cartulary/metadata-service/internal/service/tag"
	"github.com/cartulary/cartulary/metadata-service/internal/service/timeline"
	"github.com/cartulary/cartulary/metadata-service/internal/service/version"
	"github.com/cartulary/cartulary/metadata-service/internal/service/view"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
	"github.com/cartulary/cartulary/pkg/urn"
)

var update = flag.Bool("update", false, "write the answers of golden files anew")

// newEngine returns an engine over a small catalog.
func newEngine(t testing.TB) (*graphql.Engine, *servicetest.World) {
	t.Helper()
	return newEngineWith(t, func(*graphql.Config) {})
}

// newEngineWith returns an engine with a changed configuration.
func newEngineWith(t testing.TB, change func(*graphql.Config)) (*graphql.Engine, *servicetest.World) {
	t.Helper()
	return engineOf(t, servicetest.New(t), change)
}

func engineOf(t testing.TB, w *servicetest.World, change func(*graphql.Config)) (*graphql.Engine, *servicetest.World) {
	t.Helper()
	config := configOf(w)
	change(&config)
	e, err := graphql.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return e, w
}

func configOf(w *servicetest.World) graphql.Config {
	domains := domain.New(w.Edit)
	return graphql.Config{
		Catalog: w.Catalog, Discover: w.Discover, Registry: w.Registry, Edit: w.Edit, Statistics: statistics.New(w.Catalog, statistics.Limits{}, w.Now),
		Tags: tag.New(w.Edit), Labels: label.New(w.Edit), Owners: owner.New(w.Edit),
		Glossary: glossary.New(w.Edit), Domains: domains, Links: link.New(w.Edit, glossary.New(w.Edit)),
		Principals: principal.New(w.Edit), Settings: setting.New(w.Edit), Views: view.New(w.Edit), Queries: query.New(w.Edit),
		HomePages: homepage.New(w.Edit), Posts: post.New(w.Edit),
		Assets: asset.New(w.Edit, owner.New(w.Edit), glossary.New(w.Edit), domains), LineageEdits: lineageedit.New(w.Edit), AssertionEdits: assertion.New(w.Edit),
		IncidentEdits: incident.New(w.Edit), Contracts: contract.New(w.Edit),
		Ingestion: ingestion.New(w.Edit), Secrets: secret.New(w.Edit, w.Catalog.Managed(secret.ValueAspect, secret.ConnectionAspect), w.Cipher),
		KnowledgeBase: knowledge.New(w.Edit), Recommendations: recommendation.New(w.Discover), Analytics: analytics.New(w.Discover, w.Catalog, w.Rights), Timeline: timeline.New(w.Registry, w.Catalog, w.Discover, admission.ReserveWithWork),
		Properties: property.New(w.Edit), Forms: form.New(w.Edit, property.New(w.Edit)), DataProducts: collection.NewDataProducts(w.Edit), Applications: collection.NewApplications(w.Edit),
		Joins: ermodel.New(w.Edit), LogicalModels: logical.New(w.Edit),
		Versions: version.New(w.Edit), OwnerTypes: owner.NewTypes(w.Edit), Tests: metatest.New(metatest.Config{Edit: w.Edit, Reader: w.Store, Graph: w.Store, Documents: w.Documents, Tasks: queue(w), Log: w.Log}), Policies: policy.New(w.Edit), Access: access.New(w.Edit, w.Rights, w.Tokens), Roles: role.New(w.Edit, w.Credentials), BusinessAttributes: businessattribute.New(w.Edit),
		Tokens: w.Tokens, Credentials: w.Credentials, Cipher: w.Cipher, Version: "v0.0.1", AuthOn: true, PoliciesOn: true, Now: w.Now, Log: w.Log,
	}
}

// queue returns a task manager that starts no task, so that responses always show the same state.
func queue(w *servicetest.World) *task.Manager {
	return task.New(task.Config{Store: memory.NewTaskStore(), Now: w.Now, Log: w.Log})
}

// seed writes the data for the golden files.
func seed(t testing.TB, w *servicetest.World) {
	t.Helper()
	text, err := os.ReadFile("testdata/golden/seed.json")
	if err != nil {
		t.Fatal(err)
	}
	var facts []struct {
		URN    urn.URN         `json:"urn"`
		Aspect string          `json:"aspect"`
		Value  json.RawMessage `json:"value"`
	}
	if err := json.Unmarshal(text, &facts); err != nil {
		t.Fatal(err)
	}
	for _, f := range facts {
		w.Put(t, f.URN, f.Aspect, string(f.Value))
	}
	// Mia signs in with a password; its value does not matter.
	err = w.Catalog.Managed(credentials.Aspect).Write(w.As(t, model.SystemActor), []catalog.Proposal{{
		URN: string(servicetest.Mia), Aspect: credentials.Aspect, Change: model.Upsert, Value: []byte(`{"salt":"","hashedPassword":""}`),
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// golden is one case of a file.
type golden struct {
	name      string
	document  string
	variables string
	actor     urn.URN
	answer    string
}

// TestGolden executes the documents of the files in testdata/golden, in order, each file on a
// catalog of its own. A file is named after the operation that it tests.
func TestGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/golden/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	// Files that only read share a catalog, and the other files share engines, because creating
	// them takes most of the time.
	shared, sharedWorld := newEngine(t)
	seed(t, sharedWorld)
	idle := make(chan *graphql.Engine, len(files))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(string(text), "mutation") {
				runGolden(t, file, string(text), shared, sharedWorld)
				return
			}
			var engine *graphql.Engine
			var world *servicetest.World
			select {
			case engine = <-idle:
				world = servicetest.New(t)
				engine.Reconfigure(configOf(world))
			default:
				engine, world = newEngine(t)
			}
			defer func() { idle <- engine }()
			seed(t, world)
			runGolden(t, file, string(text), engine, world)
		})
	}
}

func runGolden(t *testing.T, file, text string, engine *graphql.Engine, world *servicetest.World) {
	t.Helper()
	ways := newPlanComparison(t, engine)
	compareGolden(t, file, parseGolden(t, file, text), func(g golden, document, variables string) graphql.Response {
		if strings.Contains(document, "mutation") {
			world.Pass(time.Minute)
		}
		return ways.ask(t, world.As(t, g.actor), graphql.Request{Query: document, Variables: json.RawMessage(variables)})
	})
}

// compareGolden executes the cases of a file and compares the responses, or writes them with
// -update.
func compareGolden(t *testing.T, file string, cases []golden, ask func(g golden, document, variables string) graphql.Response) {
	t.Helper()
	var written strings.Builder
	masks := &masks{}
	for _, g := range cases {
		answer := masks.hide(pretty(t, ask(g, masks.reveal(g.document), masks.reveal(g.variables))))
		fmt.Fprintf(&written, "== %s\n%s", g.name, g.document)
		if g.variables != "" {
			fmt.Fprintf(&written, "-- variables\n%s", g.variables)
		}
		if g.actor != servicetest.Root {
			fmt.Fprintf(&written, "-- as %s\n", g.actor)
		}
		fmt.Fprintf(&written, "-- answer\n%s\n", answer)
		if !*update && answer != strings.TrimSpace(g.answer) {
			t.Errorf("%s\ngot  %s\nwant %s", g.name, answer, g.answer)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(written.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func parseGolden(t *testing.T, file, text string) []golden {
	t.Helper()
	var out []golden
	var into *string
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(bare, "== "):
			out = append(out, golden{name: bare[3:], actor: servicetest.Root})
			into = &out[len(out)-1].document
		case len(out) == 0:
			t.Fatalf("%s: begins with no case", file)
		case bare == "-- variables":
			into = &out[len(out)-1].variables
		case bare == "-- answer":
			into = &out[len(out)-1].answer
		case strings.HasPrefix(bare, "-- as "):
			out[len(out)-1].actor = urn.URN(bare[len("-- as "):])
		default:
			*into += line
		}
	}
	return out
}

// pretty formats a response for golden files.
func pretty(t *testing.T, done graphql.Response) string {
	t.Helper()
	text, err := json.Marshal(struct {
		Errors []graphql.Error `json:"errors,omitempty"`
		Data   json.RawMessage `json:"data,omitempty"`
	}{done.Errors, done.Data})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(out.String())
}

// masks replaces strings that differ from run to run. Later cases of the file can refer to such a
// string by its mask.
type masks struct {
	texts []string
	names []string
}

var random = []struct {
	name string
	form *regexp.Regexp
}{
	{"token", regexp.MustCompile(`eyJ[\w-]+\.[\w-]+\.[\w-]+`)},
	{"uuid", regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)},
	{"hash", regexp.MustCompile(`[A-Za-z0-9+/]{43}=`)},
	{"encrypted", regexp.MustCompile(`v1\.[\w-]{30,}`)},
	{"cursor", regexp.MustCompile(`("nextScrollId": ")[^"]+`)},
	{"link", regexp.MustCompile(`\b[a-z]{32}\b`)}, // of an invitation, or to reset a password
}

func (m *masks) hide(text string) string {
	for _, r := range random {
		text = r.form.ReplaceAllStringFunc(text, func(found string) string {
			prefix := ""
			if r.name == "cursor" {
				prefix, found = `"nextScrollId": "`, strings.TrimPrefix(found, `"nextScrollId": "`)
			}
			for i, known := range m.texts {
				if known == found {
					return prefix + m.names[i]
				}
			}
			name := fmt.Sprintf("<%s-%d>", r.name, len(m.names)+1)
			m.texts, m.names = append(m.texts, found), append(m.names, name)
			return prefix + name
		})
	}
	return text
}

func (m *masks) reveal(text string) string {
	for i, name := range m.names {
		text = strings.ReplaceAll(text, name, m.texts[i])
	}
	return text
}

// TestEveryOperationHasAGolden fails when no file tests an operation of the schema, or only its
// success or its failure.
func TestEveryOperationHasAGolden(t *testing.T) {
	t.Parallel()
	for _, operation := range operations(t) {
		text, err := os.ReadFile(filepath.Join("testdata/golden", operation+".txt"))
		if err != nil {
			t.Errorf("%s has no golden file", operation)
			continue
		}
		cases := parseGolden(t, operation, string(text))
		var good, bad int
		for _, g := range cases {
			if strings.Contains(g.answer, `"errors"`) {
				bad++
			} else if g.answer != "" {
				good++
			}
		}
		if good == 0 && !cannotSucceed[operation] || bad == 0 && !cannotFail[operation] {
			t.Errorf("%s: %d cases that work and %d that are refused; at least one of each is needed", operation, good, bad)
		}
	}
}

// cannotFail are operations without arguments that could be invalid and without a required
// privilege.
var cannotFail = map[string]bool{
	"appConfig": true, "me": true, "isAnalyticsEnabled": true, "docPropagationSettings": true, "globalHomePageSettings": true, "globalViewsSettings": true,
	"listLifecycleStages": true, "latestProductUpdate": true,
	"patchEntity": true, "patchEntities": true, // they report failures in their result
}

// cannotSucceed are operations that are switched off.
var cannotSucceed = map[string]bool{"semanticSearch": true, "semanticSearchAcrossEntities": true, "getPresignedUploadUrl": true, "createDataHubFile": true}

// operations returns the queries and mutations of the schema.
func operations(t *testing.T) []string {
	t.Helper()
	engine, _ := newEngine(t)
	done := engine.Exec(auth.WithActor(t.Context(), auth.Actor{URN: servicetest.Root}),
		graphql.Request{Query: `{__schema{queryType{fields(includeDeprecated:true){name}} mutationType{fields(includeDeprecated:true){name}}}}`})
	var found struct {
		Schema map[string]struct {
			Fields []struct {
				Name string `json:"name"`
			} `json:"fields"`
		} `json:"__schema"`
	}
	if err := json.Unmarshal(done.Data, &found); err != nil {
		t.Fatalf("%v: %s", err, done.Data)
	}
	var out []string
	for _, kind := range found.Schema {
		for _, f := range kind.Fields {
			out = append(out, f.Name)
		}
	}
	return out
}
