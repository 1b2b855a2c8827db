package model

import (
	"fmt"
	"strings"
)

// ruleNode is a step on the path to a URN inside an aspect. Validation follows these nodes while it
// traverses a value, and so finds the rules of each place.
type ruleNode struct {
	fields map[string]*ruleNode // by field name or union key
	elem   *ruleNode            // array elements and map values
	types  []string             // entity types that a rule allows; nil means any
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
	// The types of a relationship are the usual ones. Connectors use others as well, so they
	// restrict nothing.
	for _, rel := range a.Relationships {
		if err := checkPath(rel.Path); err != nil {
			return nil, err
		}
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

// at creates the nodes of a path and returns the last. It returns nil for map keys, which cannot
// have a rule.
func (n *ruleNode) at(path string) (*ruleNode, error) {
	if err := checkPath(path); err != nil {
		return nil, err
	}
	for step := range strings.SplitSeq(path[1:], "/") {
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

func checkPath(path string) error {
	if !strings.HasPrefix(path, "/") {
		return fmt.Errorf("path %q must start with a slash", path)
	}
	return nil
}
