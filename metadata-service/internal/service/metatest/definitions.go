package metatest

import (
	"context"
	"errors"
	"slices"
	"sync"

	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// compiled is a stored test that can be evaluated.
type compiled struct {
	urn  urn.URN
	test *language.Test

	mark    []byte    // of the test in stored results
	entries [3][]byte // what these hold of it, by its verdict
}

// definitions caches what definitions mean, by the sequence of their last change:
// parsing one costs more than deciding by it.
type definitions struct {
	mu   sync.Mutex
	byID map[urn.URN]parsed
}

type parsed struct {
	sequence uint64
	test     *language.Test // nil for drafts, and for what cannot be understood
	err      error
}

func (d *definitions) of(rec *model.Record, parse func(*model.Record) (*language.Test, error)) (*language.Test, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if have, ok := d.byID[rec.URN]; ok && have.sequence == rec.Sequence {
		return have.test, have.err
	}
	test, err := parse(rec)
	if d.byID == nil {
		d.byID = map[urn.URN]parsed{}
	}
	d.byID[rec.URN] = parsed{rec.Sequence, test, err}
	return test, err
}

// keep forgets tests that are not among those that exist.
func (d *definitions) keep(exist []urn.URN) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.byID) <= len(exist) {
		return
	}
	for u := range d.byID {
		if _, found := slices.BinarySearch(exist, u); !found {
			delete(d.byID, u)
		}
	}
}

// scanPage is how many tests are listed at a time.
const scanPage = 500

// all gives every test that can be evaluated, in the order of their URNs. Drafts,
// soft-deleted tests, and definitions from elsewhere that are not understood are
// left out; the latter are logged.
func (s *Service) all(ctx context.Context) ([]compiled, error) {
	var urns []urn.URN
	scan := store.Scan{Type: EntityType, Limit: scanPage}
	for {
		page, err := s.Edit.Catalog.Scan(ctx, scan)
		if err != nil {
			return nil, err
		}
		urns = append(urns, page...)
		if len(page) < scanPage {
			break
		}
		scan.After = page[len(page)-1]
	}
	s.known.keep(urns)
	return s.compile(ctx, urns, func(u urn.URN, err error) error {
		var problems *language.Error
		if errors.As(err, &problems) {
			s.Log.WarnContext(ctx, "a metadata test is not evaluated: its definition is not valid", "test", u, "error", err)
			return nil
		}
		if errors.Is(err, fault.NotFound) {
			return nil
		}
		return err
	})
}

// compile gives the tests that some URNs name. What cannot be evaluated is told to
// refuse, whose error ends the call.
func (s *Service) compile(ctx context.Context, urns []urn.URN, refuse func(urn.URN, error) error) ([]compiled, error) {
	records, err := s.Reader.Aspects(ctx, urns, infoAspect, "status")
	if err != nil {
		return nil, err
	}
	var out []compiled
	for i, u := range urns {
		info := find(records[i], infoAspect)
		if info == nil || isRemoved(records[i]) {
			if err := refuse(u, notFound("the test", u)); err != nil {
				return nil, err
			}
			continue
		}
		test, err := s.known.of(info, s.parse)
		if err != nil {
			if err := refuse(u, err); err != nil {
				return nil, err
			}
			continue
		}
		if test != nil {
			t := compiled{urn: u, test: test}
			t.prepare()
			out = append(out, t)
		}
	}
	return out, nil
}

func find(records []model.Record, aspect string) *model.Record {
	for i := range records {
		if records[i].Aspect == aspect {
			return &records[i]
		}
	}
	return nil
}
