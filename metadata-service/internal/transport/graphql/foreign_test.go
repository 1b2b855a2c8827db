package graphql_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/modeltest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
	"github.com/cartulary/cartulary/pkg/urn"
)

// foreignURNs are URNs of types that no reference of an asset expects: an unknown type, a
// misspelled type, a user, a secret that no actor may read, and a deleted domain.
var foreignURNs = []string{"urn:li:zzz:1", "urn:li:dataplatform:hive", "urn:li:corpuser:vera", "urn:li:dataHubSecret:x", "urn:li:domain:gone"}

// writeForeignReferences writes entities of all types with keys and aspects that contain the URN
// named wherever the model accepts it, and returns the URNs of the written entities.
func writeForeignReferences(t *testing.T, w *servicetest.World, named string) (written []urn.URN) {
	t.Helper()
	for _, entity := range w.Registry.Entities() {
		parts := urn.URN(entity.Example).Parts()
		keyed := false
		for i := range parts {
			if urn.Looks(parts[i]) {
				parts[i], keyed = named, true
			}
		}
		urns := []urn.URN{urn.URN(entity.Example)}
		if keyed {
			urns = append(urns, urn.Make(entity.Name, parts...))
		}
		for _, u := range urns {
			for _, spec := range entity.All() {
				if spec.IsKey || spec.Managed || entity.Key.Managed || spec.Name == "status" {
					continue
				}
				for variant := range 2 {
					value := foreignValue(w.Registry, spec, variant, named)
					_, err := w.Catalog.Write(w.As(t, model.SystemActor), []catalog.Proposal{{URN: string(u), Aspect: spec.Name, Value: value}}, catalog.WriteOptions{})
					if err == nil {
						written = append(written, u)
						break
					}
				}
			}
		}
	}
	return written
}

// foreignValue is a maximal value of an aspect that contains the URN named wherever no rule of
// the model restricts the types, even where a relationship leads to entities of other types.
func foreignValue(registry *model.Registry, spec *model.AspectSpec, variant int, named string) []byte {
	g := modeltest.Generator{Registry: registry, Aspect: spec, Maximal: true, Variant: variant, URN: func(path string, _ []string) string {
		allowed := spec.Targets(path)
		if len(allowed) == 0 || allowed[0] == model.AnyType {
			return named
		}
		if entity, ok := registry.Entity(allowed[variant%len(allowed)]); ok {
			return entity.Example
		}
		return "urn:li:" + allowed[0] + ":x"
	}}
	return jsontree.Encode(g.Value())
}

// TestNoURNOfAnotherTypeTakesAWholeAnswer selects all fields of entities with keys and aspects
// that refer to entities of unexpected types. Non-null fields have values, and no field fails.
func TestNoURNOfAnotherTypeTakesAWholeAnswer(t *testing.T) {
	t.Parallel()
	for _, named := range foreignURNs {
		t.Run(named, func(t *testing.T) {
			t.Parallel()
			engine, world := newEngine(t)
			written := writeForeignReferences(t, world, named)
			ways, types := newPlanComparison(t, engine), schemaByIntrospection(t)
			ask := func(u, document string) graphql.Response {
				variables, err := json.Marshal(map[string]string{"u": u})
				if err != nil {
					t.Fatal(err)
				}
				return ways.ask(t, auth.WithActor(t.Context(), auth.Actor{URN: servicetest.Root}), graphql.Request{Query: document, Variables: variables})
			}
			asked := map[urn.URN]bool{}
			for _, u := range written {
				if asked[u] {
					continue
				}
				asked[u] = true
				var found struct {
					Entity *struct {
						Typename string `json:"__typename"`
					}
				}
				if err := json.Unmarshal(ask(string(u), "query($u: String!) { entity(urn: $u) { __typename } }").Data, &found); err != nil {
					t.Fatal(err)
				}
				if found.Entity == nil {
					continue // of a type that the schema does not contain
				}
				name := found.Entity.Typename
				done := ask(string(u), "query($u: String!) { entity(urn: $u) { ... on "+name+" "+selectAllFields(types, types[name], 3)+" } }")
				for _, e := range done.Errors {
					t.Errorf("%s: %v %s %v", u, e.Path, e.Message, e.Extensions)
				}
				if strings.Contains(string(done.Data), `"entity":null`) {
					t.Errorf("%s is null as a whole", u)
				}
			}
			if len(asked) < 50 {
				t.Errorf("only %d entities were asked", len(asked))
			}
		})
	}
}

