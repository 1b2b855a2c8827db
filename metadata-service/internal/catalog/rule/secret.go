package rule

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

// Limits of a secret: the characters of its name and the bytes of its value. Certificates
// fit.
const (
	maxSecretName  = 1000
	maxSecretValue = 100_000
)

func secretRules() []Rule {
	return []Rule{{Name: "values of secrets", Aspects: []string{"dataHubSecretValue"}, Check: checkSecret}}
}

// checkSecret bounds what executors are handed. Refusals do not quote the value.
func checkSecret(_ context.Context, p Proposed) error {
	name, value := jsontree.Text(p.Value, "name"), jsontree.Text(p.Value, "value")
	switch {
	case strings.TrimSpace(name) == "":
		return broken(p.Aspect.Name, "/name", "must not be empty")
	case len([]rune(name)) > maxSecretName:
		return broken(p.Aspect.Name, "/name", "has %d characters, at most %d are allowed", len([]rune(name)), maxSecretName)
	case len(value) > maxSecretValue:
		return broken(p.Aspect.Name, "/value", "has %d bytes, at most %d are allowed", len(value), maxSecretValue)
	}
	return nil
}
