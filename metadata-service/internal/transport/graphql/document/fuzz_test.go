package document_test

import (
	"encoding/json"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
)

// standardIntrospection is the first query of most tools.
const standardIntrospection = `query IntrospectionQuery{__schema{queryType{name}mutationType{name}subscriptionType{name}types{...FullType}directives{name description locations args{...InputValue}}}}
fragment FullType on __Type{kind name description fields(includeDeprecated:true){name description args{...InputValue}type{...TypeRef}isDeprecated deprecationReason}inputFields{...InputValue}interfaces{...TypeRef}enumValues(includeDeprecated:true){name description isDeprecated deprecationReason}possibleTypes{...TypeRef}}
fragment InputValue on __InputValue{name description type{...TypeRef}defaultValue}
fragment TypeRef on __Type{kind name ofType{kind name ofType{kind name ofType{kind name ofType{kind name ofType{kind name ofType{kind name ofType{kind name}}}}}}}}`

func TestStandardIntrospectionPasses(t *testing.T) {
	t.Parallel()
	doc := mustCompile(t, newStage(t), standardIntrospection)
	if !doc.Introspection() {
		t.Error("not seen as introspection")
	}
	dataOf(t, execute(t, newLibrary(t), doc, ""))
}

// FuzzCompile searches for texts that make the stage panic, and for staged texts that the library
// refuses.
func FuzzCompile(f *testing.F) {
	for _, text := range []string{
		standardIntrospection,
		`query Q($l:String!="z",$y:Boolean=true){nodes{...on Book{x:note(lang:$l)}...on Titled@include(if:$y){title ...on Node{child{id ...F}}}}}fragment F on Node{...on Person{child{name}}...on Film{x:note(lang:"b")rank}}`,
		`{search(in:{text:"a",range:{start:null},tags:["\u00e9",5]}) long(n:9007199254740993) node{id @skip(if:true)}}`,
		`mutation M($n:String!){add(name:$n){id ...on Titled{related{__typename}}}}`,
		`{any{...on Media{__typename ...on Node{rank}}...on Book{rank}}}`,
		"{text(s:\"\"\"\n  block\n\"\"\")}",
		`query A($v:[String!]=[]){texts(l:$v)} query B{int(n:"5")}`,
	} {
		f.Add(text, "")
	}
	f.Add(`query A{int} mutation B{fail}`, "B")
	stage := newStage(f, func(c *document.Config) { c.MaxExpanded, c.MaxBytes, c.CacheBytes = 5000, 4096, 1 })
	lib := newLibrary(f)
	f.Fuzz(func(t *testing.T, text, operation string) {
		doc, errs := stage.Compile(text, operation)
		if (doc == nil) != (len(errs) > 0) {
			t.Fatalf("document %v with errors %v", doc, errs)
		}
		if doc == nil {
			return
		}
		values, errs := doc.Variables(json.RawMessage(nil))
		if errs != nil {
			return
		}
		if errs := lib.ValidateWithVariables(doc.Text(), values); len(errs) > 0 {
			t.Fatalf("%s\nstaged as %s\nis refused: %v", text, doc.Text(), errs)
		}
		doc.Location([]any{"node", 0, "id"})
	})
}

// FuzzVariables searches for variables that make the stage panic, and for values that the stage
// accepts and the library refuses.
func FuzzVariables(f *testing.F) {
	for _, vars := range []string{
		`{"in":{"text":1,"range":{"start":"2"},"since":"9007199254740993","tags":"x","color":"RED","weight":"1e3","exact":"true","id":4},"n":null}`,
		`{"in":{"text":"a","range":null},"n":1e2,"l":[1,true,"x"]}`,
		`[]`, `null`, ``, `{"in":`, `{"n":1e999999}`, `{"in":{"text":[]}}`,
	} {
		f.Add(vars)
	}
	stage := newStage(f, func(c *document.Config) { c.IgnoreUnknownVariables = true })
	lib := newLibrary(f)
	doc := mustCompile(f, stage, `query($in:Search={text:"d"},$n:Int,$g:Long=5,$l:[String!],$f:Float,$b:Boolean=true){
		a:search(in:$in) b:search(in:{text:"x",range:{start:$n},tags:$l,weight:$f,since:$g}) int(n:$n) needed(n:$n) long(n:$g) texts(l:$l) bool(b:$b) @include(if:$b)}`)
	f.Fuzz(func(t *testing.T, vars string) {
		values, errs := doc.Variables(json.RawMessage(vars))
		if len(errs) > 0 {
			return
		}
		if r := lib.Exec(t.Context(), doc.Text(), "", values); len(r.Errors) > 0 {
			t.Fatalf("%s became %v: %v", vars, values, r.Errors)
		}
	})
}
