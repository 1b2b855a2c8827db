package rule

import (
	"fmt"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// Book returns the rules for an aspect of an entity type. It is immutable and safe for concurrent
// use.
type Book struct {
	rules []Rule
	of    map[*model.EntitySpec]map[*model.AspectSpec][]*Rule
}

// NewBook compiles rules. It fails if a rule names an entity type or aspect that the registry
// lacks, names neither, has an empty or duplicate name, or has only one of Cleanup and CleanupTerm.
// All of these are programming errors.
func NewBook(registry *model.Registry, rules []Rule) (*Book, error) {
	b := &Book{rules: rules, of: map[*model.EntitySpec]map[*model.AspectSpec][]*Rule{}}
	names := map[string]bool{}
	for i := range rules {
		r := &rules[i]
		if r.Name == "" || names[r.Name] {
			return nil, fmt.Errorf("rule %q: the name is empty or taken", r.Name)
		}
		names[r.Name] = true
		if err := r.check(registry); err != nil {
			return nil, fmt.Errorf("rule %q: %w", r.Name, err)
		}
	}
	for _, entity := range registry.Entities() {
		b.of[entity] = b.compile(entity)
	}
	return b, nil
}

// check compares the names in a rule with the registry.
func (r *Rule) check(registry *model.Registry) error {
	if len(r.Aspects) == 0 && len(r.Types) == 0 {
		return fmt.Errorf("it names neither aspects nor entity types")
	}
	for _, name := range r.Aspects {
		if _, ok := registry.Aspect(name); !ok {
			return fmt.Errorf("there is no aspect %q", name)
		}
	}
	for _, name := range r.Types {
		if _, ok := registry.Entity(name); !ok {
			return fmt.Errorf("there is no entity type %q", name)
		}
	}
	if (r.Cleanup == nil) != (r.CleanupTerm == nil) {
		return fmt.Errorf("of Cleanup and CleanupTerm one is missing")
	}
	return nil
}

func (b *Book) compile(entity *model.EntitySpec) map[*model.AspectSpec][]*Rule {
	of := map[*model.AspectSpec][]*Rule{}
	for _, aspect := range entity.All() {
		for i := range b.rules {
			if b.rules[i].concerns(entity.Name, aspect.Name) {
				of[aspect] = append(of[aspect], &b.rules[i])
			}
		}
	}
	return of
}

func (r *Rule) concerns(entityType, aspect string) bool {
	return (len(r.Types) == 0 || slices.Contains(r.Types, entityType)) && (len(r.Aspects) == 0 || slices.Contains(r.Aspects, aspect))
}

// For lists the rules for an aspect of an entity type, in the order of the book. Callers must not
// change the result.
func (b *Book) For(entity *model.EntitySpec, aspect *model.AspectSpec) []*Rule {
	return b.of[entity][aspect]
}

// All lists every rule, in the order of the book. Callers must not change the result.
func (b *Book) All() []Rule { return b.rules }
