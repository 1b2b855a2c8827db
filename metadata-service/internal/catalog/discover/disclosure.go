package discover

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/redact"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/search/query"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// The search index holds values of visible entities, and values can name other entities: a matched
// field, or a value counted by a facet, may be the URN of an entity that is hidden from the actor.
// All results of this package therefore pass through the functions below.

// Separators between the parts of a value: of combinations of several fields, and of the steps of a
// browse path.
const valueSeparators = "\u241e\u241f"

// urnsIn lists the URNs in a value of the index, including those that reads conceal in texts.
func urnsIn(value string) []urn.URN { return appendURNs(nil, value) }

// maxKeyParts bounds the parts of a value that may belong to its key.
const maxKeyParts = 8

func appendURNs(urns []urn.URN, value string) []urn.URN {
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune(valueSeparators, r) }) {
		add := func(u urn.URN) { urns = append(urns, u) }
		redact.URNs(part, add)
		// The value of a custom property has a key, which may contain "=" and be a URN.
		for at, value, ok := 0, "", true; ok && at < maxKeyParts; at++ {
			if _, value, ok = strings.Cut(part, "="); ok {
				redact.URNs(value, add)
				part = value
			}
		}
	}
	return urns
}

// discloseCompletions removes completions that are URNs of hidden entities, because reads conceal
// such texts as well.
func (s *Service) discloseCompletions(ctx context.Context, list []search.Completion) ([]search.Completion, error) {
	var urns []urn.URN
	for i := range list {
		urns = append(urns, urnsIn(list[i].Text)...)
	}
	hidden, err := s.hiddenAmong(ctx, urns)
	if err != nil || len(hidden) == 0 {
		return list, err
	}
	return slices.DeleteFunc(list, func(c search.Completion) bool {
		return slices.ContainsFunc(urnsIn(c.Text), func(u urn.URN) bool { return hidden[u] })
	}), nil
}

// discloseHits removes matched fields that name hidden entities from hits. Totals and the order of
// hits stay unchanged.
func (s *Service) discloseHits(ctx context.Context, hits []search.Hit) error {
	var urns []urn.URN
	for i := range hits {
		for _, m := range hits[i].Matched {
			urns = append(urns, urnsIn(m.Value)...)
		}
	}
	hidden, err := s.hiddenAmong(ctx, urns)
	if err != nil || len(hidden) == 0 {
		return err
	}
	for i := range hits {
		hits[i].Matched = slices.DeleteFunc(hits[i].Matched, func(m search.Match) bool { return namesAny(hidden, m.Value) })
	}
	return nil
}

// withoutHidden removes values that name hidden entities from some facets. It returns the facets
// that now have fewer values than requested although more exist.
func (s *Service) withoutHidden(ctx context.Context, facets []search.Facet, of []int, asked []search.FacetRequest) (short []int, err error) {
	var urns []urn.URN
	for _, i := range of {
		for _, b := range facets[i].Buckets {
			urns = append(urns, urnsIn(b.Value)...)
		}
	}
	hidden, err := s.hiddenAmong(ctx, urns)
	if err != nil || len(hidden) == 0 {
		return nil, err
	}
	for _, i := range of {
		f := &facets[i]
		before := levelSizes(f, &asked[i])
		f.Buckets = slices.DeleteFunc(f.Buckets, func(b search.Bucket) bool { return namesAny(hidden, b.Value) })
		after := levelSizes(f, &asked[i])
		isShort := func(level int) bool {
			return after[level] < before[level] && after[level] < asked[i].Size+len(asked[i].Values)
		}
		if f.More && slices.ContainsFunc(slices.Collect(maps.Keys(before)), isShort) {
			short = append(short, i)
		}
	}
	return short, nil
}

// levelSizes counts the values of each level of a facet.
func levelSizes(f *search.Facet, asked *search.FacetRequest) map[int]int {
	sizes := map[int]int{}
	for _, b := range f.Buckets {
		sizes[asked.Level(b.Value)]++
	}
	return sizes
}

// namesAny reports whether a value of the index names one of some entities.
func namesAny(hidden map[urn.URN]bool, value string) bool {
	return slices.ContainsFunc(urnsIn(value), func(u urn.URN) bool { return hidden[u] })
}

