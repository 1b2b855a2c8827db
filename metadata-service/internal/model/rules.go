package model

import (
	"fmt"
	"strings"
)

// ruleNode is a step on the way to a URN inside an aspect, so that validation
// finds the rules of a place while it walks there.
type ruleNode struct {
	fields map[string]*ruleNode // by field name or union key
	elem   *ruleNode            // array elements and map values
	// allowed entity types by a relationship or a rule; nil when nothing restricts them
	types  []string
	strict bool
	exist  bool
}

func (n *ruleNode) field(name string) *ruleNode {
	if n == nil {
		return nil
	}
	return n.fields[name]
}

func (n *ruleNode) element() *ruleNode {
	if n == nil {
		return nil
	}
	return n.elem
}

func compileRules(a *AspectSpec) (*ruleNode, error) {
	root := &ruleNode{}
	for _, rel := range a.Relationships {
		n, err := root.at(rel.Path)
		if err != nil {
			return nil, err
		}
		if n == nil {
			continue
		}
		// One path may make several relationships: their targets add up.
		n.types = append(n.types, rel.To...)
	}
	for _, rule := range a.URNs {
		n, err := root.at(rule.Path)
		if err != nil {
			return nil, err
		}
		if n == nil {
			continue
		}
		n.types = rule.EntityTypes
		n.strict, n.exist = n.strict || rule.Strict, n.exist || rule.Exist
	}
	return root, nil
}

// at makes the way to path. Map keys are no place a rule can stand: nil.
func (n *ruleNode) at(path string) (*ruleNode, error) {
	rest, ok := strings.CutPrefix(path, "/")
	if !ok {
		return nil, fmt.Errorf("path %q must start with a slash", path)
	}
	for _, step := range strings.Split(rest, "/") {
		switch step {
		case "$key":
			return nil, nil
		case "*":
			if n.elem == nil {
				n.elem = &ruleNode{}
			}
			n = n.elem
		default:
			if n.fields == nil {
				n.fields = map[string]*ruleNode{}
			}
			if n.fields[step] == nil {
				n.fields[step] = &ruleNode{}
			}
			n = n.fields[step]
		}
	}
	return n, nil
}
