package metatest

import (
	"context"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Limits of the aspects of referenced entities that one evaluation reads. Beyond them, conditions
// on referenced entities are decided for each asset. Users, domains, containers and platforms are
// usually few; datasets are not.
const (
	maxRelated      = 20_000
	maxRelatedBytes = 32 << 20
	relatedPage     = 500
)

// related caches aspects of entities that assets refer to. One evaluation reads each aspect once.
type related map[string]*relatedAspect

// relatedAspect holds an aspect of all entities of some types.
type relatedAspect struct {
	urns     []string
	values   []any
	complete bool // false if the limits were exceeded
}

func keyOf(r language.Reference) string { return strings.Join(r.Types, " ") + " " + r.Aspect }

// Meeting implements metatest.Related.
func (r *related) Meeting(reference language.Reference, meets func(value any) bool) (urns []string, ok bool) {
	known := (*r)[keyOf(reference)]
	if known == nil || !known.complete {
		return nil, false
	}
	for i, value := range known.values {
		if meets(value) {
			urns = append(urns, known.urns[i])
		}
	}
	return urns, true
}

// Property implements metatest.Related. It returns false for properties that share a search field,
// since names that differ only in dots give the same field.
func (r *related) Property(u urn.URN) (document.Property, bool) {
	known := (*r)[keyOf(language.Definitions)]
	if known == nil || !known.complete {
		return document.Property{}, false
	}
	at := slices.Index(known.urns, string(u))
	if at < 0 {
		return document.Property{}, false
	}
	of := document.PropertyOf(jsontree.AsObject(known.values[at]))
	for i, value := range known.values {
		if i != at && document.PropertyOf(jsontree.AsObject(value)).Field == of.Field {
			return document.Property{}, false
		}
	}
	return of, of.Field != ""
}

// load reads the referenced aspects that tests need and that are not cached yet.
func (r *related) load(ctx context.Context, s *Service, tests []compiledTest) error {
	if *r == nil {
		*r = related{}
	}
	for _, t := range tests {
		for _, reference := range t.test.Behind() {
			key := keyOf(reference)
			if (*r)[key] != nil {
				continue
			}
			aspect, err := loadRelated(ctx, s, reference)
			if err != nil {
				return err
			}
			(*r)[key] = aspect
		}
	}
	return nil
}

func loadRelated(ctx context.Context, s *Service, r language.Reference) (*relatedAspect, error) {
	total := 0
	for _, name := range r.Types {
		n, err := s.Edit.Catalog.Count(ctx, name)
		if err != nil {
			return nil, err
		}
		if total += n; total > maxRelated {
			return &relatedAspect{}, nil
		}
	}
	out, bytes := &relatedAspect{}, 0
	for _, name := range r.Types {
		scan := store.Scan{Type: name, Limit: relatedPage}
		for {
			page, err := s.Edit.Catalog.Scan(ctx, scan)
			if err != nil {
				return nil, err
			}
			n, err := out.read(ctx, s, page, r.Aspect)
			if err != nil {
				return nil, err
			}
			if bytes += n; bytes > maxRelatedBytes || len(out.urns) > maxRelated {
				return &relatedAspect{}, nil
			}
			if len(page) < relatedPage {
				break
			}
			scan.After = page[len(page)-1]
		}
	}
	out.complete = true
	return out, nil
}

// read adds the aspect of some entities and returns its size in bytes.
func (a *relatedAspect) read(ctx context.Context, s *Service, urns []urn.URN, aspect string) (bytes int, err error) {
	records, err := s.Reader.Aspects(ctx, urns, aspect)
	if err != nil {
		return 0, err
	}
	for i, u := range urns {
		rec := findAspect(records[i], aspect)
		if rec == nil {
			continue
		}
		bytes += len(rec.Value)
		value, err := jsontree.Decode(rec.Value)
		if err != nil {
			value = nil // an unreadable aspect has no values, as for a single asset
		}
		a.urns, a.values = append(a.urns, string(u)), append(a.values, value)
	}
	return bytes, nil
}
