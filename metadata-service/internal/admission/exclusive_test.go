package admission_test

import (
	"context"
	"errors"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
)

// TestPartsOfARequestAreAloneOneAfterTheOther runs two parts of one request, and one of another.
func TestPartsOfARequestAreAloneOneAfterTheOther(t *testing.T) {
	t.Parallel()
	g := admission.New(config())
	ctx, done := g.Part(t.Context())
	defer done()
	end, err := admission.Alone(ctx)
	if err != nil {
		t.Fatal(err)
	}
	other, done := g.Part(t.Context())
	defer done()
	if _, err := admission.Alone(other); err != nil {
		t.Errorf("a part of another request: %v", err)
	}
	gone, leave := context.WithCancel(ctx)
	leave()
	if _, err := admission.Alone(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("a second part that left: %v", err)
	}
	next := make(chan error)
	go func() {
		_, err := admission.Alone(ctx)
		next <- err
	}()
	end()
	if err := <-next; err != nil {
		t.Errorf("a second part: %v", err)
	}
	if _, err := admission.Alone(t.Context()); err != nil {
		t.Errorf("without a request: %v", err)
	}
}
