package mcp

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Texts are cut to these numbers of characters: shortText in lists, longText where a single
// entity is read.
const (
	shortText      = 300
	longText       = 4000
	truncationMark = "… (cut)"
)

// Asset is an entity in a list.
type Asset struct {
	URN         string `json:"urn"`
	Type        string `json:"type"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Platform    string `json:"platform,omitempty"`
	Deprecated  bool   `json:"deprecated,omitempty"`
}

// briefs states, for each entity type, the aspects that contain its name and description.
type briefs map[string]brief

type brief struct {
	names, descriptions []place
	aspects             []string // those of the places, and aspects that every type may have
}

// place is a member of an aspect.
type place struct{ aspect, member string }

const (
	deprecationAspect = "deprecation"
	platformAspect    = "dataPlatformInstance"
	// nameAlias is the index field for sorting entities by name.
	nameAlias = "_entityName"
)

// briefsOf finds the places among the searchable members.
func briefsOf(r *model.Registry) briefs {
	all := briefs{}
	for _, entity := range r.Entities() {
		b := brief{aspects: []string{deprecationAspect, platformAspect}}
		order := map[place]int{}
		for _, aspect := range entity.Aspects {
			for _, f := range aspect.Search {
				at := place{aspect.Name, strings.TrimPrefix(f.Path, "/")}
				order[at] = rank(aspect, f)
				switch at.member {
				case "name", "displayName", "title":
					b.names = append(b.names, at)
				case "description", "definition":
					b.descriptions = append(b.descriptions, at)
				default:
					continue
				}
				b.aspects = append(b.aspects, aspect.Name)
			}
		}
		for _, list := range [][]place{b.names, b.descriptions} {
			slices.SortStableFunc(list, func(x, y place) int { return order[x] - order[y] })
		}
		all[entity.Name] = b
	}
	return all
}

// rank orders names and descriptions: those by users before those by programs, then members of
// the key, which are parts of the URN, and last titles that are not names, such as the title of a
// person.
func rank(aspect *model.AspectSpec, f model.SearchField) int {
	switch {
	case f.Path == "/title" && !slices.Contains(f.Aliases, nameAlias):
		return 5
	case aspect.IsKey:
		return 4
	case strings.Contains(strings.ToLower(aspect.Name), "editable"):
		return 1
	case f.Path == "/displayName":
		return 2
	}
	return 3
}

// assets returns the entries of entities in lists, in their order. An entity that the actor may
// not read, or that was never written, has only its URN, its type and the key of the URN as its
// name.
func (s *Server) assets(ctx context.Context, urns []urn.URN) ([]Asset, error) {
	var aspects []string
	brief := s.parts().brief
	for _, u := range urns {
		aspects = append(aspects, brief[u.Type()].aspects...)
	}
	slices.Sort(aspects)
	out := make([]Asset, len(urns))
	at := make(map[urn.URN]int, len(urns))
	for i, u := range urns {
		out[i] = Asset{URN: string(u), Type: u.Type(), Name: u.Key()}
		at[u] = i
	}
	known := slices.DeleteFunc(slices.Clone(urns), func(u urn.URN) bool { _, ok := brief[u.Type()]; return !ok })
	if len(known) == 0 {
		return out, nil
	}
	entities, err := s.entities(ctx, known, catalog.EntityQuery{Aspects: slices.Compact(aspects), Visible: true, Disclosure: catalog.Omitted})
	if err != nil {
		return nil, err
	}
	for _, e := range entities {
		if err := brief[e.Spec.Name].fill(&out[at[e.URN]], e); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// treeFactor is the memory per byte of an aspect for its decoded tree and the resulting text.
const treeFactor = 8

// maxReadBytes bounds the encoded aspects of one read.
const maxReadBytes = 256 << 20

// entities reads entities, and reserves memory for their aspects before they are decoded.
func (s *Server) entities(ctx context.Context, urns []urn.URN, q catalog.EntityQuery) ([]catalog.Entity, error) {
	q.MaxBytes = maxReadBytes
	found, err := s.Catalog.Entities(ctx, urns, q)
	if err != nil {
		return nil, err
	}
	bytes := 0
	for _, e := range found {
		for _, a := range e.Aspects {
			bytes += len(a.Value)
		}
	}
	return found, s.Reserve(ctx, treeFactor*int64(bytes))
}

func (b brief) fill(a *Asset, e catalog.Entity) error {
	values := map[string]jsontree.Object{}
	for _, aspect := range e.Aspects {
		value, err := jsontree.DecodeObject(aspect.Value)
		if err != nil {
			return err
		}
		values[aspect.Spec.Name] = value
	}
	if name := firstText(values, b.names); name != "" {
		a.Name = truncate(name, shortText)
	}
	a.Description = truncate(firstText(values, b.descriptions), shortText)
	a.Platform, _ = values[platformAspect]["platform"].(string)
	a.Deprecated, _ = values[deprecationAspect]["deprecated"].(bool)
	return nil
}

func firstText(values map[string]jsontree.Object, places []place) string {
	for _, p := range places {
		if text, _ := values[p.aspect][p.member].(string); text != "" {
			return text
		}
	}
	return ""
}

// truncate cuts a text to a number of characters, and appends a mark.
func truncate(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + truncationMark
}

// truncateTexts truncates each text of a tree.
func truncateTexts(v any, most int) any {
	switch v := v.(type) {
	case string:
		return truncate(v, most)
	case []any:
		for i := range v {
			v[i] = truncateTexts(v[i], most)
		}
	case map[string]any:
		for name := range v {
			v[name] = truncateTexts(v[name], most)
		}
	}
	return v
}
