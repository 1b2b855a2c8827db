package gateway

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/pkg/fault"
)

const urnStart = "urn:li:"

// target is the path of a request at the service, with its classification.
type target struct {
	escaped string // the path as sent, without the prefix
	prefix  string // the removed prefix, which is put back in front of redirects
	open    bool
	ingest  bool
	json    bool
	members bool // requires a session or a token, even if the service does not
}

// inspect classifies a path. Decisions use the decoded and cleaned path, as the strictest server
// behind the proxy might read it. The original path is forwarded, since a URN must not lose a slash
// or a dot.
func (rt route) inspect(escaped string) (target, error) {
	rest := strings.TrimPrefix(escaped, rt.strip)
	if rt.to != "" {
		rest = rt.to
	}
	if rest == "" {
		rest = "/"
	}
	decoded, err := url.PathUnescape(rest)
	if err != nil {
		return target{}, fault.Wrap(err, fault.Malformed, "the path is not well encoded")
	}
	if isPrivate(decoded) || isPrivate(rt.strip+decoded) {
		return target{}, fault.New(fault.NotFound, "there is nothing at this path")
	}
	if reason := ambiguity(rest); reason != "" {
		return target{}, fault.New(fault.Malformed, "the path has %s outside a URN", reason)
	}
	return target{
		escaped: rest,
		prefix:  rt.strip,
		open:    slices.ContainsFunc(openPaths, func(p string) bool { return matches(p, decoded) }),
		ingest:  slices.ContainsFunc(ingestPaths, func(p string) bool { return strings.HasPrefix(decoded, p) }),
		json:    slices.Contains(jsonPaths, normalizedPath(decoded)),
		members: slices.ContainsFunc(memberPaths, func(p string) bool { return strings.HasPrefix(normalizedPath(decoded), p) }),
	}, nil
}

// normalizedPath returns a path in lower case without the alternative prefixes of the service's
// routes, even if these are repeated.
func normalizedPath(decoded string) string {
	cleaned := strings.ToLower(path.Clean("/" + strings.ReplaceAll(decoded, `\`, "/")))
	for {
		shorter := cleaned
		for _, prefix := range []string{"/api/gms", "/gms"} {
			if rest, ok := strings.CutPrefix(shorter, prefix); ok && (rest == "" || rest[0] == '/') {
				shorter = rest
			}
		}
		if shorter == cleaned {
			return cleaned
		}
		cleaned = shorter
	}
}

func isPrivate(decoded string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(normalizedPath(decoded), "/"), "/")
	// Some servers treat a semicolon as the start of parameters.
	first, _, _ = strings.Cut(first, ";")
	return privateSegments[first]
}

// ambiguity describes a suspicious element in the part of the path before a URN: two servers could
// read it as different paths.
func ambiguity(escaped string) string {
	segments := strings.Split(strings.TrimPrefix(escaped, "/"), "/")
	for i, segment := range segments {
		text, err := url.PathUnescape(segment)
		if err != nil {
			return "a broken escape"
		}
		if strings.HasPrefix(text, urnStart) {
			return ""
		}
		last := i == len(segments)-1
		switch {
		case text == "" && !last:
			return "a double slash"
		case text == "." || text == "..":
			return "a dot segment"
		case strings.Contains(text, "/"):
			return "an encoded slash"
		case strings.Contains(text, `\`):
			return "a backslash"
		case strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }):
			return "a control character"
		}
	}
	return ""
}

func matches(pattern, p string) bool {
	if start, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(p, start)
	}
	return strings.TrimSuffix(p, "/") == pattern
}
