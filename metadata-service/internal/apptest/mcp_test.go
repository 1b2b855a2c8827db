package apptest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/metadata-service/internal/apptest/doctest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/mcp/bridge"
)

const (
	ordersTable  = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)"
	revenueTable = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.revenue,PROD)"
)

// program is a client of the Model Context Protocol.
type program struct {
	t *testing.T
	*sdk.ClientSession
}

// connect connects to the service over HTTP, with a token.
func connect(t *testing.T, s *apptest.Service, token string) program {
	t.Helper()
	return dial(t, &sdk.StreamableClientTransport{Endpoint: s.URL + "/mcp", DisableStandaloneSSE: true, HTTPClient: &http.Client{Transport: withToken(token)}})
}

func dial(t *testing.T, over sdk.Transport) program {
	t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "tests", Version: "1"}, nil).Connect(t.Context(), over, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return program{t, session}
}

type withToken string

func (token withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(token))
	return http.DefaultTransport.RoundTrip(r)
}

// call calls a tool, and returns the text of its response and whether that is an error.
func (p program) call(tool, arguments string) (string, bool) {
	p.t.Helper()
	result, err := p.CallTool(p.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		return err.Error(), true
	}
	var out strings.Builder
	for _, part := range result.Content {
		if text, ok := part.(*sdk.TextContent); ok {
			out.WriteString(text.Text)
		}
	}
	return out.String(), result.IsError
}

// expectTexts calls a tool and checks that its response contains some texts.
func (p program) expectTexts(tool, arguments string, wanted ...string) {
	p.t.Helper()
	text, failed := p.call(tool, arguments)
	for _, want := range wanted {
		if failed || !strings.Contains(text, want) {
			p.t.Errorf("%s %s: want %s in %s", tool, arguments, want, text)
		}
	}
}

// refuses calls a tool and checks that it returns an error with a text.
func (p program) refuses(tool, arguments, reason string) {
	p.t.Helper()
	if text, failed := p.call(tool, arguments); !failed || !strings.Contains(text, reason) {
		p.t.Errorf("%s %.200s: want the error %s, got %s", tool, arguments, reason, text)
	}
}

// shop writes two datasets, the second derived from the first, a tag, terms and a query.
func shop(t *testing.T, s *apptest.Service) {
	t.Helper()
	for entity, body := range map[string]string{
		"tag":          `[{"urn":"urn:li:tag:pii","tagProperties":{"value":{"name":"PII"}}}]`,
		"glossaryNode": `[{"urn":"urn:li:glossaryNode:sales","glossaryNodeInfo":{"value":{"name":"Sales","definition":"What we sell"}}}]`,
		"glossaryTerm": `[{"urn":"urn:li:glossaryTerm:order","glossaryTermInfo":{"value":{"name":"Order","definition":"A promise to buy","termSource":"INTERNAL","parentNode":"urn:li:glossaryNode:sales"}}}]`,
		"dataset": `[{"urn":"` + ordersTable + `","datasetProperties":{"value":{"name":"orders","description":"` + strings.Repeat("long ", 100) + `"}},
			"editableDatasetProperties":{"value":{"description":"Every order of the shop"}},
			"schemaMetadata":{"value":{"schemaName":"orders","platform":"urn:li:dataPlatform:hive","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},
				"fields":[{"fieldPath":"id","nativeDataType":"bigint","type":{"type":{"com.linkedin.schema.NumberType":{}}}},
					{"fieldPath":"[version=2.0].[type=struct].customer.[type=string].email","description":"Where we write to","nullable":true,"nativeDataType":"text","type":{"type":{"com.linkedin.schema.StringType":{}}}}]}}},
			{"urn":"` + revenueTable + `","datasetProperties":{"value":{"name":"revenue"}},"upstreamLineage":{"value":{"upstreams":[{"dataset":"` + ordersTable + `","type":"TRANSFORMED"}]}}}]`,
		"query": `[{"urn":"urn:li:query:q1","queryProperties":{"value":{"statement":{"value":"select 1 from orders","language":"SQL"},"source":"MANUAL","name":"One","created":` + stamp + `,"lastModified":` + stamp + `}},
			"querySubjects":{"value":{"subjects":[{"entity":"` + ordersTable + `"}]}}}]`,
	} {
		s.JSON(http.MethodPost, "/openapi/v3/entity/"+entity+"?async=false", body, nil)
	}
}

