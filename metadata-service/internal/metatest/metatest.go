// Package metatest is the language of metadata tests: rules that assets must meet. A definition is
// JSON or YAML:
//
//	on:
//	  types: [dataset]            # entity types
//	  conditions: PREDICATE       # selects assets of these types; all when absent
//	rules: PREDICATE              # condition to pass; always met when absent
//	actions:
//	  passing: [ACTION...]
//	  failing: [ACTION...]
//	  undo: false                 # revert the actions when the verdict changes
//	every: 6h                     # additional period of evaluation about all assets
//
// A PREDICATE is a check of a property, or combines others:
//
//	{property: NAME, operator: NAME, values: [...], match: any|all|none}
//	{of: LIST, match: any|all|none|"80%", rules: PREDICATE}
//	{and: [...]}, {or: [...]}, {not: ...}; a list means all of its elements
//
// Names of properties are those of search fields, paths into aspects that may follow one reference
// to another entity, "urn", "entityType", "relationships.NAME.incoming" and
// "timeseries.ASPECT.STAT.sum.30d". Elements of a LIST, which is "columns" or a path to an array of
// records, are checked by properties of their own.
//
// Parse parses a definition, checks all of it against the registry, and reports every Problem with
// its place. A parsed Test is immutable. There are two ways to decide it, with equal verdicts: by
// Facts about one asset, or by search.Expressions about whole types if every property is indexed.
package metatest

import (
	"context"
	"crypto/md5" //nolint:gosec // a fingerprint that the model calls MD5, no protection
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Limits of a definition. Exceeding one is a Problem.
const (
	MaxBytes    = 1 << 20
	MaxDepth    = 32     // nesting of predicates
	MaxChecks   = 1_000  // of properties
	MaxValues   = 10_000 // in all checks together
	MaxPattern  = 1_000  // bytes of a regular expression
	MaxActions  = 100
	maxProblems = 50 // reported
)

// Test is a parsed definition.
type Test struct {
	// Types are the entity types of the test, in the spelling of the registry; never empty.
	Types []string
	// Passing and Failing are the actions on assets with that verdict.
	Passing, Failing []Action
	// Undo states that a change of the verdict reverts the actions of the previous one.
	Undo bool
	// Every is the period in which the test is evaluated about all assets, in addition to the
	// evaluation of all tests; 0 if the definition has none.
	Every time.Duration
	// Fingerprint changes with the content of the definition, and not with its layout.
	Fingerprint string

	on, rules predicate
	reads     reads
}

// Problem is a defect of a definition.
type Problem struct {
	Path    string // place in the definition, as "rules.and[2].values[0]"
	Message string
}

// String returns the message behind its place.
func (p Problem) String() string { return p.Path + ": " + p.Message }

// Verdict is the result of a test for an asset.
type Verdict uint8

const (
	NotSelected Verdict = iota // the test does not apply to the asset
	Passing
	Failing
)

// Error is the error of a definition with at least one problem. Its kind is fault.Malformed.
type Error struct{ Problems []Problem }

func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return "the definition of the test is invalid: " + strings.Join(lines, "; ")
}

// FaultKind gives pkg/fault the kind of the error: malformed input.
func (e *Error) FaultKind() fault.Kind { return fault.Malformed }

// PublicMessage returns the whole error text, since all of it concerns the client's input.
func (e *Error) PublicMessage() string { return e.Error() }

// Parse parses a definition. Its regular expressions are compiled into programs when the test is
// decided; nil programs means a set of the test's own. The error is an *Error that lists the
// problems, or that of ctx.
func Parse(ctx context.Context, registry *model.Registry, programs *Programs, text []byte) (*Test, error) {
	if programs == nil {
		programs = NewPrograms(MaxProgram)
	}
	p := &parser{ctx: ctx, registry: registry, programs: programs}
	tree, problem := decode(ctx, text)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if problem != nil {
		return nil, &Error{Problems: []Problem{*problem}}
	}
	t := p.test(tree)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(p.problems) > 0 {
		return nil, &Error{Problems: p.problems}
	}
	sum := md5.Sum(jsontree.Encode(tree)) //nolint:gosec // see above
	t.Fingerprint = hex.EncodeToString(sum[:])
	return t, nil
}

