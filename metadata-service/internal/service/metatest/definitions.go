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

// compiledTest is a stored test with its parsed definition.
type compiledTest struct {
	urn  urn.URN
	test *language.Test

	mark    []byte    // identifies the test in stored results
	entries [3][]byte // fragments of stored result entries, by verdict
}

// definitions caches parsed definitions, keyed by the sequence of their last change: parsing a
// definition costs more than deciding by it.
type definitions struct {
	mu   sync.Mutex
	byID map[urn.URN]parsedDefinition
}

type parsedDefinition struct {
	sequence uint64
	test     *language.Test // nil for drafts and invalid definitions
	err      error
	logged   bool // err was logged
}

// of returns the parsed definition of a test, from the cache if its sequence has not changed. It
// caches errors as well, except errors of ctx, which do not depend on the definition.
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
		d.byID = map[urn.URN]parsedDefinition{}
	}
	d.byID[rec.URN] = parsedDefinition{sequence: rec.Sequence, test: test, err: err}
	return test, err
}

// shouldLog reports whether problems of a definition are to be logged: true once for each
// definition.
func (d *definitions) shouldLog(test urn.URN) bool {
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

// evictExcept evicts the tests that are not in exist, which is sorted.
func (d *definitions) evictExcept(exist []urn.URN) {
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

// scanPage is the number of tests per page of a scan.
const scanPage = 500

// Invalid is a stored test whose definition is not valid, for example one stored before a rule that
// refuses it existed. It is not evaluated, and its results stay, until its definition is replaced.
type Invalid struct {
	Test    urn.URN `json:"test"`
	Message string  `json:"message"`
}

// all returns every test that can be evaluated, ordered by URN, and the tests with invalid
// definitions, which it logs once. It omits drafts and soft-deleted tests.
func (s *Service) all(ctx context.Context) ([]compiledTest, []Invalid, error) {
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
	s.definitions.evictExcept(urns)
	return s.compileValid(ctx, urns)
}

// compileValid splits the named tests into those that can be evaluated and those with invalid
// definitions. It omits tests that do not exist.
func (s *Service) compileValid(ctx context.Context, urns []urn.URN) (valid []compiledTest, invalid []Invalid, err error) {
	valid, err = s.compile(ctx, urns, func(u urn.URN, err error) error {
		var problems *language.Error
		if errors.As(err, &problems) {
			invalid = append(invalid, Invalid{u, truncate(problems.Error(), maxMessage)})
			if s.definitions.shouldLog(u) {
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

// maxMessage is the maximum length in bytes of the message about an invalid definition.
const maxMessage = 1_000

// truncate shortens a text to at most so many bytes, at a character boundary, and appends an
// ellipsis.
func truncate(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
}

// compile returns the named tests, without drafts. It passes each test that cannot be evaluated to
// refuse; an error of refuse ends the call.
func (s *Service) compile(ctx context.Context, urns []urn.URN, refuse func(urn.URN, error) error) ([]compiledTest, error) {
	records, err := s.Reader.Aspects(ctx, urns, infoAspect, "status")
	if err != nil {
		return nil, err
	}
	var out []compiledTest
	for i, u := range urns {
		info := findAspect(records[i], infoAspect)
		if info == nil || isRemoved(records[i]) {
			if err := refuse(u, notFound("the test", u)); err != nil {
				return nil, err
			}
			continue
		}
		test, err := s.definitions.of(ctx, info, s.parse)
		if err != nil {
			if err := refuse(u, err); err != nil {
				return nil, err
			}
			continue
		}
		if test != nil {
			t := compiledTest{urn: u, test: test}
			t.prepare()
			out = append(out, t)
		}
	}
	return out, nil
}

func findAspect(records []model.Record, aspect string) *model.Record {
	for i := range records {
		if records[i].Aspect == aspect {
			return &records[i]
		}
	}
	return nil
}