func TestProgramsReadTheCatalogByTools(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	shop(t, s)
	p := connect(t, s, s.As("urn:li:corpuser:datahub").Token())

	p.expectTexts("search", `{"query":"order","entity_types":["dataset"],"facets":["platform"]}`,
		`"total":1`, ordersTable, `"name":"orders"`, `"description":"Every order of the shop"`, `"platform":"urn:li:dataPlatform:hive"`, `"count":1,"value":"urn:li:dataPlatform:hive"`)
	p.expectTexts("search", `{"filters":[{"field":"platform","values":["urn:li:dataPlatform:hive"]},{"field":"name","values":["orders"],"not":true}],"entity_types":["dataset"]}`, `"total":1`, revenueTable)
	p.expectTexts("search", `{"query":"nothing has this"}`, `"total":0`, `"results":[]`)
	p.expectTexts("get_entities", `{"urns":["`+ordersTable+`","urn:li:tag:absent"]}`, `"editableDatasetProperties":{"description":"Every order of the shop"}`, `{"exists":false,"type":"tag","urn":"urn:li:tag:absent"}`)
	p.expectTexts("get_entities", `{"urns":["`+ordersTable+`"],"aspects":["schemaMetadata"]}`, `Where we write to`)
	p.expectTexts("list_schema_fields", `{"urn":"`+ordersTable+`"}`, `"total":2`, `{"path":"id","type":"bigint"}`, `"path":"customer.email"`)
	p.expectTexts("list_schema_fields", `{"urn":"`+ordersTable+`","keywords":["EMAIL","write"]}`, `"total":1`, `"description":"Where we write to"`)
	p.expectTexts("get_lineage", `{"urn":"`+ordersTable+`","direction":"downstream","max_hops":3}`, `"total":1`, revenueTable, `"hops":1`)
	p.expectTexts("get_lineage", `{"urn":"`+revenueTable+`","direction":"upstream"}`, ordersTable)
	p.expectTexts("get_dataset_queries", `{"urn":"`+ordersTable+`"}`, `"total":1`, `"statement":"select 1 from orders"`, `"language":"SQL"`)
	p.expectTexts("browse_glossary", `{}`, `"total":1`, `"name":"Sales"`)
	p.expectTexts("browse_glossary", `{"parent":"urn:li:glossaryNode:sales"}`, `"total":1`, `"description":"A promise to buy"`)
	p.expectTexts("browse_glossary", `{"query":"promise"}`, `"total":1`, `urn:li:glossaryTerm:order`)
}

func TestToolsRefuseWhatTheyCannotRead(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	shop(t, s)
	p := connect(t, s, s.As("urn:li:corpuser:datahub").Token())
	many := `["` + strings.Repeat(`urn:li:tag:pii","`, 100) + `urn:li:tag:pii"]`
	for _, c := range []struct{ tool, arguments, reason string }{
		{"search", `{"limit":51}`, "limit: 51 is not between 1 and 50"},
		{"search", `{"offset":-1}`, "offset: -1 is less than 0"},
		{"search", `{"query":7}`, "query"},
		{"search", `{"querry":"x"}`, "querry"},
		{"search", `{"entity_types":["planet"]}`, "planet"},
		{"get_entities", `{"urns":[]}`, "urns: 0 are given"},
		{"get_entities", `{"urns":` + many + `}`, "urns: 101 are given"},
		{"get_entities", `{"urns":["orders"]}`, "urns: "},
		{"get_entities", `{"urns":["urn:li:tag:pii"],"aspects":["looks"]}`, `aspects: there is no aspect "looks"`},
		{"list_schema_fields", `{"urn":"` + revenueTable + `"}`, "has no schema"},
		{"get_lineage", `{"urn":"` + ordersTable + `","direction":"sideways"}`, `direction: "sideways" is neither`},
		{"get_lineage", `{"urn":"` + ordersTable + `","direction":"upstream","max_hops":-2}`, "max_hops: -2"},
		{"add_tags", `{"labels":["urn:li:tag:pii"],"targets":[]}`, "targets: 0 are given"},
		{"add_tags", `{"labels":["urn:li:tag:absent"],"targets":[{"urn":"` + ordersTable + `"}]}`, "urn:li:tag:absent"},
		{"add_tags", `{"labels":["urn:li:tag:pii"],"targets":[{"urn":"` + ordersTable + `","column":"absent"}]}`, "absent"},
		{"add_owners", `{"owners":["urn:li:tag:pii"],"targets":["` + ordersTable + `"]}`, "urn:li:tag:pii"},
		{"drop_tables", `{}`, "drop_tables"},
	} {
		p.refuses(c.tool, c.arguments, c.reason)
	}
}

