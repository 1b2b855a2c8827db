package timeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const maxStamp = 10_000 // bytes

// otherVersions holds the versions of aspects that give no events but belong in stamps, oldest
// first.
type otherVersions []otherVersion

type otherVersion struct {
	aspect    string
	row, time int64
}

// uncomparedVersions returns the versions of the versioned aspects that are not compared. It omits
// aspects that the actor may not read.
func (s *Service) uncomparedVersions(ctx context.Context, u urn.URN, entity *model.EntitySpec, compared map[string]bool) (otherVersions, error) {
	var out otherVersions
	for _, spec := range entity.Aspects {
		if spec.Timeseries || spec.Confidential() || compared[spec.Name] {
			continue
		}
		present := -1
		for found, err := range s.aspects.History(ctx, u, spec.Name, MaxVersions) {
			if errors.Is(err, fault.Forbidden) {
				break
			}
			if err != nil {
				return nil, fmt.Errorf("read %s of %s: %w", spec.Name, u, err)
			}
			out = append(out, otherVersion{spec.Name, versionOf(&found.Record), found.CreatedOn})
			present = len(out) - 1
		}
		if present >= 0 {
			out[present].row = 0
		}
	}
	slices.SortStableFunc(out, func(a, b otherVersion) int { return cmp.Compare(a.time, b.time) })
	return out, nil
}

// advance adds the rows in force at a time to rows, and drops them from b. Times must not decrease
// between calls.
func (b *otherVersions) advance(time int64, rows map[string]int64) {
	n := 0
	for n < len(*b) && (*b)[n].time <= time {
		rows[(*b)[n].aspect] = (*b)[n].row
		n++
	}
	*b = (*b)[n:]
}

// stamp encodes rows of aspects as a stamp.
func stamp(versions map[string]int64) string {
	names := make([]string, 0, len(versions))
	for name, version := range versions {
		names = append(names, name+":"+strconv.FormatInt(version, 10))
	}
	slices.Sort(names)
	return strings.Join(names, ";")
}

// ParseStamp parses the stamp of a transaction into versions by aspect name. An empty text gives an
// empty map. Any other text that is not a stamp is fault.Malformed.
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
