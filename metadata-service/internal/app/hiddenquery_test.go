//go:build unix

package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// typeRef is a type in the form of introspection.
type typeRef struct {
	Kind, Name string
	OfType     *typeRef
}

func (r *typeRef) named() *typeRef {
	for r.OfType != nil {
		r = r.OfType
	}
	return r
}

type inputValue struct {
	Name         string
	Type         typeRef
	DefaultValue *string
}

type graphType struct {
	Kind, Name string
	Fields     []struct {
		Name string
		Args []inputValue
		Type typeRef
	}
	InputFields   []inputValue
	EnumValues    []struct{ Name string }
	PossibleTypes []struct{ Name string }
	Interfaces    []struct{ Name string }
}

// queryMaker creates a query for each field of each entity type.
type queryMaker struct {
	types map[string]*graphType
	of    *concealment
	about string // entity type of the URNs in arguments
}

const introspection = `{ __schema { types { kind name
  fields(includeDeprecated: true) { name args { name type { ...T } defaultValue } type { ...T } }
  inputFields { name type { ...T } defaultValue } enumValues { name } possibleTypes { name } interfaces { name } } } }
fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } }`

func newQueryMaker(t *testing.T, c *concealment) *queryMaker {
	t.Helper()
	var out struct {
		Data struct {
			Schema struct{ Types []*graphType } `json:"__schema"`
		}
	}
	if err := json.Unmarshal([]byte(operate(t, c.app, asTheSystem, introspection)), &out); err != nil {
		t.Fatal(err)
	}
	q := &queryMaker{types: map[string]*graphType{}, of: c}
	for _, typ := range out.Data.Schema.Types {
		q.types[typ.Name] = typ
	}
	return q
}

// queryDepth is the depth of selections: down to a reference in a list of records.
const queryDepth = 5

// queries returns a query for each field of each entity type, on the visible entity, and one for
// each query that finds entities.
func (c *concealment) queries(t *testing.T) []read {
	t.Helper()
	q := newQueryMaker(t, c)
	var all []read
	fields := 0
	add := func(name, document string) {
		body, _ := json.Marshal(map[string]string{"query": document})
		all = append(all, read{"graphql", name, http.MethodPost, "/api/graphql", string(body)})
	}
	root := q.types["Query"]
	for _, f := range root.Fields {
		q.about = c.typeIn(f.Name)
		selection, ok := q.field(root, f.Name, queryDepth)
		if !ok {
			t.Errorf("the query %s cannot be asked", f.Name)
		}
		body, _ := json.Marshal(map[string]string{"query": "{ " + selection + " }"})
		all = append(all, read{"graphql query " + f.Name, q.about, http.MethodPost, "/api/graphql", string(body)})
	}
	for _, entity := range c.registry.Entities() {
		q.about = entity.Name
		typ := q.entityType(entity.Name)
		if typ == nil {
			continue
		}
		for _, f := range typ.Fields {
			selection, ok := q.field(typ, f.Name, queryDepth)
			if !ok {
				continue
			}
			fields++
			add(typ.Name+"."+f.Name, fmt.Sprintf(`{ entities(urns: [%q]) { ... on %s { %s } } }`, c.seen[entity.Name], typ.Name, selection))
		}
		add("search of "+entity.Name, fmt.Sprintf(`{ searchAcrossEntities(input: {types: [%s], query: "*", start: 0, count: 5}) { searchResults { entity { urn } matchedFields { name value entity { urn } } extraProperties { name value } }
			facets { field displayName aggregations { value displayName entity { urn ... on Tag { name } } } } suggestions { text } } }`, q.enumOf(entity.Name)))
		add("marked search of "+entity.Name, fmt.Sprintf(`{ searchAcrossEntities(input: {types: [%s], query: %q, start: 0, count: 5, searchFlags: {includeRestricted: true}}) { searchResults { entity { urn type } matchedFields { name value entity { urn } } } } }`, q.enumOf(entity.Name), mark))
		add("aggregation over "+entity.Name, fmt.Sprintf(`{ aggregateAcrossEntities(input: {types: [%s], query: "*", facets: ["tags", "glossaryTerms", "domains", "container", "owners", "platform", "dataProducts", "applications", "browsePathV2", "upstreams", "structuredProperties.x1"]}) { facets { field aggregations { value displayName entity { urn } } } } }`, q.enumOf(entity.Name)))
		add("completion of "+entity.Name, fmt.Sprintf(`{ autoCompleteForMultiple(input: {types: [%s], query: %q}) { suggestions { suggestions entities { urn } } } }`, q.enumOf(entity.Name), mark[:4]))
		add("lineage of "+entity.Name, fmt.Sprintf(`{ searchAcrossLineage(input: {urn: %q, direction: UPSTREAM, query: "*", count: 10}) { searchResults { entity { urn type } paths { path { urn } } } } }`, c.seen[entity.Name]))
		add("browse of "+entity.Name, fmt.Sprintf(`{ browseV2(input: {type: %s, path: [], query: "*", start: 0, count: 10}) { groups { name entity { urn } } metadata { path } } }`, q.enumOf(entity.Name)))
		add("timeline of "+entity.Name, fmt.Sprintf(`{ getTimeline(input: {urn: %q, changeCategories: []}) { changeTransactions { changes { urn category operation description modifier parameters { key value } } } } }`, c.seen[entity.Name]))
	}
	if fields < 500 {
		t.Errorf("only %d fields of entity types are asked for", fields)
	}
	return all
}