// TestAPlatformIsGivenWhateverTheKeySays selects the platform of assets whose key or instance
// contains no platform.
func TestAPlatformIsGivenWhateverTheKeySays(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	ctx := auth.WithActor(t.Context(), auth.Actor{URN: servicetest.Root})
	for _, named := range foreignURNs {
		for name, u := range map[string]urn.URN{
			"Dataset": urn.Make("dataset", named, "bad", "PROD"), "MLModel": urn.Make("mlModel", named, "bad", "PROD"), "MLModelGroup": urn.Make("mlModelGroup", named, "bad", "PROD"),
			"MLFeatureTable": urn.Make("mlFeatureTable", named, "bad"), "DataPlatformInstance": urn.Make("dataPlatformInstance", named, "bad"), "Chart": urn.Make("chart", named, "bad"),
			"Dashboard": urn.Make("dashboard", named, "bad"), "DataFlow": urn.Make("dataFlow", named, "bad", "PROD"), "Notebook": urn.Make("notebook", named, "bad"), "Container": "urn:li:container:bad",
			"DataJob": "urn:li:dataJob:(urn:li:dataFlow:(airflow,a,PROD),bad)", "Metric": urn.Make("metric", named, "p", "bad"), "SemanticModel": urn.Make("semanticModel", named, "p", "bad"),
		} {
			if name == "Container" || name == "DataJob" {
				if _, known := world.Registry.Entity(urn.URN(named).Type()); !known {
					continue // the model accepts only URNs of known types there
				}
				world.Put(t, u, "dataPlatformInstance", `{"platform":"`+named+`"}`)
			}
			done := engine.Exec(ctx, graphql.Request{Query: fmt.Sprintf(`{ entity(urn: %q) { ... on %s { platform { urn type name } } } }`, u, name)})
			if want := `{"entity":{"platform":{"urn":"urn:li:dataPlatform:unknown","type":"DATA_PLATFORM","name":"unknown"}}}`; len(done.Errors) > 0 || string(done.Data) != want {
				t.Errorf("%s: %s, %v", u, done.Data, done.Errors)
			}
		}
	}
}

// TestOneKeyTakesNoPageOfHits searches assets and selects their platforms, one of which is no
// platform, and charts, as a user without read access to some entities in the keys.
func TestOneKeyTakesNoPageOfHits(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	for i, named := range append([]string{"urn:li:dataPlatform:hive"}, foreignURNs...) {
		world.Put(t, urn.Make("dataset", named, fmt.Sprint("orders", i), "PROD"), "datasetProperties", `{"name":"orders"}`)
		world.Put(t, urn.Make("mlModelGroup", named, fmt.Sprint("orders", i), "PROD"), "mlModelGroupProperties", `{"name":"orders"}`)
	}
	for _, actor := range []urn.URN{servicetest.Root, servicetest.Jo} {
		done := engine.Exec(world.As(t, actor), graphql.Request{Query: `{ searchAcrossEntities(input: {query: "orders", types: [DATASET, MLMODEL_GROUP], count: 20}) { total
			searchResults { entity { ... on Dataset { platform { urn } } ... on MLModelGroup { platform { urn } } } } facets { aggregations { value entity { urn } } } } }`})
		if got := string(done.Data); len(done.Errors) > 0 || strings.Count(got, `{"platform":{"urn":"urn:li:dataPlatform:unknown"}}`) != 2*len(foreignURNs) || strings.Count(got, `{"platform":{"urn":"urn:li:dataPlatform:hive"}}`) != 2 {
			t.Errorf("%s finds %s, %v", actor, got, done.Errors)
		}
		done = engine.Exec(world.As(t, actor), graphql.Request{Query: `{ getAnalyticsCharts { charts { ... on BarChart { title bars { name } } } } getMetadataAnalyticsCharts(input: {query: "*"}) { title } }`})
		if got := string(done.Data); len(done.Errors) > 0 || !strings.Contains(got, `"title":"Assets by Platform","bars":[{"name":"Hive"}]`) {
			t.Errorf("%s is shown %s, %v", actor, got, done.Errors)
		}
	}
}
