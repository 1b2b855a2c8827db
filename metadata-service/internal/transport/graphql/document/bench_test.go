package document_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	graphql "github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
)

// wideSchema has an interface with n object types, like the entities of the catalog.
func wideSchema(n int) string {
	var b strings.Builder
	b.WriteString("type Query{entity:Entity} interface Entity{urn:String! related:[Entity!]}")
	for i := range n {
		fmt.Fprintf(&b, " type T%d implements Entity{urn:String! related:[Entity!] name:String info:Info note(lang:String):String}", i)
	}
	b.WriteString(" type Info{text:String time:Int owner:Entity}")
	return b.String()
}

// wideDocument has the shape of a page's query: a fragment of shared fields, and for each of n
// types one condition that selects fields of that type.
func wideDocument(n int) string {
	var b strings.Builder
	b.WriteString("query Page($l:String!=\"en\"){entity{...Base related{...Base}")
	for i := range n {
		fmt.Fprintf(&b, "...on T%d{name info{text time owner{urn}} note(lang:$l) related{urn}}", i)
	}
	b.WriteString("}} fragment Base on Entity{urn ...on T0{name} ...on T1{info{text}}}")
	return b.String()
}

// BenchmarkStage measures, for each size, the compilation of a new text, the compilation of a
// cached text, and the work of the library on the staged text before it executes.
func BenchmarkStage(b *testing.B) {
	for _, n := range []int{20, 80, 250} {
		source := wideSchema(n)
		schema := gqlparser.MustLoadSchema(&ast.Source{Input: source})
		lib := graphql.MustParseSchema(source, nil)
		text := wideDocument(n)
		stage := func(b *testing.B) *document.Stage {
			s, err := document.New(document.Config{Schema: schema, MaxCost: 10_000}) // more than clients may request
			if err != nil {
				b.Fatal(err)
			}
			return s
		}
		b.Run(fmt.Sprintf("types=%d/cold", n), func(b *testing.B) {
			s := stage(b)
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for i := 0; b.Loop(); i++ {
				if _, errs := s.Compile(fmt.Sprintf("%s#%d", text, i), ""); errs != nil {
					b.Fatal(errs)
				}
			}
		})
		b.Run(fmt.Sprintf("types=%d/cached", n), func(b *testing.B) {
			s := stage(b)
			b.ReportAllocs()
			for b.Loop() {
				doc, errs := s.Compile(text, "")
				if errs != nil {
					b.Fatal(errs)
				}
				if _, errs := doc.Variables(json.RawMessage(`{"l":"de"}`)); errs != nil {
					b.Fatal(errs)
				}
			}
		})
		b.Run(fmt.Sprintf("types=%d/library-validation", n), func(b *testing.B) {
			doc, errs := stage(b).Compile(text, "")
			if errs != nil {
				b.Fatal(errs)
			}
			vars, _ := doc.Variables(nil)
			b.ReportAllocs()
			for b.Loop() {
				if errs := lib.ValidateWithVariables(doc.Text(), vars); len(errs) > 0 {
					b.Fatal(errs)
				}
			}
		})
	}
}

func BenchmarkSmallRequest(b *testing.B) {
	s, lib := newStage(b), newLibrary(b)
	b.ReportAllocs()
	for b.Loop() {
		doc, errs := s.Compile(`query Q($v:String!){both(a:$v)}`, "Q")
		if errs != nil {
			b.Fatal(errs)
		}
		vars, errs := doc.Variables(json.RawMessage(`{"v":"x"}`))
		if errs != nil {
			b.Fatal(errs)
		}
		if r := lib.Exec(context.Background(), doc.Text(), "Q", vars); len(r.Errors) > 0 {
			b.Fatal(r.Errors)
		}
	}
}

// BenchmarkRefusal measures documents designed to be expensive.
func BenchmarkRefusal(b *testing.B) {
	for name, text := range map[string]string{
		"explosion in fields":     doublingFragments(40, "a:kids{...F%d} b:kids{...F%d}"),
		"explosion in conditions": doublingFragments(40, "...on Titled{...F%d} ...on Media{...F%d} id"),
		"narrowed fields":         "{node" + nestedDocument("child", "id", 40) + "}",
		"10,000 aliases":          "{node{" + repeatFormat("a%d:id ", 10_000) + "}}",
		"a megabyte of braces":    strings.Repeat("{", 1<<20),
		"braces up to the limit":  strings.Repeat("{a", 200<<10),
		"10,000 unknown fields":   "{node{" + repeatFormat("x%d ", 10_000) + "}}",
		"a chain of fragments":    "{node{...F0}}" + fragmentChain(600),
	} {
		b.Run(name, func(b *testing.B) {
			s := newStage(b)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, errs := s.Compile(fmt.Sprintf("%s#%d", text, i), ""); errs == nil && name != "explosion in conditions" && name != "a chain of fragments" {
					b.Fatal("accepted")
				}
			}
		})
	}
}
