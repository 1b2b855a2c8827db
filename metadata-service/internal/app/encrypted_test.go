//go:build unix

package app_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

func TestASecretThatAnOlderVersionStoredInClearIsEncryptedAtTheStart(t *testing.T) {
	t.Parallel()
	cfg := settings(t.TempDir())
	a := open(t, cfg)
	const body = `[{"urn":"urn:li:globalSettings:0","globalSettingsInfo":{"value":{"sso":{"baseUrl":"https://catalog.example","oidcSettings":` +
		`{"enabled":true,"clientId":"catalog","clientSecret":"x","discoveryUri":"https://id.example"}}}}}]`
	if status, answer := call(t, a, http.MethodPost, "/openapi/v3/entity/globalsettings?async=false", body); status != http.StatusOK {
		t.Fatalf("write: %d %s", status, answer)
	}
	if got := ask(t, a, asTheSystem, http.MethodPost, "/auth/getSsoSettings", `{}`); got.status != http.StatusOK || !strings.Contains(got.body, `"clientSecret":"x"`) {
		t.Errorf("the proxy is told %d %s", got.status, got.body)
	}
	shut(t, a)
	key := store.Key{URN: "urn:li:globalSettings:0", Aspect: "globalSettingsInfo"}
	// edit changes the row as it lies in the file, and gives it.
	edit := func(change func(value string) string) (value string) {
		t.Helper()
		rows, err := bolt.Open(t.Context(), filepath.Join(cfg.DataDir, "catalog.db"), bolt.Config{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = rows.Update(t.Context(), func(tx store.Tx) error {
			rec, err := store.Latest(t.Context(), tx, key)
			if err != nil {
				return err
			}
			value = change(string(rec.Value))
			rec.Value = []byte(value)
			return tx.Put(t.Context(), *rec)
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		return value
	}
	const clear = `"clientSecret":"stored-in-clear"`
	edit(func(value string) string {
		before, rest, _ := strings.Cut(value, `"clientSecret":"`)
		_, after, _ := strings.Cut(rest, `"`)
		return before + clear + after
	})
	shut(t, open(t, cfg))
	got := edit(func(value string) string { return value })
	if strings.Contains(got, clear) || !strings.Contains(got, `"clientSecret":"v1.`) {
		t.Errorf("after a start the store holds %s", got)
	}
}
