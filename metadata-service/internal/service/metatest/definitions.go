package metatest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"unicode/utf8"

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
	logged   bool // err was
}

// of gives the meaning of a stored definition. Errors are remembered but for those of ctx,
// which say nothing of the definition.
func (d *definitions) of(ctx context.Context, rec *model.Record, parse func(context.Context, *model.Record) (*language.Test, error)) (*language.Test, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if have, ok := d.byID[rec.URN]; ok && have.sequence == rec.Sequence {
		return have.test, have.err
	}
	test, err := parse(ctx, rec)
	if ended := ctx.Err(); ended != nil {
		return nil, ended
	}
	if d.byID == nil {
		d.byID = map[urn.URN]parsed{}
	}
	d.byID[rec.URN] = parsed{sequence: rec.Sequence, test: test, err: err}
	return test, err
}

// toLog tells once for each definition whether its problems are to be logged.
func (d *definitions) toLog(test urn.URN) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	known := d.byID[test]
	if known.logged {
		return false
	}
	known.logged = true
	d.byID[test] = known
	return true
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

// Invalid is a stored test whose definition is not valid, as one from before a rule that
// refuses it. It is not evaluated, and its results stay, until it is written anew.
type Invalid struct {
	Test    urn.URN `json:"test"`
	Message string  `json:"message"`
}

// all gives every test that can be evaluated, in the order of their URNs, and those
// whose definitions are not valid, which are also logged once. Drafts and soft-deleted
// tests are left out.
func (s *Service) all(ctx context.Context) ([]compiled, []Invalid, error) {
	var urns []urn.URN
	scan := store.Scan{Type: EntityType, Limit: scanPage}
	for {
		page, err := s.Edit.Catalog.Scan(ctx, scan)
		if err != nil {
			return nil, nil, err
		}
		urns = append(urns, page...)
		if len(page) < scanPage {
			break
		}
		scan.After = page[len(page)-1]
	}
	s.known.keep(urns)
	return s.compileValid(ctx, urns)
}

// compileValid gives the tests that can be evaluated of those that some URNs name, and those
// that are not valid. What is not there is left out.
func (s *Service) compileValid(ctx context.Context, urns []urn.URN) (valid []compiled, invalid []Invalid, err error) {
	valid, err = s.compile(ctx, urns, func(u urn.URN, err error) error {
		var problems *language.Error
		if errors.As(err, &problems) {
			invalid = append(invalid, Invalid{u, cut(problems.Error(), maxMessage)})
			if s.known.toLog(u) {
				s.Log.WarnContext(ctx, "a metadata test is not evaluated: its definition is not valid", "test", u, "error", err)
			}
			return nil
		}
		if errors.Is(err, fault.NotFound) {
			return nil
		}
		return err
	})
	return valid, invalid, err
}

// maxMessage is the length in bytes of what is said of a definition that is not valid.
const maxMessage = 1_000

// cut shortens a text to so many bytes at the border of a character.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
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
		test, err := s.known.of(ctx, info, s.parse)
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
