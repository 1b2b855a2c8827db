package tracing

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// sender posts spans to a collector. It implements otlptrace.Client.
type sender struct {
	endpoint string
	header   http.Header
	timeout  time.Duration
	http     *http.Client
	log      *slog.Logger

	failed atomic.Uint64 // spans that were not exported

	mu     sync.Mutex
	logged time.Time // time of the last log entry about a failure
	lost   int       // spans lost since then
}

// quiet is the time after a logged failure in which further failures are only counted, pause the
// wait before the first retry, and maxReply the maximum number of bytes read from a response.
const (
	quiet    = 5 * time.Minute
	pause    = 250 * time.Millisecond
	maxReply = 16 << 10
)

func newSender(cfg Config, log *slog.Logger) (*sender, error) {
	header, err := cfg.headers()
	if err != nil {
		return nil, fmt.Errorf("tracing.headers: %w", err)
	}
	header.Set("Content-Type", "application/x-protobuf")
	return &sender{endpoint: cfg.Endpoint, header: header, timeout: cfg.Timeout, log: log, http: &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, MaxIdleConns: 1, IdleConnTimeout: 90 * time.Second, TLSHandshakeTimeout: 5 * time.Second,
		},
		// Headers may contain a credential, which must not be sent to the target of a redirect.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Start implements otlptrace.Client. It does nothing.
func (s *sender) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (s *sender) Stop(context.Context) error {
	s.http.CloseIdleConnections()
	return nil
}

// UploadTraces implements otlptrace.Client. It never returns an error, since the library would pass
// each one to a process-wide logger. It logs failures itself, at a limited rate.
func (s *sender) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	// An export request has the same encoding as TracesData, and the type of the request depends on
	// gRPC.
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err == nil {
		err = s.deliver(ctx, body)
	}
	if err != nil {
		s.noteLoss(ctx, err, countSpans(spans))
	}
	return nil
}

// deliver posts until the collector accepts the body, rejects it, or the timeout ends.
func (s *sender) deliver(ctx context.Context, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	for wait := pause; ; wait *= 2 {
		after, err := s.post(ctx, body)
		if err == nil || after < 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(max(wait, after)):
		}
	}
}

// post returns the wait before a retry of the same body, negative if there is no retry.
func (s *sender) post(ctx context.Context, body []byte) (time.Duration, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.endpoint, bytes.NewReader(body))
	if err != nil {
		return -1, err
	}
	r.Header = s.header.Clone()
	res, err := s.http.Do(r)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	reply, err := io.ReadAll(io.LimitReader(res.Body, maxReply))
	switch res.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(res.Header.Get("Retry-After")) // 0 if the header is a date
		return time.Duration(min(max(seconds, 0), 60)) * time.Second, fmt.Errorf("the collector answered %d", res.StatusCode)
	}
	if res.StatusCode/100 != 2 {
		return -1, fmt.Errorf("the collector answered %d with %.100q", res.StatusCode, reply)
	}
	return -1, err
}

// noteLoss logs the first loss, and later the number of spans lost since then.
func (s *sender) noteLoss(ctx context.Context, err error, spans int) {
	s.failed.Add(uint64(spans))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost += spans
	if !s.logged.IsZero() && time.Since(s.logged) < quiet {
		return
	}
	s.log.WarnContext(context.WithoutCancel(ctx), "traces were not exported", "spans", s.lost, "error", err)
	s.logged, s.lost = time.Now(), 0
}

func countSpans(all []*tracepb.ResourceSpans) (n int) {
	for _, of := range all {
		for _, scope := range of.GetScopeSpans() {
			n += len(scope.GetSpans())
		}
	}
	return n
}
