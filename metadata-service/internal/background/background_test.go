package background_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/background"
)

func TestAPanicBecomesAnErrorThatTellsThePlace(t *testing.T) {
	t.Parallel()
	cause := errors.New("out of luck")
	err := background.Protect(func() error { panic(cause) })
	var panicked *background.PanicError
	if !errors.As(err, &panicked) || !errors.Is(err, cause) || !strings.Contains(err.Error(), "background_test.TestAPanicBecomesAnErrorThatTellsThePlace") {
		t.Errorf("got %v", err)
	}
	if err := background.Protect(func() error { return cause }); err != cause {
		t.Errorf("an error became %v", err)
	}
}

func TestAGroupReportsTasksThatEndBadly(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	g := background.NewGroup(slog.New(slog.NewTextHandler(&log, nil)))
	g.Go("well", func() error { return nil })
	g.Go("stopped", func() error { return context.Canceled })
	g.Go("panicking", func() error { panic("on purpose") })
	g.Wait()
	if got := g.Failed(); !slices.Equal(got, []string{"panicking"}) {
		t.Errorf("failed tasks are %v", got)
	}
	if text := log.String(); !strings.Contains(text, "task=panicking") || !strings.Contains(text, "on purpose") || strings.Contains(text, "task=stopped") {
		t.Errorf("log is %s", text)
	}
}
