package apptest_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
)

func TestTheSecretOfTheIdentityProviderIsInNoAnswerAndNoFile(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	admin := s.As("urn:li:corpuser:datahub")
	const text = "atlantis-provider-secret"
	settings := fact{"urn:li:globalSettings:0", "globalSettingsInfo",
		`{"sso":{"baseUrl":"https://catalog.example","oidcSettings":{"enabled":true,"clientId":"catalog","clientSecret":"` + text + `","discoveryUri":"https://id.example"}}}`}
	for _, d := range doors {
		status, body := d.write(admin, settings)
		if status >= 300 && d.name != "Rest.li CREATE" {
			t.Errorf("%s: %d %.300s", d.name, status, body)
		}
		// A patch is answered with the patch.
		if strings.Contains(body, text) && d.name != "OpenAPI v3 patch" {
			t.Errorf("%s: the answer holds the secret: %.300s", d.name, body)
		}
	}
	for _, q := range readings(settings.urn, settings.aspect) {
		for name, c := range map[string]caller{"the administrator": admin, "the system": s, "somebody": s.As(jo)} {
			if status, body := ask(c, q); strings.Contains(body, text) {
				t.Errorf("%s: %s reads the secret: %d %.300s", q.name, name, status, body)
			}
		}
	}
	if status, body := ask(admin, readings(settings.urn, settings.aspect)[8]); status != http.StatusOK || !strings.Contains(body, `"clientSecret":"********"`) {
		t.Errorf("the administrator reads %d %.300s", status, body)
	}
	s.Stop()
	err := filepath.WalkDir(s.DataDir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Type() != 0 {
			return err
		}
		held, err := os.ReadFile(path)
		if bytes.Contains(held, []byte(text)) {
			t.Errorf("%s holds the secret", e.Name())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
