package endpoint

import (
	"cmp"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
	"github.com/cartulary/cartulary/pkg/fault"
)

// resource is one path with an endpoint for each method.
type resource struct {
	template  template
	endpoints map[string]*Endpoint
	allow     string
}

func (r *resource) pattern() string { return spec.Root + "/" + strings.Join(r.template, "/") }

// resourcesOf groups endpoints by path, in the order in which paths are matched.
func resourcesOf(endpoints []Endpoint) []*resource {
	byPath := map[string]*resource{}
	var list []*resource
	for i := range endpoints {
		op := &endpoints[i]
		res := byPath[op.Path]
		if res == nil {
			res = &resource{template: newTemplate(op.Path), endpoints: map[string]*Endpoint{}}
			byPath[op.Path] = res
			list = append(list, res)
		}
		res.endpoints[op.Method] = op
	}
	for _, res := range list {
		methods := make([]string, 0, len(res.endpoints))
		for method := range res.endpoints {
			methods = append(methods, method)
		}
		slices.Sort(methods)
		res.allow = strings.Join(methods, ", ")
	}
	slices.SortStableFunc(list, func(a, b *resource) int { return a.template.compare(b.template) })
	return list
}

// Groups lists the groups of the endpoints, in their order.
func Groups(endpoints []Endpoint) []string {
	var groups []string
	for _, op := range endpoints {
		if !slices.Contains(groups, op.Group) {
			groups = append(groups, op.Group)
		}
	}
	return groups
}

// template is the pattern of a path as segments: text, {name} for one segment, {urn} or {someUrn}
// for a URN. A URN is written raw or percent-encoded. A raw one may contain slashes, so a URN
// takes as many segments as possible; the rest of the template begins at the last slash, unless a
// parenthesis of the URN is open there. Two URNs are separated by text, at its last occurrence.
type template []string

func isURN(segment string) bool { return segment == "{urn}" || strings.HasSuffix(segment, "Urn}") }

func newTemplate(path string) template {
	return strings.Split(strings.TrimPrefix(path, "/"), "/")
}

// rank orders segments from specific to general: text, URN, parameter.
func rank(segment string) int {
	switch {
	case isURN(segment):
		return 1
	case spec.IsParam(segment):
		return 2
	}
	return 0
}

// compare orders templates from specific to general: text before parameters, a URN before any
// segment, and the longer template first when one is the beginning of the other.
func (t template) compare(o template) int {
	for i := range min(len(t), len(o)) {
		if d := cmp.Compare(rank(t[i]), rank(o[i])); d != 0 {
			return d
		}
	}
	return cmp.Compare(len(o), len(t))
}

// match returns the parameters, still escaped.
func (t template) match(segments []string) (map[string]string, bool) {
	if len(segments) < len(t) {
		return nil, false
	}
	// Most templates differ in their text, which is compared without allocating a map.
	for i, want := range t {
		if isURN(want) {
			break
		}
		if !spec.IsParam(want) && want != segments[i] {
			return nil, false
		}
	}
	params := map[string]string{}
	return params, t.matchFrom(segments, params)
}

func (t template) matchFrom(segments []string, params map[string]string) bool {
	for i, want := range t {
		switch {
		case len(segments) == 0:
			return false
		case isURN(want):
			return t[i+1:].matchAfterURN(want[1:len(want)-1], segments, params)
		case spec.IsParam(want):
			if segments[0] == "" {
				return false
			}
			params[want[1:len(want)-1]] = segments[0]
		case want != segments[0]:
			return false
		}
		segments = segments[1:]
	}
	return len(segments) == 0
}

// matchAfterURN matches a URN at the beginning of the segments, which is the parameter of that
// name, and then the rest of the template.
func (t template) matchAfterURN(name string, segments []string, params map[string]string) bool {
	size := t.sizeOfURN(segments)
	if size < 1 || !startsURN(segments[0]) {
		return false
	}
	text := strings.Join(segments[:size], "/")
	if len(t) > 0 && openParentheses(text) {
		return false
	}
	params[name] = text
	return t.matchFrom(segments[size:], params)
}

// inPlaceOfURN returns the segment at the place of the URN in a template /…/{type}/{urn}, whether
// it is a URN or not.
func (t template) inPlaceOfURN(segments []string) (string, bool) {
	last := len(t) - 1
	if last < 1 || t[last] != "{urn}" || t[last-1] != "{type}" || len(segments) < len(t) || !slices.Equal(t[:last-1], segments[:last-1]) {
		return "", false
	}
	return segments[last], true
}

// sizeOfURN returns the number of segments of a URN before the rest of the template.
func (t template) sizeOfURN(segments []string) int {
	if !slices.ContainsFunc(t, isURN) {
		return len(segments) - len(t)
	}
	for size := len(segments) - len(t); size > 0; size-- {
		if segments[size] == t[0] {
			return size
		}
	}
	return 0
}

// startsURN reports whether an escaped segment begins like a URN. It examines only this prefix.
func startsURN(segment string) bool {
	const prefix = "urn:li:"
	for i := range len(prefix) {
		switch {
		case len(segment) > 0 && segment[0] == prefix[i]:
			segment = segment[1:]
		case len(segment) > 2 && segment[0] == '%':
			c, err := hex.DecodeString(segment[1:3])
			if err != nil || c[0] != prefix[i] {
				return false
			}
			segment = segment[3:]
		default:
			return false
		}
	}
	return true
}

func openParentheses(escaped string) bool {
	opening := strings.Count(escaped, "(") + strings.Count(escaped, "%28")
	return opening > strings.Count(escaped, ")")+strings.Count(escaped, "%29")
}

// splitPath splits an escaped path at its slashes. A slash at the end is ignored.
func splitPath(escaped string) []string {
	return strings.Split(strings.TrimSuffix(strings.TrimPrefix(escaped, "/"), "/"), "/")
}

func decodeParams(raw map[string]string) (map[string]string, error) {
	for name, escaped := range raw {
		text, err := url.PathUnescape(escaped)
		if err != nil {
			return nil, fault.New(fault.Malformed, "path parameter %s is not well percent-encoded", name)
		}
		raw[name] = text
	}
	return raw, nil
}
