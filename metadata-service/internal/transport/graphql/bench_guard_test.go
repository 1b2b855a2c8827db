package graphql_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
)

// BenchmarkRefusal sends documents that expand exponentially, each time with a new text. The goal
// is 20 ms for each.
func BenchmarkRefusal(b *testing.B) {
	engine, world := newEngine(b)
	ctx := world.As(b, servicetest.Root)
	for _, bomb := range []page{
		{name: "fragments that double", document: doublingFragments(20)},
		{name: "a chain of relations", document: `{ entity(urn: "urn:li:tag:x") { ` + strings.Repeat(`relationships(input: {types: [], direction: INCOMING, start: 0, count: 9}) { relationships { entity { `, 40) + "urn" + strings.Repeat(" } } }", 40) + ` } }`},
		{name: "10,000 aliases", document: `{ tag(urn: "urn:li:tag:x") { ` + aliases(10_000) + ` } }`},
		{name: "a megabyte", document: `{ tag(urn: "urn:li:tag:x") { ` + strings.Repeat("name ", 200_000) + ` } }`},
		{name: "introspection of introspection", document: `{ __schema { types { ` + strings.Repeat("fields { type { ", 30) + "name" + strings.Repeat(" } }", 30) + ` } } }`},
	} {
		b.Run(bomb.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				done := engine.Exec(ctx, graphql.Request{Query: fmt.Sprintf("%s#%d", bomb.document, i)})
				if len(done.Errors) == 0 || done.Data != nil {
					b.Fatalf("it is answered: %.200s", done.Data)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1000, "ms/refusal")
		})
	}
}

// doublingFragments returns n fragments that each spread the next one under two keys.
func doublingFragments(n int) string {
	var b strings.Builder
	b.WriteString(`{ glossaryNode(urn: "urn:li:glossaryNode:x") { ...F0 } }`)
	for i := range n {
		fmt.Fprintf(&b, " fragment F%d on GlossaryNode { a: parentNodes { nodes { ...F%d } } b: parentNodes { nodes { ...F%d } } }", i, i+1, i+1)
	}
	fmt.Fprintf(&b, " fragment F%d on GlossaryNode { urn }", n)
	return b.String()
}

func aliases(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d: name ", i)
	}
	return b.String()
}

// BenchmarkIntrospection sends the first query of explorers and generators. The goal is 5 ms.
func BenchmarkIntrospection(b *testing.B) {
	engine, world := newEngine(b)
	ctx := world.As(b, servicetest.Root)
	b.ReportAllocs()
	for b.Loop() {
		if done := engine.Exec(ctx, graphql.Request{Query: introspectionQuery, OperationName: "IntrospectionQuery"}); len(done.Errors) > 0 {
			b.Fatal(done.Errors)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1000, "ms/answer")
}

const introspectionQuery = `query IntrospectionQuery {
  __schema {
    queryType { name } mutationType { name } subscriptionType { name }
    types { ...FullType }
    directives { name description locations args(includeDeprecated: true) { ...InputValue } }
  }
}
fragment FullType on __Type {
  kind name description specifiedByURL
  fields(includeDeprecated: true) { name description args(includeDeprecated: true) { ...InputValue } type { ...TypeRef } isDeprecated deprecationReason }
  inputFields(includeDeprecated: true) { ...InputValue }
  interfaces { ...TypeRef }
  enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
  possibleTypes { ...TypeRef }
}
fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue isDeprecated deprecationReason }
fragment TypeRef on __Type {
  kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } }
}`
