package rest

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	// defaultAnswerLimit is the default of Deps.AnswerLimit.
	defaultAnswerLimit = 64 << 20
	// answerFactor is the memory of a response per byte of a value, in addition to the value
	// itself: the JSON text, in a buffer that grows.
	answerFactor = 2
)

// read reads entities for a response that already contains the given number of bytes of values,
// and adds to it. Entities that would exceed AnswerLimit are refused before they are read.
func (s *handlers) read(ctx context.Context, bytes *int64, urns []urn.URN, q catalog.EntityQuery) ([]catalog.Entity, error) {
	q.MaxBytes = max(s.AnswerLimit-*bytes, 1)
	found, err := s.Catalog.Entities(ctx, urns, q)
	if err != nil {
		return nil, err
	}
	size := 0
	for _, e := range found {
		for _, a := range e.Aspects {
			size += len(a.Value)
		}
	}
	return found, s.reserveAnswer(ctx, bytes, size)
}

// reserveAnswer reserves memory for values in the response. It returns fault.TooLarge when the
// response exceeds AnswerLimit.
func (s *handlers) reserveAnswer(ctx context.Context, bytes *int64, size int) error {
	if *bytes += int64(size); *bytes > s.AnswerLimit {
		return fault.New(fault.TooLarge, "the answer would be larger than %d MiB; ask for fewer entities or aspects", s.AnswerLimit>>20)
	}
	return admission.ReserveRead(ctx, answerFactor*int64(size))
}