func TestToolsActWithThePrivilegesOfTheCaller(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	shop(t, s)
	s.As(jo)
	s.JSON(http.MethodPost, "/openapi/v3/entity/document?async=false", `[{"urn":"urn:li:document:draft","documentInfo":{"value":{"title":"Secret plan","status":{"state":"UNPUBLISHED"},"contents":{"text":"x"},"created":`+stamp+`,"lastModified":`+stamp+`}}}]`, nil)
	s.JSON(http.MethodPost, "/openapi/v3/entity/document?async=false", `[{"urn":"urn:li:document:plan","documentInfo":{"value":{"title":"Open plan","status":{"state":"PUBLISHED"},"contents":{"text":"x"},"created":`+stamp+`,"lastModified":`+stamp+`}}}]`, nil)
	boss, reader := connect(t, s, s.As("urn:li:corpuser:datahub").Token()), connect(t, s, s.As(mia).Token())
	reader.expectTexts("search", `{"query":"plan","entity_types":["document"]}`, `"total":1`, "urn:li:document:plan") // not the draft
	for tool, arguments := range map[string]string{
		"add_tags":           `{"labels":["urn:li:tag:pii"],"targets":[{"urn":"` + ordersTable + `","column":"id"},{"urn":"` + revenueTable + `"}]}`,
		"add_terms":          `{"labels":["urn:li:glossaryTerm:order"],"targets":[{"urn":"` + revenueTable + `"}]}`,
		"add_owners":         `{"owners":["` + string(jo) + `"],"targets":["` + revenueTable + `"]}`,
		"update_description": `{"urn":"` + revenueTable + `","description":"What came in"}`,
	} {
		reader.refuses(tool, arguments, "EDIT_")
		boss.expectTexts(tool, arguments, `"changed":`)
	}
	boss.expectTexts("get_entities", `{"urns":["`+revenueTable+`"]}`, "urn:li:tag:pii", "urn:li:glossaryTerm:order", string(jo), "What came in", "__system__technical_owner")
	boss.expectTexts("list_schema_fields", `{"urn":"`+ordersTable+`","keywords":["pii"]}`, `"total":1`, `"path":"id"`)

	status, body := s.WithToken("").Call(http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if status != http.StatusUnauthorized || strings.Contains(body, "add_tags") {
		t.Errorf("without a token: %d %s", status, body)
	}
	if status, body := s.As(jo).Call(http.MethodPost, "/mcp", " \n["+`{"jsonrpc":"2.0","id":1,"method":"tools/list"}]`); status != http.StatusBadRequest || !strings.Contains(body, "batch") {
		t.Errorf("a batch: %d %.200s", status, body)
	}
	if status, body := s.As(jo).Call(http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":"`+strings.Repeat("x", 2<<20)+`"}}`); status != http.StatusRequestEntityTooLarge {
		t.Errorf("2 MiB: %d %.200s", status, body)
	}
}

// Each tool must be in the table. TestToolsActWithThePrivilegesOfTheCaller tests tools that change
// data, this test all others.
func TestToolsShowWhatTheCallerMaySee(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, t.TempDir(), func(c *app.Config) { c.Auth.ViewAuthorization = true })
	shop(t, s)
	for _, policy := range []string{"urn:li:dataHubPolicy:7", "urn:li:dataHubPolicy:view-entity-page-all", "urn:li:dataHubPolicy:view-dataset-sensitive"} {
		s.Call(http.MethodDelete, "/openapi/v3/entity/dataHubPolicy/"+policy, "")
	}
	boss, nobody := connect(t, s, s.As("urn:li:corpuser:datahub").Token()), connect(t, s, s.As(mia).Token())
	secret := map[string]struct{ arguments, word string }{
		"search":              {`{"query":"*","limit":50}`, ordersTable},
		"get_entities":        {`{"urns":["` + ordersTable + `"]}`, "Every order of the shop"},
		"list_schema_fields":  {`{"urn":"` + ordersTable + `"}`, "Where we write to"},
		"get_lineage":         {`{"urn":"` + revenueTable + `","direction":"upstream"}`, ordersTable},
		"get_dataset_queries": {`{"urn":"` + ordersTable + `"}`, "select 1 from orders"},
	}
	open := []string{"browse_glossary"} // every actor views the glossary
	changing := []string{"add_tags", "add_terms", "add_owners", "update_description"}
	listed, err := boss.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range listed.Tools {
		about, ok := secret[tool.Name]
		if !ok {
			if !slices.Contains(open, tool.Name) && !slices.Contains(changing, tool.Name) {
				t.Errorf("what %s asks for is not said here", tool.Name)
			}
			continue
		}
		boss.expectTexts(tool.Name, about.arguments, about.word)
		if text, _ := nobody.call(tool.Name, about.arguments); strings.Contains(text, about.word) {
			t.Errorf("%s shows nobody %s", tool.Name, text)
		}
	}
}

