package adminsocket

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
	"github.com/cartulary/cartulary/pkg/utf8json"
)

const (
	maxBody         = 64 << 10
	readTimeout     = 10 * time.Second
	shutdownTimeout = 5 * time.Second
)

// Tokens are the offered token operations; token.Service implements them.
type Tokens interface {
	Create(ctx context.Context, d token.Draft) (text string, info token.Info, err error)
	List(ctx context.Context, q token.Query) (token.Page, error)
	Revoke(ctx context.Context, id string) error
	RevokeAll(ctx context.Context, user urn.URN, created bool) (int, error)
	RotateKeys(ctx context.Context, keep time.Duration) error
	Unchecked() bool
}

// Server is the server side of the socket.
type Server struct {
	http     *http.Server
	mux      *http.ServeMux
	listener net.Listener
	path     string
	dataDir  string
	log      *slog.Logger
	closing  sync.Once
}

// Open creates the socket of a data directory. It replaces the socket of a killed service, and
// returns an error if a service runs. Clients wait until Run serves them.
func Open(ctx context.Context, dataDir string, tokens Tokens, events Events, access Access, tests Tests, operations Operations, log *slog.Logger) (*Server, error) {
	s := &Server{dataDir: dataDir, log: log}
	if err := s.listen(ctx); err != nil {
		return nil, fmt.Errorf("socket for administration: %w", err)
	}
	s.mux = handler(tokens, events, access, tests, operations, log)
	s.http = &http.Server{
		Handler: s.mux, ReadTimeout: readTimeout, MaxHeaderBytes: maxBody,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		// Every client that may connect acts as the service itself.
		BaseContext: func(net.Listener) context.Context {
			return auth.WithActor(context.WithoutCancel(ctx), auth.Actor{URN: model.SystemActor, System: true})
		},
	}
	return s, nil
}

// Path is the path of the socket.
func (s *Server) Path() string { return s.path }

// Run serves until ctx ends, waits for running requests and removes the socket.
func (s *Server) Run(ctx context.Context) error {
	failed := make(chan error, 1)
	go func() {
		failed <- background.Protect(func() error { return s.http.Serve(&peerCheckingListener{Listener: s.listener, log: s.log}) })
	}()
	select {
	case err := <-failed:
		return errors.Join(fmt.Errorf("serve %s: %w", s.path, err), s.Close())
	case <-ctx.Done():
	}
	deadline, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	err := s.http.Shutdown(deadline)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.http.Close()
	}
	<-failed
	return errors.Join(err, s.Close())
}

// Close removes the socket if Run will not be called. A second call has no effect.
func (s *Server) Close() (err error) {
	s.closing.Do(func() {
		if failure := s.listener.Close(); failure != nil && !errors.Is(failure, net.ErrClosed) {
			err = failure
		}
		if dir, failure := canonical(s.dataDir); failure == nil {
			err = errors.Join(err, removeTemporarySocket(context.Background(), dir))
		}
	})
	return err
}

func (s *Server) listen(ctx context.Context) error {
	path, err := socketPath(ctx, s.dataDir)
	if err != nil {
		return err
	}
	if err := removeStale(ctx, path); err != nil {
		return err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "unix", path)
	if err != nil {
		return err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return errors.Join(err, l.Close())
	}
	s.listener, s.path = l, path
	return nil
}

// removeStale removes the socket of a killed service. It returns an error if a service runs.
func removeStale(ctx context.Context, path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().Type() != fs.ModeSocket {
		return fmt.Errorf("%s is in the way and is no socket; move it elsewhere", path)
	}
	conn, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err == nil {
		_ = conn.Close()
		return fmt.Errorf("another service runs on %s", filepath.Dir(path))
	}
	return os.Remove(path)
}

// peerCheckingListener closes connections of other users.
type peerCheckingListener struct {
	net.Listener
	log *slog.Logger
}

func (g *peerCheckingListener) Accept() (net.Conn, error) {
	for {
		conn, err := g.Listener.Accept()
		if err != nil || isTrustedPeer(conn) {
			return conn, err
		}
		g.log.Warn("connection of another user refused", "socket", g.Addr().String())
		_ = conn.Close()
	}
}