// IsDraft reports whether a definition is still empty: an empty text or an empty object. Clients of
// DataHub create such tests; they select nothing.
func IsDraft(definition string) bool {
	text := strings.TrimSpace(definition)
	return text == "" || text == "{}"
}

// parser collects problems while it parses.
type parser struct {
	ctx      context.Context // context of the call; the parser does not outlive it
	registry *model.Registry
	programs *Programs
	patterns patterns
	types    []*model.EntitySpec
	schemas  []search.Schema // of the search fields, created on the first lookup
	element  *list           // the list element to which properties are relative, nil outside of a list
	reads    reads
	checks   int
	values   int
	problems []Problem
}

// ended reports whether the context has ended.
func (p *parser) ended() bool { return p.ctx.Err() != nil }

func (p *parser) problem(path, format string, args ...any) {
	if len(p.problems) < maxProblems {
		p.problems = append(p.problems, Problem{Path: path, Message: fmt.Sprintf(format, args...)})
	}
}

// members reports the members of an object that are not among the known names.
func (p *parser) members(path string, o jsontree.Object, known ...string) {
	for _, name := range jsontree.Sorted(o) {
		if !contains(known, name) {
			p.problem(join(path, name), "is not known here; known are %s", strings.Join(known, ", "))
		}
	}
}

func (p *parser) test(tree any) *Test {
	o, ok := tree.(jsontree.Object)
	if !ok {
		p.problem("definition", "must be an object, not %s", jsontree.KindOf(tree))
		return nil
	}
	p.members("", o, "on", "rules", "actions", "every", "name", "description", "$schema")
	on, ok := o["on"].(jsontree.Object)
	if !ok {
		p.problem("on", "must be an object that names the entity types in \"types\"")
		return nil
	}
	p.members("on", on, "types", "conditions", "match")
	if p.types = p.entityTypes(on["types"]); len(p.types) == 0 {
		return nil
	}
	t := &Test{}
	for _, spec := range p.types {
		t.Types = append(t.Types, spec.Name)
	}
	name, conditions := "conditions", on["conditions"]
	if conditions == nil {
		name, conditions = "match", on["match"]
	} else if on["match"] != nil {
		p.problem("on.match", "says the same as \"conditions\": give one of them")
	}
	t.on = p.predicate("on."+name, conditions, 0)
	t.rules = p.predicate("rules", o["rules"], 0)
	p.actions(t, o["actions"])
	t.Every = p.every(o["every"])
	t.reads = p.reads
	return t
}

// every parses a period of at least a minute, since parsePeriod has no shorter unit.
func (p *parser) every(v any) time.Duration {
	if v == nil {
		return 0
	}
	text, _ := v.(string)
	period, err := parsePeriod(text)
	if err != nil {
		p.problem("every", "%s is no period: give a number with m, h, d or w, as 6h", formatValue(v))
	}
	return period
}

func (p *parser) entityTypes(v any) []*model.EntitySpec {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		p.problem("on.types", "must list at least one entity type, as [\"dataset\"]")
		return nil
	}
	var specs []*model.EntitySpec
	seen := map[string]bool{}
	for i, e := range list {
		name, _ := e.(string)
		spec, ok := p.registry.Entity(name)
		if !ok {
			spec, ok = p.registry.Entity(strings.ReplaceAll(name, "_", "")) // DATA_JOB
		}
		switch {
		case !ok:
			p.problem(fmt.Sprintf("on.types[%d]", i), "%s is no entity type", formatValue(e))
		case !isTested(spec):
			p.problem(fmt.Sprintf("on.types[%d]", i), "entities of type %s cannot carry results of tests (%s): no test is about them", spec.Name, ResultsAspect)
		case !seen[spec.Name]:
			seen[spec.Name] = true
			specs = append(specs, spec)
		}
	}
	return specs
}
