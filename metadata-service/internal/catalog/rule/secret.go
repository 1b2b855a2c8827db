package rule

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// Limits of a secret: the characters of its name and the bytes of its value. Certificates fit.
const (
	maxSecretName  = 1000
	maxSecretValue = 100_000
)

// maxConnection is the maximum size of the details of a connection in bytes.
const maxConnection = 1 << 20

func secretRules() []Rule {
	return []Rule{
		{Name: "values of secrets", Aspects: []string{"dataHubSecretValue"}, Check: checkSecret},
		{Name: "details of connections", Aspects: []string{"dataHubConnectionDetails"}, Check: checkConnection},
	}
}

// checkSecret bounds the secrets that executors receive. Refusals do not quote the value.
func checkSecret(_ context.Context, p Proposed) error {
	name, value := jsontree.Text(p.Value, "name"), jsontree.Text(p.Value, "value")
	switch {
	case strings.TrimSpace(name) == "":
		return violation(p.Aspect.Name, "/name", "must not be empty")
	case len([]rune(name)) > maxSecretName:
		return violation(p.Aspect.Name, "/name", "has %d characters, at most %d are allowed", len([]rune(name)), maxSecretName)
	case len(value) > maxSecretValue:
		return violation(p.Aspect.Name, "/value", "has %d bytes, at most %d are allowed", len(value), maxSecretValue)
	}
	return nil
}

// checkConnection requires that the details of a connection are the text of a JSON value, in clear,
// as its clients decode it; the catalog encrypts it when it stores it. The mask stands for the
// stored details. Refusals do not quote them.
func checkConnection(_ context.Context, p Proposed) error {
	const blob = "/json/encryptedBlob"
	if p.Value["json"] == nil {
		return nil
	}
	switch details := model.At(p.Value, blob); {
	case details == model.Mask:
		return nil
	case len(details) > maxConnection:
		return violation(p.Aspect.Name, blob, "has %d bytes, at most %d are allowed", len(details), maxConnection)
	case !json.Valid([]byte(details)):
		return violation(p.Aspect.Name, blob, "is not the text of a JSON value; write the details in clear, they are encrypted as they are stored")
	}
	return nil
}
