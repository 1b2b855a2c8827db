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
	types  []string             // entity types that a rule allows; nil when none restricts them
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
	// The types of a relationship say where it leads as a rule. Connectors name others, too, so they
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

// at makes the way to path. Map keys are no place a rule can stand: nil.
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
