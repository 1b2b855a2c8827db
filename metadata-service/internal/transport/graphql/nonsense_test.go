package graphql_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
	"github.com/cartulary/cartulary/pkg/urn"
)

// TestNonsenseIsAnswered calls every operation with meaningless arguments, as the administrator
// and as an ordinary user. The response may be an error that states the problem, but must not be
// a defect: no SERVER_ERROR, no panic, and no null in a non-null field.
func TestNonsenseIsAnswered(t *testing.T) {
	t.Parallel()
	types := schemaByIntrospection(t)
	for _, actor := range []urn.URN{servicetest.Root, servicetest.Jo} {
		t.Run(actor.Key(), func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			engine, world := newEngineWith(t, func(c *graphql.Config) {
				c.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelError}))
			})
			seed(t, world)
			for _, n := range nonsense() {
				n.types = types
				for kind, root := range map[string]string{"query": "Query", "mutation": "Mutation"} {
					for _, operation := range types[root].Fields {
						if n.round >= n.choices(operation.Args, 0) || n.round > 0 && actor != servicetest.Root {
							continue // executed before, or without further information
						}
						document, variables := n.call(t, kind, operation)
						done := engine.Exec(world.As(t, actor), graphql.Request{Query: document, Variables: variables})
						if why := defect(done); why != "" {
							t.Errorf("%s with %s: %s\n%.500s", operation.Name, n.name, why, variables)
						}
					}
				}
			}
			if log.Len() > 0 {
				t.Errorf("logged: %.5000s", log.String())
			}
		})
	}
}

// defect describes the defect in the response to a valid document, "" when there is none.
func defect(done graphql.Response) string {
	for _, e := range done.Errors {
		kind, _ := e.Extensions["classification"].(string)
		code, _ := e.Extensions["code"].(int)
		if kind != "DataFetchingException" || code >= 500 || e.Message == "" {
			return fmt.Sprintf("%.300s %v at %v", e.Message, e.Extensions, e.Path)
		}
		if len(e.Message) > 4<<10 {
			return fmt.Sprintf("a message of %d bytes: %.200s", len(e.Message), e.Message)
		}
	}
	return ""
}

// nonsensical builds arguments of one sort from the schema.
type nonsensical struct {
	name    string
	types   map[string]introspectedType
	text    string
	number  int64
	yes     bool
	entries int  // of lists
	sparse  bool // only required members
	round   int  // index of the enum values
}

func nonsense() []nonsensical {
	out := []nonsensical{
		{name: "nothing", sparse: true},
		{name: "empty lists and texts"},
		{name: "negative numbers", text: "*", number: -1, entries: 1},
		{name: "the smallest number", text: " ", number: math.MinInt32, entries: 1},
		{name: "the largest number", text: "urn:li:tag:pii", number: math.MaxInt32, entries: 2, yes: true},
		{name: "half a URN", text: "urn:li:dataset:(urn:li:dataPlatform:postgres,", number: 1, entries: 1},
		{name: "a URN of nothing", text: "urn:li:nothing:x", number: 1, entries: 1},
		{name: "NUL", text: "urn:li:tag:a\x00b", number: 1, entries: 1},
		{name: "bytes that are no UTF-8", text: "urn:li:tag:\xff\xfe", number: 1, entries: 1},
		{name: "no URN at all", text: `{"a":[1,"\u0000 %s ${x} ../.. <script>"]}`, number: 7, entries: 3},
		{name: "a long text", text: strings.Repeat("long ", 2<<10), number: 3, entries: 1},
		{name: "a long URN", text: "urn:li:corpuser:" + strings.Repeat("l", 8<<10), number: 3, entries: 1, sparse: true},
		{name: "many entries", text: "urn:li:tag:pii", number: 1, entries: 4},
	}
	for i, u := range []string{
		"urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)", "urn:li:dashboard:(looker,sales)", "urn:li:corpuser:mia", "urn:li:corpGroup:analysts",
		"urn:li:glossaryTerm:revenue", "urn:li:glossaryNode:finance", "urn:li:domain:shop", "urn:li:dataProduct:sales", "urn:li:dataHubSecret:x",
		"urn:li:dataHubAccessToken:x", "urn:li:dataHubPolicy:1", "urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD),id)",
	} {
		out = append(out, nonsensical{name: "everywhere " + u, text: u, number: int64(i), entries: 1, yes: i%2 == 0, sparse: i%2 == 0})
	}
	for round := range 80 { // more than the values of any enum
		out = append(out, nonsensical{name: fmt.Sprintf("value %d of enums", round), text: "urn:li:tag:pii", number: 1, entries: 1, round: round})
	}
	return out
}

