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

func TestAnEncryptedMemberIsInNoAnswerAndNoFile(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	for _, f := range encryptedFacts {
		writeEncrypted(t, s, f.fact)
	}
	s.Stop()
	err := filepath.WalkDir(s.DataDir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Type() != 0 {
			return err
		}
		held, err := os.ReadFile(path)
		if bytes.Contains(held, []byte(secretText)) {
			t.Errorf("%s holds the secret", e.Name())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// writeEncrypted writes an aspect by all APIs and reads it.
func writeEncrypted(t *testing.T, s *apptest.Service, f fact) {
	t.Helper()
	admin := s.As("urn:li:corpuser:datahub")
	for _, d := range writeAPIs {
		status, body := d.write(admin, f)
		if status >= 300 && d.name != "Rest.li CREATE" {
			t.Errorf("%s: %d %.300s", d.name, status, body)
		}
		if strings.Contains(body, secretText) {
			t.Errorf("%s: the answer holds the secret: %.300s", d.name, body)
		}
	}
	for _, q := range readings(f.urn, f.aspect) {
		for name, c := range map[string]caller{"the administrator": admin, "the system": s, "somebody": s.As(jo)} {
			if status, body := ask(c, q); strings.Contains(body, secretText) {
				t.Errorf("%s: %s reads the secret: %d %.300s", q.name, name, status, body)
			}
		}
	}
	if status, body := ask(admin, readings(f.urn, f.aspect)[8]); status != http.StatusOK || !strings.Contains(body, `"********"`) {
		t.Errorf("the administrator reads %d %.300s", status, body)
	}
}