func TestToolsThatChangeMayBeLeftOut(t *testing.T) {
	t.Parallel()
	for _, readOnly := range []bool{false, true} {
		s := apptest.Start(t, t.TempDir(), func(c *app.Config) { c.MCP.ReadOnly = readOnly })
		listed, err := connect(t, s, s.As(mia).Token()).ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range listed.Tools {
			names = append(names, tool.Name)
			changes := strings.HasPrefix(tool.Name, "add_") || strings.HasPrefix(tool.Name, "update_")
			if tool.Annotations.ReadOnlyHint == changes || tool.Description == "" {
				t.Errorf("%s is annotated as %+v", tool.Name, tool.Annotations)
			}
		}
		if slices.Contains(names, "add_tags") == readOnly || !slices.Contains(names, "search") {
			t.Errorf("read-only %v: %s", readOnly, names)
		}
	}
	s := apptest.Start(t, t.TempDir(), func(c *app.Config) { c.MCP.Enabled = false })
	if status, _ := s.Call(http.MethodPost, "/mcp", `{}`); status != http.StatusNotFound {
		t.Errorf("turned off: %d", status)
	}
}

func TestToolsAreBridgedToACommand(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	shop(t, s)
	here, there := sdk.NewInMemoryTransports()
	done := make(chan error, 1)
	go func() {
		done <- bridge.Run(t.Context(), bridge.Config{Address: s.URL + "/", Token: s.As(mia).Token(), Version: "1", Transport: there})
	}()
	p := dial(t, here)
	p.expectTexts("search", `{"query":"order","entity_types":["dataset"]}`, `"total":1`, ordersTable)
	p.refuses("update_description", `{"urn":"`+ordersTable+`","description":"x"}`, "EDIT_")
	p.refuses("search", `{"limit":99}`, "limit: 99")
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	for address, reason := range map[string]string{"localhost:8080": "is no address of a catalog", "ftp://x": "is no address of a catalog", s.URL: "Unauthorized"} {
		if err := bridge.Run(t.Context(), bridge.Config{Address: address}); err == nil || !strings.Contains(fmt.Sprint(err), reason) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestThePageAboutToolsIsTrue(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	at, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	door := httputil.NewSingleHostReverseProxy(at)
	door.Transport = withToken(s.As(mia).Token())
	doctest.Run(t, "../../../docs/api/mcp.md", door)
}
