package graphql_test

import (
	"context"
	"encoding/json"

	graphqlgo "github.com/graphql-go/graphql"

	"github.com/cartulary/cartulary/pkg/urn"
)

// peer is graphql-go/graphql with a schema reduced to the fields of the two pages. A root field
// reads all data at once; the other fields are members of structs.
type peer struct{ schema graphqlgo.Schema }

func newPeer(reads pageReads) (peer, error) {
	text, never, number := graphqlgo.String, graphqlgo.NewNonNull(graphqlgo.String), graphqlgo.NewNonNull(graphqlgo.Int)
	entity := graphqlgo.NewInterface(graphqlgo.InterfaceConfig{Name: "Entity", Fields: graphqlgo.Fields{"urn": {Type: never}, "type": {Type: never}}})
	object := func(name string, fields graphqlgo.Fields, interfaces ...*graphqlgo.Interface) *graphqlgo.Object {
		return graphqlgo.NewObject(graphqlgo.ObjectConfig{Name: name, Fields: fields, Interfaces: interfaces})
	}
	platform := object("DataPlatform", graphqlgo.Fields{
		"urn": {Type: never}, "name": {Type: never}, "properties": {Type: object("DataPlatformProperties", graphqlgo.Fields{"displayName": {Type: text}})},
	})
	dataset := peerDataset(entity, platform)
	title := func(kind string) *graphqlgo.Object {
		return object(kind, graphqlgo.Fields{
			"urn": {Type: never}, "type": {Type: never}, "platform": {Type: platform},
			"properties": {Type: object(kind+"Properties", graphqlgo.Fields{"name": {Type: never}, "description": {Type: text}})},
		}, entity)
	}
	dashboard, chart := title("Dashboard"), title("Chart")
	types := map[string]*graphqlgo.Object{"DASHBOARD": dashboard, "CHART": chart}
	entity.ResolveType = func(p graphqlgo.ResolveTypeParams) *graphqlgo.Object {
		if titled, ok := p.Value.(*hitTitled); ok {
			return types[titled.Type]
		}
		return dataset
	}
	found := object("SearchResults", graphqlgo.Fields{
		"start": {Type: number}, "count": {Type: number}, "total": {Type: number},
		"searchResults": {Type: graphqlgo.NewList(object("SearchResult", graphqlgo.Fields{
			"entity":        {Type: entity},
			"matchedFields": {Type: graphqlgo.NewList(object("MatchedField", graphqlgo.Fields{"name": {Type: never}, "value": {Type: never}}))},
		}))},
	})
	schema, err := graphqlgo.NewSchema(graphqlgo.SchemaConfig{Types: []graphqlgo.Type{dataset, dashboard, chart}, Query: object("Query", graphqlgo.Fields{
		"dataset": {Type: dataset, Args: graphqlgo.FieldConfigArgument{"urn": {Type: never}}, Resolve: func(p graphqlgo.ResolveParams) (any, error) {
			return reads.dataset(p.Context, urn.URN(p.Args["urn"].(string)))
		}},
		"searchAcrossEntities": {Type: found, Args: graphqlgo.FieldConfigArgument{"input": {Type: graphqlgo.NewNonNull(peerInput())}}, Resolve: func(p graphqlgo.ResolveParams) (any, error) {
			given := p.Args["input"].(map[string]any)
			in := searchRequest{Query: given["query"].(string), Start: given["start"].(int), Count: given["count"].(int)}
			for _, t := range given["types"].([]any) {
				in.Types = append(in.Types, t.(string))
			}
			return reads.search(p.Context, in)
		}},
	})})
	return peer{schema}, err
}

func peerDataset(entity *graphqlgo.Interface, platform *graphqlgo.Object) *graphqlgo.Object {
	text, never := graphqlgo.String, graphqlgo.NewNonNull(graphqlgo.String)
	object := func(name string, fields graphqlgo.Fields) *graphqlgo.Object {
		return graphqlgo.NewObject(graphqlgo.ObjectConfig{Name: name, Fields: fields})
	}
	user := object("CorpUser", graphqlgo.Fields{"urn": {Type: never}, "username": {Type: never}})
	group := object("CorpGroup", graphqlgo.Fields{"urn": {Type: never}, "name": {Type: never}})
	owner := graphqlgo.NewUnion(graphqlgo.UnionConfig{Name: "OwnerType", Types: []*graphqlgo.Object{user, group}, ResolveType: func(p graphqlgo.ResolveTypeParams) *graphqlgo.Object {
		if _, ok := p.Value.(*shownGroup); ok {
			return group
		}
		return user
	}})
	entry := object("CustomPropertiesEntry", graphqlgo.Fields{"key": {Type: never}, "value": {Type: text}})
	properties := object("DatasetProperties", graphqlgo.Fields{
		"name": {Type: never}, "description": {Type: text}, "qualifiedName": {Type: text}, "externalUrl": {Type: text}, "customProperties": {Type: graphqlgo.NewList(entry)},
	})
	ownership := object("Ownership", graphqlgo.Fields{"owners": {Type: graphqlgo.NewList(object("Owner", graphqlgo.Fields{"type": {Type: text}, "owner": {Type: owner}}))}})
	tag := object("Tag", graphqlgo.Fields{"urn": {Type: never}, "name": {Type: never}})
	tags := object("GlobalTags", graphqlgo.Fields{"tags": {Type: graphqlgo.NewList(object("TagAssociation", graphqlgo.Fields{"tag": {Type: tag}}))}})
	return graphqlgo.NewObject(graphqlgo.ObjectConfig{Name: "Dataset", Interfaces: []*graphqlgo.Interface{entity}, Fields: graphqlgo.Fields{
		"urn": {Type: never}, "type": {Type: never}, "name": {Type: never}, "platform": {Type: platform},
		"properties": {Type: properties}, "ownership": {Type: ownership}, "tags": {Type: tags},
	}})
}

func peerInput() *graphqlgo.InputObject {
	text := graphqlgo.NewNonNull(graphqlgo.String)
	return graphqlgo.NewInputObject(graphqlgo.InputObjectConfig{Name: "SearchAcrossEntitiesInput", Fields: graphqlgo.InputObjectConfigFieldMap{
		"types": {Type: graphqlgo.NewList(text)}, "query": {Type: text}, "start": {Type: graphqlgo.Int}, "count": {Type: graphqlgo.Int},
	}})
}

func (p peer) exec(ctx context.Context, asked page) ([]byte, error) {
	var variables map[string]any
	if err := json.Unmarshal([]byte(asked.variables), &variables); err != nil {
		return nil, err
	}
	done := graphqlgo.Do(graphqlgo.Params{Schema: p.schema, RequestString: asked.document, VariableValues: variables, Context: ctx})
	if len(done.Errors) > 0 {
		return nil, done.Errors[0]
	}
	return json.Marshal(done.Data)
}
