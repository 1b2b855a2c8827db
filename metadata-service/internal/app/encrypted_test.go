//go:build unix

package app_test

import (
	"context"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
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
	// edit changes the row in the file, and returns its value.
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

// every keeps the log records of all levels.
type every struct{ lines }

func (*every) Enabled(context.Context, slog.Level) bool { return true }

func (e *every) Handle(_ context.Context, r slog.Record) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.kept = append(e.kept, r)
	return nil
}

func (e *every) WithAttrs([]slog.Attr) slog.Handler { return e }
func (e *every) WithGroup(string) slog.Handler      { return e }

func TestTheLogHoldsNoSecretOfAnAspect(t *testing.T) {
	t.Parallel()
	log := &every{}
	a, err := app.Open(t.Context(), settings(t.TempDir()), "test", slog.New(log))
	if err != nil {
		t.Fatal(err)
	}
	const secret = "hush-9f2c1e"
	for _, value := range []string{
		`"urn":"urn:li:dataHubSecret:a","dataHubSecretValue":{"value":{"name":"a","value":"` + secret + `"}}`,
		`"urn":"urn:li:dataHubSecret:a","dataHubSecretValue":{"value":{"name":["` + secret + `"],"value":"` + secret + `"}}`,
		`"urn":"urn:li:dataHubConnection:a","dataHubConnectionDetails":{"value":{"type":"JSON","json":{"encryptedBlob":"\"` + secret + `\""}}}`,
		`"urn":"urn:li:dataHubConnection:a","dataHubConnectionDetails":{"value":{"type":"JSON","json":{"encryptedBlob":"` + secret + `"}}}`,
		`"urn":"urn:li:globalSettings:0","globalSettingsInfo":{"value":{"sso":{"baseUrl":"a","oidcSettings":{"clientSecret":["` + secret + `"]}}}}`,
	} {
		kind := strings.ToLower(strings.Split(value, ":")[3])
		for range 2 {
			call(t, a, http.MethodPost, "/openapi/v3/entity/"+kind+"?async=false", "[{"+value+"}]")
		}
	}
	for _, path := range []string{"/openapi/v3/entity/datahubsecret/urn:li:dataHubSecret:a", "/openapi/v3/entity/datahubconnection/urn:li:dataHubConnection:a"} {
		if status, body := call(t, a, http.MethodGet, path, ""); status != http.StatusOK || strings.Contains(body, secret) {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	shut(t, a)
	texts := log.taken()
	for _, text := range texts {
		if strings.Contains(text, secret) {
			t.Errorf("the log holds %s", text)
		}
	}
	if len(texts) < 10 {
		t.Errorf("%d records were logged", len(texts))
	}
}
