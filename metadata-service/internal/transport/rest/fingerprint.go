package rest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// Fingerprint returns a short string that changes whenever the model changes, or one of the given
// facts, such as the version of the binary and of the GraphQL schema.
func Fingerprint(r *model.Registry, facts ...string) string {
	h := sha256.New()
	for _, name := range r.Types() {
		t, _ := r.Type(name)
		hashType(h, name, t)
	}
	for _, a := range r.Aspects() {
		fmt.Fprintln(h, a.Name, a.Record.Name, a.Timeseries, a.SchemaVersion, a.Entities)
		// The other members are plain data; types are recursive and were hashed above.
		text, _ := json.Marshal([]any{a.Search, a.Relationships, a.SearchReferences, a.URNs, a.Stats, a.Collections, a.Patch})
		h.Write(text)
	}
	for _, e := range r.Entities() {
		fmt.Fprintln(h, e.Name, e.Category, e.SearchGroup, e.ServerDefaults)
		for _, part := range e.KeyParts {
			fmt.Fprintln(h, part.Name, typeText(part.Type))
		}
		for _, a := range e.All() {
			fmt.Fprintln(h, a.Name)
		}
	}
	fmt.Fprintf(h, "%q", facts)
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func hashType(h hash.Hash, name string, t *model.Type) {
	fmt.Fprintln(h, name, t.Shape, t.Alias, t.Addresses, t.Symbols, t.Size)
	for _, f := range t.Fields {
		fmt.Fprintln(h, f.Name, typeText(f.Type), f.Optional, f.HasDefault, f.Deprecated)
		if f.HasDefault {
			h.Write(jsontree.Encode(f.Default))
		}
	}
}

// typeText describes a type down to the named types in it, which end the recursion.
func typeText(t *model.Type) string {
	if t.Name != "" {
		return t.Name
	}
	var b strings.Builder
	fmt.Fprint(&b, t.Shape, t.Addresses)
	if t.Elem != nil {
		b.WriteString("[" + typeText(t.Elem) + "]")
	}
	for _, m := range t.Members {
		b.WriteString("|" + m.Key + ":" + typeText(m.Type))
	}
	return b.String()
}
