package timeline

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/pkg/fault"
)

const maxStamp = 10_000 // bytes

// stamp names versions of aspects.
func stamp(versions map[string]int64) string {
	names := make([]string, 0, len(versions))
	for name, version := range versions {
		names = append(names, name+":"+strconv.FormatInt(version, 10))
	}
	slices.Sort(names)
	return strings.Join(names, ";")
}

// ParseStamp reads the stamp of a transaction: versions of aspects by their
// names. An empty text names none; anything else that is no stamp is
// fault.Malformed.
func ParseStamp(text string) (map[string]int64, error) {
	versions := map[string]int64{}
	if text == "" {
		return versions, nil
	}
	if len(text) > maxStamp {
		return nil, fault.New(fault.Malformed, "versionStamp: longer than %d bytes", maxStamp)
	}
	for part := range strings.SplitSeq(text, ";") {
		name, number, _ := strings.Cut(part, ":")
		version, err := strconv.ParseInt(number, 10, 64)
		if _, repeated := versions[name]; err != nil || version < 0 || name == "" || repeated {
			return nil, fault.New(fault.Malformed, "versionStamp: %.60q is no version of an aspect; a stamp looks like globalTags:2;schemaMetadata:7", part)
		}
		versions[name] = version
	}
	return versions, nil
}
