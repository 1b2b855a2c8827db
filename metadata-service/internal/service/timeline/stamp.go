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

// beside are versions of aspects that nothing is told of but that they were in force,
// oldest first.
type beside []besideVersion

type besideVersion struct {
	aspect    string
	row, time int64
}

// versionsBeside are those of the versioned aspects of an entity that are not compared.
// Aspects that the actor may not read are left out.
func (s *Service) versionsBeside(ctx context.Context, u urn.URN, entity *model.EntitySpec, compared map[string]bool) (beside, error) {
	var out beside
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
			out = append(out, besideVersion{spec.Name, versionOf(&found.Record), found.CreatedOn})
			present = len(out) - 1
		}
		if present >= 0 {
			out[present].row = 0
		}
	}
	slices.SortStableFunc(out, func(a, b besideVersion) int { return cmp.Compare(a.time, b.time) })
	return out, nil
}

// advance puts the rows in force at a time among others, and forgets them. Times must
// not go back.
func (b *beside) advance(time int64, rows map[string]int64) {
	n := 0
	for n < len(*b) && (*b)[n].time <= time {
		rows[(*b)[n].aspect] = (*b)[n].row
		n++
	}
	*b = (*b)[n:]
}

// stamp names rows of aspects.
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