// The requests; each is a POST of JSON.
type (
	createRequest struct {
		Actor, Name, Description, Duration string
		Scope                              *auth.Scope
	}
	createAnswer struct {
		Token string
		Info  token.Info
		// Unchecked reports that authentication is off, so the token is not needed.
		Unchecked bool
	}
	listRequest struct {
		Actor        string
		Start, Count int
	}
	revokeRequest    struct{ ID string }
	revokeAllRequest struct {
		Actor   string
		Created bool // including those that the actor created for others
	}
	revokeAllAnswer struct{ Revoked int }
	rotateRequest   struct{ Keep time.Duration }
	noBody          struct{}
	failure         struct {
		Error string
		Kind  fault.Kind
	}
)

func handler(tokens Tokens, events Events, access Access, tests Tests, operations Operations, log *slog.Logger) *http.ServeMux {
	mux := http.NewServeMux()
	mountAudit(mux, events, log)
	mountAccess(mux, access, log)
	mountTests(mux, tests, log)
	mountOperations(mux, operations, log)
	mux.Handle("POST /tokens/create", operation(log, func(ctx context.Context, in createRequest) (createAnswer, error) {
		lifetime, err := token.ParseLifetime(in.Duration)
		if err != nil {
			return createAnswer{}, err
		}
		text, info, err := tokens.Create(ctx, token.Draft{
			Actor: userURN(in.Actor), Name: in.Name, Description: in.Description, Lifetime: lifetime, Scope: in.Scope, Ahead: true,
		})
		return createAnswer{Token: text, Info: info, Unchecked: tokens.Unchecked()}, err
	}))
	mux.Handle("POST /tokens/list", operation(log, func(ctx context.Context, in listRequest) (token.Page, error) {
		return tokens.List(ctx, token.Query{Actor: userURN(in.Actor), Start: in.Start, Count: in.Count})
	}))
	mux.Handle("POST /tokens/revoke", operation(log, func(ctx context.Context, in revokeRequest) (noBody, error) {
		return noBody{}, tokens.Revoke(ctx, strings.TrimPrefix(in.ID, "urn:li:"+token.EntityType+":"))
	}))
	mux.Handle("POST /tokens/revoke-all", operation(log, func(ctx context.Context, in revokeAllRequest) (revokeAllAnswer, error) {
		n, err := tokens.RevokeAll(ctx, userURN(in.Actor), in.Created)
		return revokeAllAnswer{Revoked: n}, err
	}))
	mux.Handle("POST /tokens/rotate-key", operation(log, func(ctx context.Context, in rotateRequest) (noBody, error) {
		return noBody{}, tokens.RotateKeys(ctx, in.Keep)
	}))
	return mux
}

// operation decodes the request, calls the function, and encodes the response or the error.
func operation[In, Out any](log *slog.Logger, call func(context.Context, In) (Out, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in In
		var answer any
		status := http.StatusOK
		body, err := io.ReadAll(utf8json.NewReader(http.MaxBytesReader(w, r.Body, maxBody)))
		if err == nil {
			err = json.Unmarshal(body, &in)
		}
		if err != nil {
			err = malformedRequest(err)
		} else {
			answer, err = call(r.Context(), in)
		}
		if err != nil {
			if fault.KindOf(err) == fault.Internal {
				log.ErrorContext(r.Context(), "request of the administrator failed", "path", r.URL.Path, "error", err)
			}
			status, answer = fault.KindOf(err).Status(), failure{Error: fault.Message(err), Kind: fault.KindOf(err)}
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		if err := json.NewEncoder(w).Encode(answer); err != nil {
			log.DebugContext(r.Context(), "answer not written", "error", err)
		}
	})
}

func malformedRequest(err error) error {
	var bad *utf8json.Error
	if errors.As(err, &bad) {
		return fault.Wrap(err, fault.Malformed, "the request at %s", bad.PublicMessage())
	}
	return fault.New(fault.Malformed, "the request cannot be read")
}
