package config_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/pkg/config"
)

func TestSecretIsNeverPrinted(t *testing.T) {
	t.Parallel()
	const text = "hunter2"
	holder := struct {
		Key  config.Secret
		Ptr  *config.Secret
		Keys map[string]config.Secret
	}{Key: text, Keys: map[string]config.Secret{"a": text}}
	key := holder.Key
	holder.Ptr = &key

	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%10s"} {
		fmt.Fprintf(&out, verb+"\n", holder.Key)
		fmt.Fprintf(&out, verb+"\n", holder)
		fmt.Fprintf(&out, verb+"\n", fmt.Errorf("wrapped: %v", holder.Key))
	}
	encoded, err := json.Marshal(holder)
	if err != nil {
		t.Fatal(err)
	}
	out.Write(encoded)
	for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(h).Info("x", "key", holder.Key, "all", holder)
	}
	if s := out.String(); strings.Contains(s, text) || strings.Contains(strings.ToLower(s), fmt.Sprintf("%x", text)) {
		t.Errorf("secret shows:\n%s", s)
	}
	if !strings.Contains(out.String(), `"***"`) {
		t.Errorf("mask is missing:\n%s", out.String())
	}
	if holder.Key.Reveal() != text {
		t.Errorf("Reveal returned %q", holder.Key.Reveal())
	}
}