// discloseFilters removes URNs of hidden entities from the values of criteria, so that they match
// like URNs of absent entities. Conditions other than equality could reveal a hidden URN letter by
// letter, so they are refused for fields that may hold URNs of hidden entities, except for URNs of
// containers in browse paths. Whether a field has a value may be revealed. discloseFilters does not
// change the filters in place.
func (s *Service) discloseFilters(ctx context.Context, filters []search.Filter, types []string) ([]search.Filter, error) {
	filters, err := s.containersOfPaths(ctx, filters)
	if err != nil {
		return nil, err
	}
	var urns []urn.URN
	compared := map[string]bool{}
	for _, filter := range filters {
		for _, alternative := range filter {
			for i := range alternative {
				c := &alternative[i]
				for _, v := range c.Values {
					urns = appendURNs(urns, v)
				}
				if comparesText(c.Condition) {
					compared[c.Field] = true
				}
			}
		}
	}
	if len(compared) > 0 {
		restricted, err := s.Catalog.RestrictedTypes(ctx)
		if err != nil {
			return nil, err
		}
		for _, field := range slices.Sorted(maps.Keys(compared)) {
			tells, err := s.mayHoldRestricted(ctx, types, field, restricted)
			if err != nil {
				return nil, err
			}
			if tells {
				return nil, fault.New(fault.Malformed, "filter on %s: an actor that may not view every entity can compare URNs only by EQUAL, IN, EXISTS and IS_NULL, "+
					"because other conditions would reveal names of hidden entities", field)
			}
		}
	}
	hidden, err := s.hiddenAmong(ctx, urns)
	if err != nil || len(hidden) == 0 {
		return filters, err
	}
	names := func(value string) bool {
		return slices.ContainsFunc(urnsIn(value), func(u urn.URN) bool { return hidden[u] })
	}
	out := make([]search.Filter, len(filters))
	for i, filter := range filters {
		out[i] = make(search.Filter, len(filter))
		for j, alternative := range filter {
			out[i][j] = slices.Clone(alternative)
			for k, c := range alternative {
				out[i][j][k].Values = slices.DeleteFunc(slices.Clone(c.Values), names)
			}
		}
	}
	return out, nil
}

// containersOfPaths replaces conditions that browse paths contain URNs by conditions on the
// containers of entities, for actors from which entities are hidden. The client library uses such
// conditions to list the contents of a container; a part of a URN could reveal hidden ones letter
// by letter.
func (s *Service) containersOfPaths(ctx context.Context, filters []search.Filter) ([]search.Filter, error) {
	if !slices.ContainsFunc(filters, func(f search.Filter) bool {
		return slices.ContainsFunc(f, func(all []search.Criterion) bool { return slices.ContainsFunc(all, asksForContainers) })
	}) {
		return filters, nil
	}
	if restricted, err := s.Catalog.RestrictedTypes(ctx); err != nil || len(restricted) == 0 {
		return filters, err
	}
	out := make([]search.Filter, len(filters))
	for i, filter := range filters {
		out[i] = make(search.Filter, len(filter))
		for j, alternative := range filter {
			out[i][j] = slices.Clone(alternative)
			for k := range alternative {
				if c := &out[i][j][k]; asksForContainers(*c) {
					c.Field, c.Condition = document.AncestorContainers, search.Equal
				}
			}
		}
	}
	return out, nil
}

// asksForContainers reports whether a criterion selects browse paths that contain whole URNs.
func asksForContainers(c search.Criterion) bool {
	return c.Field == browsePathV2Field && c.Condition == search.Contain && !slices.ContainsFunc(c.Values, func(v string) bool {
		_, err := urn.Parse(v)
		return err != nil
	})
}

// mayHoldRestricted reports whether values of a field may be URNs of entities of restricted types.
func (s *Service) mayHoldRestricted(ctx context.Context, types []string, field string, restricted map[string]bool) (bool, error) {
	if len(restricted) == 0 {
		return false, nil
	}
	if s.fields.mayHoldRestricted(types, field, restricted) {
		return true, nil
	}
	return s.isURNProperty(ctx, field)
}

