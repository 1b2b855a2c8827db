package gateway

import (
	"context"
	"io"
)

// stream is an answer without an end of its own, which ends when the proxy stops: it would
// hold the stop up until everybody is cut off.
type stream struct {
	io.ReadCloser
	serving context.Context
	leave   func() bool
}

func newStream(serving context.Context, body io.ReadCloser) *stream {
	return &stream{body, serving, context.AfterFunc(serving, func() { _ = body.Close() })} // which wakes its reader
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