// choices is the number of values of the largest enum in the arguments, 1 when they have none.
// Lists of an enum contain all of its values at once.
func (n nonsensical) choices(args []introspectedField, depth int) int {
	most := 1
	for _, a := range args {
		named, inList := &a.Type, false
		for named.OfType != nil {
			inList = inList || named.Kind == "LIST"
			named = named.OfType
		}
		of := n.types[named.Name]
		if !inList {
			most = max(most, len(of.EnumValues))
		}
		if depth < maxNesting {
			most = max(most, n.choices(of.InputFields, depth+1))
		}
	}
	return most
}

// call returns a document that calls an operation, and its variables.
func (n nonsensical) call(t *testing.T, kind string, operation introspectedField) (string, json.RawMessage) {
	t.Helper()
	var declared, passed []string
	variables := map[string]any{}
	for _, a := range operation.Args {
		if n.sparse && a.Type.Kind != "NON_NULL" {
			continue
		}
		declared = append(declared, "$"+a.Name+": "+a.Type.String())
		passed = append(passed, a.Name+": $"+a.Name)
		variables[a.Name] = n.value(&a.Type, 0)
	}
	document := kind
	arguments := ""
	if len(declared) > 0 {
		document += "(" + strings.Join(declared, ", ") + ")"
		arguments = "(" + strings.Join(passed, ", ") + ")"
	}
	document += " { " + operation.Name + arguments + n.selection(operation) + " }"
	text, err := json.Marshal(variables)
	if err != nil {
		t.Fatal(err)
	}
	return document, text
}

func (n nonsensical) selection(operation introspectedField) string {
	named := &operation.Type
	for named.OfType != nil {
		named = named.OfType
	}
	switch of := n.types[named.Name]; {
	case of.Kind == "OBJECT" && n.round == 0:
		return " " + selectAllFields(n.types, of, 1)
	case slices.Contains([]string{"OBJECT", "INTERFACE", "UNION"}, of.Kind):
		return " { __typename }"
	}
	return ""
}

// maxNesting is the depth to which recursive inputs are filled.
const maxNesting = 3

func (n nonsensical) value(of *introspectedRef, depth int) any {
	switch of.Kind {
	case "NON_NULL":
		return n.value(of.OfType, depth)
	case "LIST":
		if element := strings.Trim(of.OfType.String(), "!"); n.entries > 0 && n.types[element].Kind == "ENUM" {
			return names(n.types[element].EnumValues)
		}
		list := make([]any, 0, n.entries)
		for range n.entries {
			list = append(list, n.value(of.OfType, depth))
		}
		return list
	case "ENUM":
		values := n.types[of.Name].EnumValues
		return values[n.round%len(values)].Name
	case "INPUT_OBJECT":
		out := map[string]any{}
		for _, f := range n.types[of.Name].InputFields {
			if required := f.Type.Kind == "NON_NULL"; required || !n.sparse && depth < maxNesting {
				out[f.Name] = n.value(&f.Type, depth+1)
			}
		}
		return out
	}
	switch of.Name {
	case "Int", "Long", "Float":
		return n.number
	case "Boolean":
		return n.yes
	}
	return n.text
}

func names(values []struct{ Name, Description string }) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = v.Name
	}
	return out
}
