package model_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// A value of the wrong type may contain the secret that belongs there.
func TestRefusalsQuoteNoSecret(t *testing.T) {
	t.Parallel()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		aspect, value string
		quoted        bool
	}{
		{"globalSettingsInfo", `{"sso":{"oidcSettings":{"clientSecret":{"is":"hush"}}}}`, false},
		{"globalSettingsInfo", `{"sso":{"oidcSettings":["hush"]}}`, false},
		{"globalSettingsInfo", `["hush"]`, false},
		{"globalSettingsInfo", `{"sso":{"oidcSettings":{"clientId":["hush"]}}}`, true},
		{"dataHubSecretValue", `{"name":["hush"]}`, false},
		{"dataHubConnectionDetails", `{"type":"JSON","json":{"encryptedBlob":["hush"]}}`, false},
	} {
		spec, ok := registry.Aspect(c.aspect)
		if !ok {
			t.Fatal(c.aspect)
		}
		value, err := jsontree.Decode([]byte(c.value))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err = registry.Conform(spec, value); err == nil || strings.Contains(err.Error(), "hush") != c.quoted {
			t.Errorf("%s %s: %v", c.aspect, c.value, err)
		}
	}
}
