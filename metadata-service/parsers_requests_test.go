package main_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/forwarded"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/parsercost"
)

// line is the maximum length of a line of a request, and of all headers together.
const line = 24 << 10

// requestParsers returns the parsers that are called by requests, and those of GraphQL.
func requestParsers(tb testing.TB) []parsercost.Parser {
	tb.Helper()
	d := newSender(tb)
	return append(append(append(graphqlParsers(tb, d), bodyParsers(d)...), addressParsers(d)...), headerParsers(d)...)
}

// graphqlStage compiles documents without caching them.
func graphqlStage(tb testing.TB) *document.Stage {
	tb.Helper()
	files, err := filepath.Glob("internal/transport/graphql/schema/*.graphql")
	if err != nil {
		tb.Fatal(err)
	}
	var sources []*ast.Source
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		sources = append(sources, &ast.Source{Name: file, Input: string(text)})
	}
	schema, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		tb.Fatal(err)
	}
	stage, err := document.New(document.Config{Schema: schema, CacheBytes: 1, IgnoreUnknownVariables: true})
	if err != nil {
		tb.Fatal(err)
	}
	return stage
}

func graphqlParsers(tb testing.TB, d *sender) []parsercost.Parser {
	tb.Helper()
	stage := graphqlStage(tb)
	taking, errs := stage.Compile(`query($i: SearchAcrossEntitiesInput!, $u: [String!]!) { searchAcrossEntities(input: $i) { total } entities(urns: $u) { urn } }`, "")
	if errs != nil {
		tb.Fatal(errs)
	}
	entity := `entity(urn: "urn:li:tag:a") { urn ... on Dataset { name properties { name description } ownership { owners { type owner { ... on CorpUser { urn username } } } } tags { tags { tag { urn } } } } } `
	return []parsercost.Parser{
		{Name: "documents of GraphQL", Fuzz: []string{"internal/transport/graphql/document.FuzzCompile"}, Ordinary: counting("{", "a%d: "+entity, "}", 16<<10), Worst: hostileDocuments(entity), Parse: func(text string) { _, _ = stage.Compile(text, "") }},
		{Name: "variables of GraphQL", Fuzz: []string{"internal/transport/graphql/document.FuzzVariables"}, Ordinary: `{"u":[],"i":{"query":"*","orFilters":[` + repeat("", `{"and":[{"field":"platform","condition":"EQUAL","values":["a","b"]}]},`, `{"and":[]}`, long) + `]}}`, Worst: hostileVariables(), Parse: func(text string) {
			taking.DeclaredValues(json.RawMessage(text))
			_, _ = taking.Variables(json.RawMessage(text))
		}},
		{Name: "requests of GraphQL", Fuzz: []string{"internal/transport/graphql.FuzzEnvelope"}, Around: true, Ordinary: `{"query":"{ __typename }","variables":{"a":` + someJSON(long) + `}}`, Worst: envelopes(), Parse: d.body("/api/graphql")},
	}
}

