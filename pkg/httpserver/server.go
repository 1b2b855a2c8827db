package httpserver

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"
)

const (
	maxHeaderBytes = 32 << 10
	defaultDrain   = 20 * time.Second
	defaultGrace   = 2 * time.Second
)

// Config configures a Server. Only Log is required.
type Config struct {
	// Address to listen on, host:port; an empty port or 0 lets the system choose.
	Address string
	// BasePath is the path below which browsers reach the server, for the log; empty means the
	// root.
	BasePath string
	Log      *slog.Logger
	// Drain is the time for running requests to finish after a stop; 20 s when zero.
	Drain time.Duration
	// Grace is the time for handlers of interrupted requests to return; 2 s when zero.
	Grace time.Duration
	// Timeouts limits the waits for clients; zero fields have the values of DefaultTimeouts.
	Timeouts Timeouts
	// Gzip compresses responses of any length, including errors, as the middleware Gzip does.
	Gzip bool
	// Now and NewID are for tests: the clock of the access log line, and the source of request ids.
	// Nil means the real ones.
	Now   func() time.Time
	NewID func() string
}

// State is a phase in the life cycle of a server.
type State int32

// A server begins as Starting. Its owner sets Ready with SetReady; Run sets Stopping.
const (
	Starting State = iota
	Ready
	Stopping
)

func (s State) String() string {
	switch s {
	case Ready:
		return "ready"
	case Stopping:
		return "stopping"
	}
	return "starting"
}

// Server is an echo router in its frame. Add all routes before Run.
type Server struct {
	// Echo is the router to which routes are added. It is an http.Handler that includes the frame,
	// so tests may use it without a listener. Its error handler must not be replaced.
	Echo *echo.Echo

	cfg        Config
	gzip       *compressor // nil if compression is off
	state      atomic.Int32
	listener   net.Listener
	open       connections
	inProgress requests
	serving    context.Context
	stop       context.CancelFunc
}

// New creates a server that does not listen yet.
func New(cfg Config) *Server {
	if cfg.Drain == 0 {
		cfg.Drain = defaultDrain
	}
	if cfg.Grace == 0 {
		cfg.Grace = defaultGrace
	}
	cfg.Timeouts = cfg.Timeouts.withDefaults()
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.NewID == nil {
		cfg.NewID = rand.Text
	}
	s := &Server{Echo: echo.New(), cfg: cfg, open: connections{limit: limitConnections(cfg.Timeouts.Connections)}}
	s.serving, s.stop = context.WithCancel(context.Background())
	if cfg.Gzip {
		s.gzip = newCompressor(0)
	}
	s.Echo.HTTPErrorHandler = s.renderError
	s.Echo.Pre(s.frame)
	return s
}

// State returns the current phase. It is safe for concurrent use.
func (s *Server) State() State { return State(s.state.Load()) }

// Serving returns a context that ends when the server begins to stop, for handlers of endless
// responses.
func (s *Server) Serving() context.Context { return s.serving }

// SetReady reports that the parts behind the routes are ready. It has no effect after Stopping.
func (s *Server) SetReady() { s.state.CompareAndSwap(int32(Starting), int32(Ready)) }

// Listen binds the address, so that an invalid address is reported before slow parts start. From
// then on clients can connect; they wait until Run answers them.
func (s *Server) Listen(ctx context.Context) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", s.cfg.Address)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", s.cfg.Address, err)
	}
	s.listener = l
	return nil
}

// Addr returns the address bound by Listen, with the actual port; nil before.
func (s *Server) Addr() net.Addr {
	if s.listener == nil {
		return nil
	}
	return s.listener.Addr()
}

// Close releases the address if Run was not called. After Run, or on a second call, it does
// nothing.
func (s *Server) Close() error {
	if s.listener == nil {
		return nil
	}
	if err := s.listener.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// Run serves until ctx ends, then lets running requests finish for the time Config.Drain and
// interrupts the remaining ones. It calls Listen first unless that was done. After a stop it
// returns nil, and every handler has returned. The exception are handlers that do not return
// although their request was interrupted: the log reports their number, and Run waits for them only
// for a limited time.
func (s *Server) Run(ctx context.Context) error {
	if s.listener == nil {
		if err := s.Listen(ctx); err != nil {
			return err
		}
	}
	hs := &http.Server{
		Handler:           withHeads(s.Echo),
		ReadHeaderTimeout: s.cfg.Timeouts.Header,
		IdleTimeout:       s.cfg.Timeouts.Idle,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.cfg.Log.Handler(), slog.LevelDebug),
		BaseContext:       func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
		ConnContext:       withConn,
		ConnState:         s.open.track,
	}
	listening := []any{"address", s.Addr().String()}
	if s.cfg.BasePath != "" {
		listening = append(listening, "base_path", s.cfg.BasePath)
	}
	s.cfg.Log.InfoContext(ctx, "listening", listening...)
	s.open.limit = limitConnections(s.cfg.Timeouts.Connections) // after a possible change of the memory limit
	failed := make(chan error, 1)
	go func() { failed <- hs.Serve(framingListener{s.listener}) }()
	select {
	case err := <-failed:
		// The listener has failed; accepted connections are still served.
		s.drain(ctx, hs)
		return fmt.Errorf("serve %s: %w", s.Addr(), err)
	case <-ctx.Done():
	}
	s.drain(ctx, hs)
	<-failed
	return nil
}

func (s *Server) drain(ctx context.Context, hs *http.Server) {
	s.state.Store(int32(Stopping))
	s.stop()
	s.cfg.Log.InfoContext(ctx, "stopping", "drain", s.cfg.Drain)
	deadline, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.cfg.Drain)
	defer cancel()
	err := hs.Shutdown(deadline)
	if errors.Is(err, context.DeadlineExceeded) {
		s.cfg.Log.WarnContext(ctx, "requests cut off", "drain", s.cfg.Drain)
		err = hs.Close()
	}
	if err != nil {
		s.cfg.Log.WarnContext(ctx, "stop", "error", err)
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.cfg.Grace)
	defer cancel()
	if left := s.open.wait(grace); left > 0 {
		s.cfg.Log.ErrorContext(ctx, "requests do not end", "requests", left, "waited", s.cfg.Grace)
	}
}
