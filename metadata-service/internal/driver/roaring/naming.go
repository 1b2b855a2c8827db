package roaring

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// Any text field can contain the URN of an entity that is hidden from the actor. The words of such
// values are not indexed, and queries with WholeNames compare such values only as a whole: see
// search.NamesEntities and search.Query.

// nameForm is the way in which the values of a field name entities.
type nameForm uint8

const (
	asText  nameForm = iota // the value is a URN, or JSON with URNs
	keyed                   // the value is "key=value", with such a value
	inParts                 // a field of URNs, paths or types: its values are compared in parts
)

// formOf returns the form of a field in documents of a type; field is nil if the schema does not
// list it.
func formOf(kind search.Kind, field *search.Field) nameForm {
	switch kind {
	case search.URNKind, search.URNPartial, search.BrowsePath, search.BrowsePathV2:
		return inParts
	case search.ObjectKind:
		return keyed
	}
	switch {
	case field != nil && field.Keyed:
		return keyed
	case field != nil && field.URNs:
		return inParts
	}
	return asText
}

// nameForms returns the forms of columns. If types differ, the strictest form applies: a column is
// compared in parts only if all types have URNs in it.
func nameForms(given []search.Schema) map[string]nameForm {
	forms := map[string]nameForm{typeField: inParts, urnField: inParts}
	for _, schema := range given {
		for i := range schema.Fields {
			f := &schema.Fields[i]
			form := formOf(f.Kind, f)
			switch before, known := forms[f.Name]; {
			case !known || form == keyed:
				forms[f.Name] = form
			case before != keyed:
				forms[f.Name] = min(before, form)
			}
		}
	}
	return forms
}

// names reports whether a value names entities.
func (f nameForm) names(value []byte) bool {
	return f != inParts && search.NamesEntities(value, f == keyed)
}

// words returns the part of a text whose words are indexed.
func (f nameForm) words(text string) string {
	if f == inParts {
		return text
	}
	return search.WithoutEntities(text, f == keyed)
}

// form returns the form of a column for the query; without WholeNames all values are compared in
// parts.
func (m *match) form(column int) nameForm {
	if !m.wholeNames {
		return inParts
	}
	return m.x.nameForms[m.view.names[column]]
}

// naming returns the values of a column that name entities. The set is shared.
func (s *segment) naming(ctx context.Context, name string, form nameForm) *bitmap {
	c := s.column(name)
	if form == inParts || c == nil || c.text == nil {
		return empty
	}
	return s.queryCache.cachedSet(ctx, "naming "+name, func() *bitmap { return c.naming(ctx, form) })
}

func (c *column) naming(ctx context.Context, form nameForm) *bitmap {
	set := roaring.New()
	if form == inParts || c.text == nil {
		return set
	}
	for it := c.text.from(0); it.next() && !cancelled(ctx, it.index); {
		if form.names(it.text) {
			set.Add(uint32(it.index))
		}
	}
	return set
}

// texts selects the values of a place that a criterion compares.
type texts struct {
	key    string
	form   nameForm
	naming *bitmap // the values that it compares only as a whole
}

func (s *segment) textsOf(ctx context.Context, c *preparedCriterion, p place) texts {
	if !c.limited || c.Condition == search.Equal || c.Condition == search.Exists {
		return texts{key: p.key, form: inParts, naming: empty}
	}
	return texts{key: p.key, form: p.form, naming: s.naming(ctx, p.column, p.form)}
}

// valueRun is the range of values of a column from (included) to (excluded).
type valueRun struct{ from, to int }

// runsWithout returns the values from (included) to (excluded) without those of a set.
func runsWithout(cut *bitmap, from, to int) []valueRun {
	var runs []valueRun
	it := cut.Iterator()
	it.AdvanceIfNeeded(uint32(from))
	for it.HasNext() && int(it.PeekNext()) < to {
		at := int(it.Next())
		if from < at {
			runs = append(runs, valueRun{from, at})
		}
		from = at + 1
	}
	if from < to {
		runs = append(runs, valueRun{from, to})
	}
	return runs
}