func hostileDocuments(entity string) map[string]string {
	const most = 96 << 10
	fragments := func(format string, n int) string {
		var text strings.Builder
		text.WriteString("{ ...f0 } ")
		for i := range n {
			text.WriteString(strings.NewReplacer("I", strconv.Itoa(i), "J", strconv.Itoa(i+1)).Replace(format))
		}
		return text.String() + strings.NewReplacer("J", strconv.Itoa(n)).Replace("fragment fJ on Query { __typename }")
	}
	var all strings.Builder
	for i := range 100 {
		all.WriteString("fragment g" + strconv.Itoa(i) + " on Query { __typename " + counting("", "...g%d ", "", 600) + "} ")
	}
	return map[string]string{
		"fragments in fragments":        fragments("fragment fI on Query { ...fJ ...fJ } ", 500),
		"fragments that need another":   fragments("fragment fI on Query { a: __typename ...fJ } ", 1000),
		"all fragments in all":          "{ ...g0 } " + all.String(),
		"fragments that are circular":   "{ ...g0 } fragment g0 on Query { ...g1 } fragment g1 on Query { ...g0 }" + repeat("", "#\n", "", most),
		"fragments without use":         counting("{ __typename } ", "fragment f%d on Query { __typename } ", "", most),
		"equal fields":                  repeat("{", "a: __typename ", "}", most),
		"fields in conflict":            counting("{", `a: entity(urn: "%d") { urn } `, "}", most),
		"fields in conflict below":      counting("{", `a: entity(urn: "x") { urn b: relationships(input: {types: [], direction: INCOMING, start: %d}) { total } } `, "}", most),
		"fields under many names":       counting("{", "a%d: __typename ", "}", most),
		"fields that are not known":     counting("{", "seachAcrosEntites%d ", "}", most),
		"a long name that is not known": repeat("{", "a", "}", most),
		"names that are not known":      repeat("{", strings.Repeat("searchAcross", 40)+" ", "}", most),
		"arguments that are not known":  counting("{ entity(", "x%d: 1 ", ") { urn } }", most),
		"inline fragments":              repeat(`{ entity(urn: "a") {`, "... on Dataset { urn } ", "} }", most),
		"nested inline fragments":       `{ entity(urn: "a") {` + strings.Repeat("... on Dataset {", 300) + "urn" + strings.Repeat("}", 300) + "} }",
		"inline fragments of all types": `{ entity(urn: "a") {` + repeat("", "... on Dataset { urn } ... on Chart { urn } ... on Dashboard { urn } ... on Tag { urn } ", "", most) + "} }",
		"nested fields":                 repeat("", "{ entity ", "", most),
		"nested lists":                  `{ entities(urns: ` + repeat("", "[", "", most),
		"nested objects":                `{ searchAcrossEntities(input: ` + repeat("", "{a: ", "", most),
		"lists":                         `{ entities(urns: ` + repeat("[", `"a" `, "]", most) + `) { urn } }`,
		"members of objects":            `{ searchAcrossEntities(input: ` + counting("{", "m%d: 1 ", "}", most) + `) { total } }`,
		"equal members of objects":      `{ searchAcrossEntities(input: ` + repeat("{", "query: 1 ", "}", most) + `) { total } }`,
		"variables":                     counting("query(", "$v%d: String ", ") { __typename }", most),
		"variables of lists":            "query($v: " + strings.Repeat("[", 2000) + "String" + strings.Repeat("]", 2000) + ") { __typename }",
		"directives":                    repeat("{ __typename ", "@include(if: true) ", "}", most),
		"directives that are not known": counting("{ __typename ", "@d%d ", "}", most),
		"operations":                    counting("", "query q%d { __typename } ", "", most),
		"equal operations":              repeat("", "query q { __typename } ", "", most),
		"comments":                      repeat("{ __typename ", "#\n", "}", most),
		"white space":                   repeat("{ __typename ", ", ", "}", most),
		"text with escapes":             `{ entity(urn: "` + repeat("", `\u0041`, "", most) + `") { urn } }`,
		"a block of lines":              `{ entity(urn: """` + repeat("", "\n  a", "", most) + `""") { urn } }`,
		"digits":                        `{ searchAcrossEntities(input: {query: "*", count: ` + repeat("", "9", "", most) + `}) { total } }`,
		"enumerations":                  `{ searchAcrossEntities(input: {query: "*", types: ` + repeat("[", "DATASETS ", "]", most) + `}) { total } }`,
		"no UTF-8":                      repeat("{ __typename ", "\xff", "}", most),
		"types in a schema":             counting("", "type T%d { a: Int } ", "", most),
		"names of types":                repeat("{", "__type(name: \"Dataset\") { fields { name } } ", "}", most),
		"meta fields everywhere":        counting("{", "a%d: __schema { types { fields { type { ofType { name } } } } } ", "}", most),
		"nested meta fields":            "{ __schema { types {" + strings.Repeat(" fields { type {", 24) + " name " + strings.Repeat("} }", 24) + "} } }" + repeat("", "#\n", "", most/4),
		"conditions of skipped fields":  counting("query($v: Boolean!) {", `a%d: entity(urn: "x") @skip(if: $v) { urn } `, "}", most),
		"ordinary fields with fragment": counting("{", "a%d: entity(urn: \"x\") { ...e } ", "} fragment e on Entity { urn }", most),
		"many of something ordinary":    counting("{", "a%d: "+entity, "}", most),
	}
}

