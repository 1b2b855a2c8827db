package logging_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/pkg/logging"
)

func TestContextAttributesStandOnEachLine(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := logging.New(&out, slog.LevelInfo, logging.Auto).With("part", "test")
	ctx := logging.WithRequestID(context.Background(), "r1")
	ctx = logging.With(ctx, slog.String("actor", "a"))
	log.InfoContext(ctx, "done", "took", 3*time.Millisecond)

	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatalf("not JSON: %v: %s", err, out.String())
	}
	for key, want := range map[string]any{"msg": "done", "part": "test", "request_id": "r1", "actor": "a", "took": "3ms"} {
		if line[key] != want {
			t.Errorf("%s: got %v, want %v", key, line[key], want)
		}
	}
	if got := logging.RequestID(ctx); got != "r1" {
		t.Errorf("RequestID: got %q, want r1", got)
	}
}

func TestSiblingContextsDoNotShareAttributes(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := logging.New(&out, slog.LevelInfo, logging.Text)
	base := logging.With(context.Background(), slog.Int("a", 1))
	left, right := logging.With(base, slog.Int("left", 1)), logging.With(base, slog.Int("right", 1))
	log.InfoContext(left, "l")
	log.InfoContext(right, "r")
	lines := strings.Split(out.String(), "\n")
	if !strings.Contains(lines[0], "a=1 left=1") || !strings.Contains(lines[1], "a=1 right=1") {
		t.Errorf("got %q", out.String())
	}
}

func TestFormat(t *testing.T) {
	t.Parallel()
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	logging.New(file, slog.LevelInfo, logging.Auto).Info("x")
	written, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(written) {
		t.Errorf("a file is no terminal, yet got %s", written)
	}

	tests := []struct {
		name, text string
		want       logging.Format
		wantErr    bool
	}{
		{name: "empty is auto", text: "", want: logging.Auto},
		{name: "text", text: "text", want: logging.Text},
		{name: "json", text: "json", want: logging.JSON},
		{name: "another word is refused", text: "xml", wantErr: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got logging.Format
			err := got.UnmarshalText([]byte(tt.text))
			if (err != nil) != tt.wantErr || got != tt.want {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestLevelHoldsBack(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	level := new(slog.LevelVar)
	log := logging.New(&out, level, logging.JSON).WithGroup("g")
	log.Debug("hidden")
	level.Set(slog.LevelDebug)
	log.Debug("shown")
	if s := out.String(); strings.Contains(s, "hidden") || !strings.Contains(s, "shown") {
		t.Errorf("got %s", s)
	}
}

// BenchmarkRequestLine writes the log line of a request.
func BenchmarkRequestLine(b *testing.B) {
	log := logging.New(io.Discard, slog.LevelInfo, logging.JSON)
	ctx := logging.WithRequestID(context.Background(), "KJ2M3PLQ5TZ4WXRV7YB6NH2CDE")
	b.ReportAllocs()
	for b.Loop() {
		log.LogAttrs(ctx, slog.LevelInfo, "request", slog.String("method", "POST"), slog.String("path", "/aspects"), slog.Int("status", 200),
			slog.Duration("took", 3*time.Millisecond), slog.Int64("bytes", 19), slog.String("actor", "urn:li:corpuser:datahub"))
	}
}

func TestDurationsAreWrittenWithTheirUnit(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := logging.New(&out, slog.LevelInfo, logging.Text).With("before", time.Second).WithGroup("g")
	ctx := logging.With(context.Background(), slog.Duration("context", time.Minute))
	log.InfoContext(ctx, "done", slog.Group("inner", slog.Duration("deep", 2*time.Millisecond)), "valuer", resolvedValue{}, "plain", 1)
	for _, want := range []string{"before=1s", "g.inner.deep=2ms", "g.valuer=5s", "g.plain=1", "g.context=1m0s"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is not in %s", want, out.String())
		}
	}
}

// resolvedValue is a value that returns its log form only when it is resolved.
type resolvedValue struct{}

func (resolvedValue) LogValue() slog.Value { return slog.DurationValue(5 * time.Second) }
