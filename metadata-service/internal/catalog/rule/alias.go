package rule

import (
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// aliasRules give new datasets an alias with the name in lower case, by which searches find
// datasets whose names some systems write in lower case.
func aliasRules() []Rule {
	return []Rule{{
		Name: "aliases of new datasets", Aspects: []string{"aliases"},
		Default: func(_ Tx, u urn.URN, _ *model.EntitySpec) (model.Object, error) {
			if lowered := WithLowerName(u); lowered != "" {
				return model.Object{"lowercasedUrn": string(lowered)}, nil
			}
			return nil, nil
		},
	}}
}

// WithLowerName returns the URN of a dataset with its name in lower case, or empty if that is the
// URN itself. Platform and environment stay as they are, because no system changes their case.
func WithLowerName(u urn.URN) urn.URN {
	parts := u.Parts()
	if len(parts) != 3 {
		return ""
	}
	parts[1] = strings.ToLower(parts[1])
	if lowered := urn.Make(u.Type(), parts...); lowered != u {
		return lowered
	}
	return ""
}
