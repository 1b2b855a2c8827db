package gateway

import (
	"context"
	"io"
)

// stream is the body of an endless response. It ends when the proxy stops; otherwise it would delay
// the stop until its end is forced.
type stream struct {
	io.ReadCloser
	serving context.Context
	leave   func() bool
}

func newStream(serving context.Context, body io.ReadCloser) *stream {
	return &stream{body, serving, context.AfterFunc(serving, func() { _ = body.Close() })} // closing the body wakes its reader
}

// Read implements io.Reader.
func (s *stream) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	if err != nil && s.serving.Err() != nil {
		err = io.EOF
	}
	return n, err
}

// Close implements io.Closer.
func (s *stream) Close() error {
	s.leave()
	return s.ReadCloser.Close()
}
