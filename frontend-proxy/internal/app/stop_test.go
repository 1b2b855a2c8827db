package app_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/cartulary/cartulary/frontend-proxy/internal/app"
	"github.com/cartulary/cartulary/pkg/logging"
)

// The goroutines of a connection end with it, so the service can detect whether the proxy leaves
// any behind.
func TestAStoppedProxyKeepsNoConnectionToTheService(t *testing.T) {
	t.Parallel()
	opened, closed := make(chan struct{}, 10), make(chan struct{}, 10)
	service := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"doesPasswordMatch":true,"accessToken":"tok"}`))
	}))
	service.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			opened <- struct{}{}
		case http.StateClosed:
			closed <- struct{}{}
		}
	}
	service.Start()
	t.Cleanup(service.Close)
	ctx, stop := context.WithCancel(t.Context())
	proxy, err := app.Open(ctx, settings(service.URL), logging.Discard())
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- proxy.Run(ctx) }()
	address := "http://" + proxy.Addr().String()
	for _, path := range []string{"/api/graphql", "/logIn"} {
		if got := do(t, "POST", address+path, `{"username":"jo","password":"pw"}`); got.status != http.StatusOK {
			t.Errorf("%s: got %d %s", path, got.status, got.body)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for range len(opened) {
		<-closed
	}
}