func hostileVariables() map[string]string {
	out := map[string]string{}
	for name, text := range hostileJSON(long) {
		out["an input, "+name] = `{"u":[],"i":` + text + `}`
		out["a list, "+name] = `{"i":{"query":"*"},"u":` + text + `}`
		out["a variable that is not declared, "+name] = `{"i":{"query":"*"},"x":` + text + `}`
	}
	out["names"] = counting("{", `"v%d":1,`, `"i":{}}`, long)
	out["criteria"] = `{"u":[],"i":{"query":"*","orFilters":[{"and":[` + repeat("", `{"field":"a"},`, `{}`, long) + `]}]}}`
	out["wrong criteria"] = `{"u":[],"i":{"query":"*","orFilters":[{"and":[` + repeat("", `{"field":{}},`, `{}`, long) + `]}]}}`
	return out
}

func envelopes() map[string]string {
	out := map[string]string{}
	for name, text := range hostileJSON(long) {
		out[name] = text
		out["variables, "+name] = `{"query":"{ __typename }","variables":` + text + `}`
	}
	out["a document with escapes"] = repeat(`{"query":"{ __typename `, `\u0023\n`, `}"}`, long)
	return out
}

// bodyParsers returns parsers of bodies. The user may write nothing, so that only parsing is
// measured.
func bodyParsers(d *sender) []parsercost.Parser {
	proposals := func(part string) string { return counting(`{"proposals":[`, part, `]}`, long) }
	proposal := `{"entityType":"tag","entityUrn":"urn:li:tag:t%d","changeType":"UPSERT","aspectName":"tagProperties","aspect":{"contentType":"application/json","value":"{\"name\":\"a\"}"}},`
	hostile := func(begin, end string) map[string]string {
		out := map[string]string{}
		for name, text := range hostileJSON(long) {
			out[name] = begin + text + end
		}
		return out
	}
	row := func(name, path, ordinary string, worst map[string]string, fuzz ...string) parsercost.Parser {
		return parsercost.Parser{Name: name, Fuzz: fuzz, Around: true, Ordinary: ordinary, Worst: worst, Parse: d.body(path)}
	}
	ingest := hostile(`{"proposals":`, `}`)
	ingest["values with escapes"] = proposals(`{"entityType":"tag","entityUrn":"urn:li:tag:t%d","changeType":"UPSERT","aspectName":"tagProperties","aspect":{"contentType":"application/json","value":"` + strings.Repeat(`\u0041`, 200) + `"}},`)
	ingest["conditions"] = proposals(`{"entityType":"tag","entityUrn":"urn:li:tag:t%d","changeType":"UPSERT","aspectName":"tagProperties","aspect":{"value":"{}"},"headers":{` + counting("", `"h%d":"x",`, `"If-Version-Match":"1"`, 2000) + `}},`)
	ingest["system metadata"] = proposals(`{"entityType":"tag","entityUrn":"urn:li:tag:t%d","changeType":"UPSERT","aspectName":"status","aspect":{"value":"{}"},"systemMetadata":{"properties":{` + counting("", `"p%d":"x",`, `"a":"b"`, 2000) + `}}},`)
	filters := hostile(`{"entity":"dataset","input":"*","filter":{"or":[{"and":`, `}]}}`)
	filters["alternatives"] = `{"entity":"dataset","input":"*","filter":{"or":[` + repeat("", `{"and":[{"field":"a","value":"b"}]},`, `{}`, long) + `]}}`
	filters["values"] = `{"entity":"dataset","input":"*","filter":{"or":[{"and":[{"field":"a","values":[` + repeat("", `"a",`, `"a"`, 60_000) + `]}]}]}}`
	scroll := hostile(`{"entities":["dataset"],"filter":{"and":[{"criteria":`, `}]}}`)
	scroll["values"] = `{"entities":["dataset"],"filter":{"and":[{"criteria":[{"field":"a","values":[` + repeat("", `"a",`, `"a"`, 60_000) + `]}]}]}}`
	scroll["types"] = `{"entities":[` + repeat("", `"dataset",`, `"dataset"`, long) + `]}`
	tools := hostile(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"filters":`, `}}}`)
	tools["arguments that are not known"] = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":` + counting("{", `"a%d":1,`, `"query":"a"}`, long) + `}}`
	criterion := `{"field":"platform","condition":"EQUAL","values":["urn:li:dataPlatform:hive","urn:li:dataPlatform:kafka"]},`
	return []parsercost.Parser{
		row("proposals of Rest.li", "/aspects?action=ingestProposalBatch", proposals(proposal), ingest, "internal/transport/rest.FuzzReadProposals"),
		row("snapshots of Rest.li", "/entities?action=ingest", `{"entity":{"value":{"com.linkedin.metadata.snapshot.TagSnapshot":{"urn":"urn:li:tag:a","aspects":[{"com.linkedin.tag.TagProperties":{"name":"a","description":`+
			`"`+strings.Repeat("a description ", 5000)+`"}}]}}}}`, hostile(`{"entity":{"value":{"com.linkedin.metadata.snapshot.TagSnapshot":{"urn":"urn:li:tag:a","aspects":`, `}}}}`)),
		row("filters of Rest.li", "/entities?action=search", `{"entity":"dataset","input":"*","filter":{"or":[{"and":[`+repeat("", criterion, `{"field":"a","value":"b"}`, long)+`]}]}}`, filters),
		row("entities of OpenAPI", "/openapi/v3/entity/tag", counting("[", `{"urn":"urn:li:tag:t%d","tagProperties":{"value":{"name":"a"}}},`, "]", long), hostile(``, ``)),
		row("filters of OpenAPI", "/openapi/v3/entity/scroll", `{"entities":["dataset"],"filter":{"and":[{"criteria":[`+repeat("", criterion, `{"field":"a","value":"b"}`, long)+`]}]}}`, scroll),
		row("messages of MCP", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"*","filters":[`+repeat("", `{"field":"platform","values":["urn:li:dataPlatform:hive","urn:li:dataPlatform:kafka"]},`, `{"field":"a","values":["b"]}`, long)+`]}}}`, tools),
		{Name: "bodies of sign-ins", Fuzz: []string{"internal/transport/signin.FuzzBodies"}, Around: true, Ordinary: `{"userId":"jo","sessionToken":"` + strings.Repeat("a", 10_000) + `"}`, Worst: hostileSignIns(), Parse: d.body("/auth/generateSessionTokenForUser", "Authorization", apptest.Credential)},
		{Name: "names of users", Around: true, Ordinary: `{"userUrn":"urn:li:corpuser:jo@example.com","fullName":"Jo Doe","email":"jo@example.com","title":"Engineer","password":"long enough","inviteToken":"x","more":"` + strings.Repeat("a", 8000) + `"}`, Worst: hostileNames(), Parse: d.body("/auth/signUp", "Authorization", apptest.Credential)},
	}
}

func hostileSignIns() map[string]string {
	const most = 10_000
	out := map[string]string{}
	for name, text := range hostileJSON(most) {
		out[name] = text
	}
	return out
}

func hostileNames() map[string]string {
	out := map[string]string{}
	for script, letter := range map[string]string{"Latin": "a", "accents": "é", "marks": "a\u0301", "Han": "漢", "Hangul": "한", "Arabic": "ع", "several": "aéعก", "points": "a.", "wide": "ａ"} {
		name := repeat("", letter, "", 8000)
		out[script] = `{"userUrn":"urn:li:corpuser:` + name + `","fullName":"` + name + `","email":"` + name + `@example.com","title":"x","password":"long enough","inviteToken":"x"}`
	}
	return out
}

// addressParsers returns parsers of paths and parameters.
func addressParsers(d *sender) []parsercost.Parser {
	ids := func(part string) string { return repeat("", part, "", line) }
	return []parsercost.Parser{
		{Name: "lists of Rest.li", Fuzz: []string{"internal/transport/rest.FuzzListParam"}, Around: true, Ordinary: "List(" + strings.TrimSuffix(ids("urn%3Ali%3Atag%3Aa%2Cb,"), ",") + ")", Worst: map[string]string{
			"items": "List(" + ids("a,") + "a)", "parentheses": "List(" + ids("(") + ")", "pairs": "List(" + ids("()") + ")", "encoded": "List%28" + ids("a%2C") + "a%29", "repeated": ids("a&ids="), "percent signs": ids("%25"), "half a sign": ids("%"),
		}, Parse: d.raw("/entities?ids=")},
		{Name: "paths of Rest.li", Around: true, Ordinary: ids("urn%3Ali%3Adataset%3A%28a%2Cb%29"), Worst: map[string]string{"slashes": ids("/"), "encoded slashes": ids("%2F"), "parentheses": ids("("), "points": ids("../"), "commas": ids(",")}, Parse: d.raw("/aspects/")},
		{Name: "paths of OpenAPI", Fuzz: []string{"internal/transport/openapi.FuzzPathsKeepTheirURN"}, Around: true, Ordinary: ids("urn%3Ali%3Adataset%3A%28a%2Cb%29"), Worst: map[string]string{"slashes": ids("a/"), "empty parts": ids("//"), "encoded slashes": ids("%2F"), "parentheses": ids("(/"), "points": ids("../")}, Parse: d.raw("/openapi/v3/entity/dataset/")},
		{Name: "lists of OpenAPI", Fuzz: []string{"internal/transport/openapi/endpoint.FuzzListParameters"}, Around: true, Ordinary: ids("datasetProperties,"), Worst: map[string]string{"items": ids("a,"), "commas": ids(","), "repeated": ids("a&aspects="), "blanks": ids("+,"), "percent signs": ids("%2C")}, Parse: d.raw("/openapi/v3/entity/tag?aspects=")},
		{Name: "sorting of OpenAPI", Around: true, Ordinary: ids("name,"), Worst: map[string]string{"items": ids("a,"), "repeated": ids("a&sort=")}, Parse: d.raw("/openapi/v3/entity/tag?sort=")},
		{Name: "cursors of OpenAPI", Fuzz: []string{"internal/transport/openapi.FuzzCursors"}, Around: true, Ordinary: base64url(repeat("", "urn:li:tag:a ", "", 16_000)), Worst: map[string]string{"no base64": ids("*"), "zeros": ids("A"), "Han": base64url(repeat("", "漢", "", 16_000))}, Parse: d.parameter("/openapi/v3/entity/tag?scrollId=")},
		{Name: "scroll ids", Fuzz: []string{"internal/catalog/discover.FuzzScrollIDs"}, Around: true, Ordinary: base64url(`{"v":[` + repeat("", `"a",`, `"a"`, 16_000) + `]}`), Worst: map[string]string{"nesting": base64url(repeat("", "[", "", 16_000)), "numbers": base64url(repeat("[", "1,", "1]", 16_000)), "members": base64url(counting("{", `"m%d":1,`, `"a":1}`, 16_000)), "no base64": ids("*")},
			Parse: func(text string) {
				d.send(http.MethodPost, "/entities?action=scrollAcrossEntities", `{"entities":["tag"],"input":"*","scrollId":"`+text+`"}`)
			}},
		{Name: "trace ids", Fuzz: []string{"internal/transport/openapi/endpoint.FuzzTraceIDs"}, Around: true, Ordinary: ids("00063b40f2efa0001eca40cb746277be-"), Worst: map[string]string{"hyphens": ids("-"), "digits": ids("0"), "percent signs": ids("%41")}, Parse: func(text string) {
			d.send(http.MethodPost, "/openapi/v1/trace/write/"+text, `{}`)
		}},
		{Name: "parameters", Around: true, Ordinary: ids("name=value&"), Worst: map[string]string{"names": counting("", "a%d&", "", line), "equal names": ids("a&"), "semicolons": ids(";"), "percent signs": ids("%25"), "ampersands": ids("&")}, Parse: d.raw("/openapi/v3/entity/tag?")},
	}
}

// headerParsers returns parsers of headers.
func headerParsers(d *sender) []parsercost.Parser {
	value := func(part string) string { return repeat("", part, "", line) }
	jwt := base64url(`{"alg":"HS256","typ":"JWT"}`) + "." + base64url(repeat(`{"sub":"`, "a", `"}`, 12_000)) + "." + base64url(strings.Repeat("a", 32))
	tokens := map[string]string{
		"points": value("."), "zeros": value("A"), "a long first part": value("A") + ".a.a", "a long signature": "a.a." + value("A"), "claims": base64url(`{"alg":"HS256"}`) + "." + base64url(counting("{", `"m%d":1,`, `"a":1}`, 12_000)) + ".AAAA",
		"nested claims": base64url(`{"alg":"HS256"}`) + "." + base64url(repeat("", "[", "", 12_000)) + ".AAAA", "blanks": value(" a"), "commas": value("a,"),
	}
	key := forwarded.NewKey(config.Secret("a secret of tests that is long enough"))
	client, err := httpserver.ClientAddress([]string{"0.0.0.0/0", "::/0"})
	if err != nil {
		d.tb.Fatal(err)
	}
	return []parsercost.Parser{
		{Name: "access tokens", Fuzz: []string{"internal/auth/token.FuzzVerify"}, Around: true, Ordinary: jwt, Worst: tokens, Parse: func(text string) { d.send(http.MethodGet, "/config", "", "Authorization", "Bearer "+text) }},
		{Name: "credentials", Fuzz: []string{"internal/auth/authn.FuzzAuthenticate"}, Around: true, Ordinary: "Basic " + base64url(repeat("a:", "b", "", 12_000)), Worst: map[string]string{"schemes": value("Basic "), "blanks": value("a "), "colons": "Basic " + value(":"), "no base64": "Basic " + value("*")}, Parse: d.header("/openapi/v3/entity/tag/urn:li:tag:a", "Authorization")},
		{Name: "codings of answers", Fuzz: []string{"../pkg/explorer.FuzzAcceptEncoding"}, Around: true, Ordinary: value("gzip;q=0.5, br;q=1.0, "), Worst: map[string]string{"commas": value(","), "semicolons": value("br;"), "numbers": value("br;q=0."), "digits": "gzip;q=0." + value("9"), "stars": value("*,")}, Parse: d.header("/api/graphiql", "Accept-Encoding")},
		{Name: "ranges of answers", Around: true, Ordinary: "bytes=" + value("0-1, "), Worst: map[string]string{"overlapping": "bytes=" + value("0-,"), "digits": "bytes=0-" + value("9"), "commas": "bytes=" + value(",")}, Parse: d.header("/api/graphiql", "Range")},
		{Name: "lines of headers", Fuzz: []string{"../pkg/httpserver.FuzzHeaderLines"}, Around: true, Ordinary: value("some text "), Worst: map[string]string{"colons": value(":"), "tabs": value("\t:"), "commas": value(",")}, Parse: d.header("/config", "X-Something")},
		{Name: "media types", Around: true, Ordinary: "application/json; " + value("charset=utf-8; "), Worst: map[string]string{"parameters": "application/json" + counting("", ";a%d=1", "", line), "quotes": `application/json;a="` + value(`\"`), "continuations": "application/json" + counting("", ";a*%d=1", "", line), "encoded": "application/json;a*0*=utf-8''" + value("%41")}, Parse: func(text string) {
			d.send(http.MethodPost, "/api/graphql", `{"query":"{ __typename }"}`, "Content-Type", text, "Cookie", "a=b")
		}},
		{Name: "places in streams", Around: true, Ordinary: value("PlatformEvent_v1:12,"), Worst: map[string]string{"digits": value("9"), "commas": value(","), "colons": value(":")}, Parse: func(text string) {
			d.send(http.MethodGet, "/openapi/v1/events/poll?topic=PlatformEvent_v1&offsetId="+text, "")
		}},
		{Name: "addresses of clients", Fuzz: []string{"../pkg/forwarded.FuzzParseAddress"}, Ordinary: value("192.0.2.1, 2001:db8::1, "), Worst: map[string]string{"colons": value(":"), "commas": value(","), "zones": value("fe80::1%a,"), "brackets": value("["), "ports": value("1:1,"), "a long zone": "fe80::1%" + value("a")}, Parse: func(text string) {
			h := http.Header{"X-Forwarded-For": {text}, "X-Request-Id": {text}}
			client(&http.Request{RemoteAddr: "192.0.2.1:80", Header: h})
			key.Sign(h, text)
			key.Address(h)
		}},
	}
}