// typeIn returns the entity type that is part of the name of a query, or dataset if there is none.
func (c *concealment) typeIn(query string) string {
	best := ""
	for name := range c.seen {
		if strings.Contains(strings.ToLower(query), strings.ToLower(name)) && len(name) > len(best) {
			best = name
		}
	}
	if best == "" {
		return "dataset"
	}
	return best
}

// entityType returns the GraphQL type of an entity type, or nil if there is none.
func (q *queryMaker) entityType(name string) *graphType {
	for _, typ := range q.types {
		isEntity := slices.ContainsFunc(typ.Interfaces, func(i struct{ Name string }) bool { return i.Name == "Entity" })
		if isEntity && (strings.EqualFold(typ.Name, name) || strings.EqualFold(typ.Name, graphNames[name])) {
			return typ
		}
	}
	return nil
}

// graphNames are GraphQL types whose names differ from those of their entity types.
var graphNames = map[string]string{
	"query": "QueryEntity", "dataType": "DataTypeEntity", "entityType": "EntityTypeEntity", "ownershipType": "OwnershipTypeEntity",
	"structuredProperty": "StructuredPropertyEntity", "schemaField": "SchemaFieldEntity", "dataHubIngestionSource": "IngestionSource",
	"dataHubExecutionRequest": "ExecutionRequest", "dataHubAccessToken": "AccessTokenMetadata", "service": "Service", "role": "Role",
}

// enumOf returns the entity type as an argument.
func (q *queryMaker) enumOf(name string) string {
	best := "DATASET"
	for _, v := range q.types["EntityType"].EnumValues {
		if strings.EqualFold(strings.ReplaceAll(v.Name, "_", ""), name) {
			best = v.Name
		}
	}
	return best
}

// field selects a field of a type with its subfields; it returns false if the field cannot be
// selected.
func (q *queryMaker) field(typ *graphType, name string, depth int) (string, bool) {
	i := slices.IndexFunc(typ.Fields, func(f struct {
		Name string
		Args []inputValue
		Type typeRef
	}) bool {
		return f.Name == name
	})
	f := typ.Fields[i]
	var args []string
	for _, a := range f.Args {
		if a.Type.Kind == "NON_NULL" && a.DefaultValue == nil || a.Name == "input" {
			args = append(args, a.Name+": "+q.argument(a.Name, &a.Type))
		}
	}
	out := name
	if len(args) > 0 {
		out += "(" + strings.Join(args, ", ") + ")"
	}
	of := q.types[f.Type.named().Name]
	if of == nil || of.Kind == "SCALAR" || of.Kind == "ENUM" {
		return out, true
	}
	below := q.selection(of, depth-1)
	return out + " { " + below + " }", below != ""
}

// selection selects all fields of a type, down to a depth. Of entities below the first one it
// selects URN and type.
func (q *queryMaker) selection(typ *graphType, depth int) string {
	isEntity := typ.Name == "Entity" || slices.ContainsFunc(typ.Interfaces, func(i struct{ Name string }) bool { return i.Name == "Entity" })
	switch {
	case isEntity:
		return "urn type"
	case typ.Kind == "UNION":
		parts := []string{"__typename"}
		for i, member := range typ.PossibleTypes {
			if below := q.selection(q.types[member.Name], depth-1); below != "" {
				// Members of a union may have fields of one name and different types.
				parts = append(parts, fmt.Sprintf("... on %s { m%d: __typename %s }", member.Name, i, q.aliased(member.Name, below)))
			}
		}
		return strings.Join(parts, " ")
	case depth <= 0:
		return ""
	}
	var parts []string
	for _, f := range typ.Fields {
		if below, ok := q.field(typ, f.Name, depth); ok {
			parts = append(parts, below)
		}
	}
	return strings.Join(parts, " ")
}

// aliased selects the URN of entities in a union, which all members share, and omits the fields
// that would conflict.
func (q *queryMaker) aliased(member, below string) string {
	if below == "urn type" {
		return below
	}
	var parts []string
	for _, f := range q.types[member].Fields {
		if of := q.types[f.Type.named().Name]; of != nil && (of.Kind == "SCALAR" || of.Kind == "ENUM") && len(f.Args) == 0 {
			parts = append(parts, strings.ToLower(member)+"_"+f.Name+": "+f.Name)
		}
	}
	return strings.Join(parts, " ")
}

// argument returns a value for an argument or a member of an input.
func (q *queryMaker) argument(name string, t *typeRef) string {
	switch t.Kind {
	case "NON_NULL":
		return q.argument(name, t.OfType)
	case "LIST":
		if name == "types" && t.named().Name == "String" {
			return `["` + strings.Join(q.of.relationships(), `", "`) + `"]`
		}
		return "[" + q.argument(name, t.OfType) + "]"
	}
	switch t.Name {
	case "Int", "Long", "Float":
		return "10"
	case "Boolean":
		return "true"
	case "String", "ID":
		if strings.Contains(strings.ToLower(name), "urn") {
			return fmt.Sprintf("%q", q.of.seen[q.about])
		}
		return `"*"`
	}
	of := q.types[t.Name]
	if of != nil && of.Kind == "ENUM" {
		if len(of.EnumValues) > 1 && of.Name == "RelationshipDirection" {
			return "OUTGOING"
		}
		return of.EnumValues[0].Name
	}
	var members []string
	for _, f := range of.InputFields {
		if f.Type.Kind == "NON_NULL" && f.DefaultValue == nil || f.Name == "types" && f.Type.named().Name == "String" || f.Name == "direction" {
			members = append(members, f.Name+": "+q.argument(f.Name, &f.Type))
		}
	}
	return "{" + strings.Join(members, ", ") + "}"
}