// excludedFields lists the fields that the text of a query must not match: those whose values may
// be URNs of entities hidden from the actor. A match would reveal the URNs letter by letter. It is
// empty for actors from which nothing is hidden.
func (s *Service) excludedFields(ctx context.Context, types []string, text string, structured bool) ([]string, error) {
	restricted, err := s.Catalog.RestrictedTypes(ctx)
	if err != nil || len(restricted) == 0 {
		return nil, err
	}
	excluded := s.fields.restrictedFields(types, restricted)
	for name := range s.namedProperties(text, structured) {
		of, err := s.isURNProperty(ctx, name)
		if err != nil {
			return nil, err
		}
		if of {
			excluded = append(slices.Clip(excluded), search.PlainName(name))
		}
	}
	return excluded, nil
}

// hidesSome reports whether some entities may be hidden from the actor.
func (s *Service) hidesSome(ctx context.Context) (bool, error) {
	restricted, err := s.Catalog.RestrictedTypes(ctx)
	return len(restricted) > 0, err
}

// namedProperties returns the fields of structured properties that a text names. A text that the
// index refuses names none.
func (s *Service) namedProperties(text string, structured bool) map[string]bool {
	if !strings.Contains(text, ":") {
		return nil
	}
	root, err := query.Parse(text, query.Options{Structured: structured, Known: s.fields.known})
	if err != nil {
		return nil
	}
	names := map[string]bool{}
	for open := []*query.Node{root}; len(open) > 0; {
		node := open[len(open)-1]
		open = append(open[:len(open)-1], node.Children...)
		if strings.HasPrefix(node.Field, search.PropertyPrefix) {
			names[node.Field] = true
		}
	}
	return names
}

// comparesText reports whether a condition compares parts of values or their order.
func comparesText(c search.Condition) bool {
	switch c {
	case "", search.Equal, In, search.Exists, search.IsNull, AncestorsIncl, DescendantsIncl, RelatedIncl:
		return false
	}
	return true
}

// hiddenAmong returns those of the given URNs that are hidden from the actor.
func (s *Service) hiddenAmong(ctx context.Context, urns []urn.URN) (map[urn.URN]bool, error) {
	if len(urns) == 0 {
		return nil, nil
	}
	answers, err := s.Catalog.Hidden(ctx, urns)
	if err != nil {
		return nil, err
	}
	var hidden map[urn.URN]bool
	for i, u := range urns {
		if !answers[i] {
			continue
		}
		if hidden == nil {
			hidden = map[urn.URN]bool{}
		}
		hidden[u] = true
	}
	return hidden, nil
}

// discloseEdges replaces hidden actors in the stamps of edges by model.UnknownActor and removes
// properties that name hidden entities, in place.
func (s *Service) discloseEdges(ctx context.Context, edges []model.Edge) error {
	var urns []urn.URN
	properties := map[int]jsontree.Object{} // by edge, of those that name URNs
	for i := range edges {
		urns = append(urns, edges[i].Created.Actor, edges[i].Updated.Actor)
		if !redact.Mentions(edges[i].Properties) {
			continue
		}
		object, err := jsontree.DecodeObject(edges[i].Properties)
		if err != nil {
			return fmt.Errorf("decode properties of an edge of %s: %w", edges[i].Owner, err)
		}
		redact.URNs(object, func(u urn.URN) { urns = append(urns, u) })
		properties[i] = object
	}
	hidden, err := s.hiddenAmong(ctx, urns)
	if err != nil || len(hidden) == 0 {
		return err
	}
	for i := range edges {
		for _, stamp := range []*model.AuditStamp{&edges[i].Created, &edges[i].Updated} {
			if hidden[stamp.Actor] {
				stamp.Actor = model.UnknownActor
			}
		}
	}
	for i, object := range properties {
		edges[i].Properties = jsontree.Encode(withoutHidden(object, hidden))
	}
	return nil
}

// withoutHidden returns the members of an object that name no hidden URN.
func withoutHidden(object jsontree.Object, hidden map[urn.URN]bool) jsontree.Object {
	kept := jsontree.Object{}
	for name, value := range object {
		names := false
		redact.URNs(jsontree.Object{name: value}, func(u urn.URN) { names = names || hidden[u] })
		if !names {
			kept[name] = value
		}
	}
	return kept
}
