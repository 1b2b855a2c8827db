// Package metatest is the language of metadata tests: rules that assets are held
// to. A definition is JSON or YAML:
//
//	on:
//	  types: [dataset]            # entity types
//	  conditions: PREDICATE       # which of them; all when absent
//	rules: PREDICATE              # what passes; everything when absent
//	actions:
//	  passing: [ACTION...]
//	  failing: [ACTION...]
//	  undo: false                 # take back what was done when the verdict changes
//	every: 6h                     # how often it is evaluated about all assets, besides
//
// A PREDICATE is a check of a property, or combines others:
//
//	{property: NAME, operator: NAME, values: [...], match: any|all|none}
//	{of: LIST, match: any|all|none|"80%", rules: PREDICATE}
//	{and: [...]}, {or: [...]}, {not: ...}; a list means all of its elements
//
// Names of properties are those of search fields, paths into aspects that may
// step over one reference to another entity, "urn", "entityType",
// "relationships.NAME.incoming" and "timeseries.ASPECT.STAT.sum.30d". Elements
// of a LIST, as "columns" or a path to an array of records, are checked by
// properties of their own.
//
// Parse reads a definition, checks all of it against the registry and reports
// every Problem with its place. A parsed Test is immutable. It is decided in two
// ways that give equal verdicts: by Facts about one asset, or, where every
// property of it is indexed, by search.Expressions about whole types.
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

// Limits of a definition. What is beyond them is a Problem.
const (
	MaxBytes    = 1 << 20
	MaxDepth    = 32     // of predicates in predicates
	MaxChecks   = 1_000  // of properties
	MaxValues   = 10_000 // of all checks together
	MaxPattern  = 1_000  // bytes of a regular expression
	MaxActions  = 100
	maxProblems = 50 // reported
)

// Test is a definition that was understood.
type Test struct {
	// Types are the entity types it is about, as the registry spells them; never empty.
	Types []string
	// Passing and Failing are what is done to assets by their verdict.
	Passing, Failing []Action
	// Undo tells that what the actions of one verdict did is taken back by the other.
	Undo bool
	// Every is how often the test is evaluated about all assets, besides whenever all tests are;
	// 0 when the definition does not say.
	Every time.Duration
	// Fingerprint changes with the meaning of the definition, and not with its layout.
	Fingerprint string

	on, rules predicate
	reads     reads
}

// Problem is something wrong with a definition.
type Problem struct {
	Path    string // place in the definition, as "rules.and[2].values[0]"
	Message string
}

// String is the message with its place in front.
func (p Problem) String() string { return p.Path + ": " + p.Message }

// Verdict is what a test says of an asset.
type Verdict uint8

const (
	NotSelected Verdict = iota // the test is not about the asset
	Passing
	Failing
)

// Error is that of a definition with problems, at least one. Its kind is
// fault.Malformed.
type Error struct{ Problems []Problem }

func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return "the definition of the test is invalid: " + strings.Join(lines, "; ")
}

// FaultKind makes it malformed input to pkg/fault.
func (e *Error) FaultKind() fault.Kind { return fault.Malformed }

// PublicMessage is the whole error: all of it concerns the caller's input.
func (e *Error) PublicMessage() string { return e.Error() }

// Parse reads a definition. Its regular expressions are compiled among the programs when the
// test is decided; nil programs are those of the test alone. The error is an *Error that lists
// what is wrong, or that of ctx.
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

// IsDraft tells whether a definition says nothing yet: it is empty, or an empty
// object. Clients of the reference make such tests; they select nothing.
func IsDraft(definition string) bool {
	text := strings.TrimSpace(definition)
	return text == "" || text == "{}"
}

// parser collects problems while it reads.
type parser struct {
	ctx      context.Context // of the call, which the parser does not outlive
	registry *model.Registry
	programs *Programs
	patterns patterns
	types    []*model.EntitySpec
	schemas  []search.Schema // of the search fields, made when the first is looked for
	element  *list           // that properties are relative to, nil outside of a list
	reads    reads
	checks   int
	values   int
	problems []Problem
}

// ended reports whether nobody waits for the test any more.
func (p *parser) ended() bool { return p.ctx.Err() != nil }

func (p *parser) problem(path, format string, args ...any) {
	if len(p.problems) < maxProblems {
		p.problems = append(p.problems, Problem{Path: path, Message: fmt.Sprintf(format, args...)})
	}
}

// members reports what an object has beyond the names that are known.
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

// every reads a period, of a minute at least as parsePeriod knows no shorter ones.
func (p *parser) every(v any) time.Duration {
	if v == nil {
		return 0
	}
	text, _ := v.(string)
	period, err := parsePeriod(text)
	if err != nil {
		p.problem("every", "%s is no period: give a number with m, h, d or w, as 6h", spell(v))
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
			p.problem(fmt.Sprintf("on.types[%d]", i), "%s is no entity type", spell(e))
		case !isTested(spec):
			p.problem(fmt.Sprintf("on.types[%d]", i), "entities of type %s cannot carry results of tests (%s): no test is about them", spec.Name, ResultsAspect)
		case !seen[spec.Name]:
			seen[spec.Name] = true
			specs = append(specs, spec)
		}
	}
	return specs
}
