package main_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartulary/cartulary/pkg/programtest"
)

// BenchmarkProxy sends requests through the proxy, through nginx and directly to the upstream, one
// after the other in each round, so that the ratios are meaningful on a machine with other load.
// Run it with a number of rounds: -bench . -benchtime 5x
//
// The goal is 0.35 of the rate of nginx. If nginx is not installed, that part is skipped with a log
// message.
func BenchmarkProxy(b *testing.B) {
	const callers, requests = 8, 8000
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"version":0,"aspect":{"com.linkedin.common.Status":{"removed":false}}}`)
	}))
	b.Cleanup(upstream.Close)

	targets := []*target{
		{name: "direct", base: upstream.URL},
		{name: "proxy", base: startProxy(b, upstream.URL) + "/api/gms"},
	}
	if base, ok := startNginx(b, upstream.URL); ok {
		targets = append(targets, &target{name: "nginx", base: base})
	} else {
		b.Log("NGINX IS NOT INSTALLED: the comparison with it is left out")
	}
	for b.Loop() {
		for _, t := range targets {
			t.round(callers, requests)
		}
	}

	b.ReportMetric(0, "ns/op") // the time of a round has no meaning
	direct, proxy := targets[0], targets[1]
	for _, t := range targets {
		b.ReportMetric(t.rate(), t.name+"/s")
		b.ReportMetric(float64(t.median().Microseconds()), t.name+"-p50-µs")
	}
	b.ReportMetric(proxy.rate()/direct.rate(), "of-direct")
	if len(targets) == 3 {
		nginx := targets[2]
		b.ReportMetric(proxy.rate()/nginx.rate(), "of-nginx")
		added := float64(nginx.median() - direct.median())
		b.ReportMetric(float64(proxy.median()-direct.median())/max(added, 1), "added-p50-of-nginx")
	}
}

// target is an address under load with its measurements.
type target struct {
	name, base string
	requests   int
	spent      time.Duration
	times      []time.Duration
}

func (t *target) round(callers, requests int) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: callers}}
	defer client.CloseIdleConnections()
	times := make([]time.Duration, requests)
	var next atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	for range callers {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(requests); i = next.Add(1) - 1 {
				sent := time.Now()
				if err := t.get(client); err != nil {
					panic(err) // failures would make the benchmark meaningless
				}
				times[i] = time.Since(sent)
			}
		})
	}
	all.Wait()
	t.spent += time.Since(began)
	t.requests += requests
	t.times = append(t.times, times...)
}

func (t *target) get(client *http.Client) error {
	request, err := http.NewRequest(http.MethodGet, t.base+"/aspects/urn%3Ali%3Atag%3Ax?aspect=status&version=0", nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer some-token")
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: status %d", t.name, answer.StatusCode)
	}
	return nil
}

func (t *target) rate() float64 { return float64(t.requests) / t.spent.Seconds() }

func (t *target) median() time.Duration {
	sorted := slices.Sorted(slices.Values(t.times))
	return sorted[len(sorted)/2]
}

// startProxy builds the proxy and starts it in front of upstream.
func startProxy(b *testing.B, upstream string) string {
	b.Helper()
	binary := programtest.Build(b, ".")
	address := freeAddress(b)
	command := exec.Command(binary)
	command.Env = append(os.Environ(),
		"CARTULARY_LISTEN="+address,
		"CARTULARY_UPSTREAM="+upstream,
		"CARTULARY_SYSTEM_SECRET="+strings.Repeat("a", 43),
		"CARTULARY_SESSION_SECRET="+strings.Repeat("b", 43),
	)
	start(b, command, address)
	return "http://" + address
}

// startNginx starts nginx in front of upstream, with keep-alive connections on both sides and as
// many workers as the proxy has.
func startNginx(b *testing.B, upstream string) (base string, ok bool) {
	b.Helper()
	binary, err := exec.LookPath("nginx")
	if err != nil {
		return "", false
	}
	dir, address := b.TempDir(), freeAddress(b)
	text := fmt.Sprintf(`
daemon off; pid %[1]s/pid; error_log stderr warn; worker_processes auto;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/fastcgi;
  uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
  keepalive_requests 1000000;
  upstream up { server %[2]s; keepalive 64; keepalive_requests 1000000; }
  server {
    listen %[3]s;
    location / { proxy_pass http://up; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
}`, dir, strings.TrimPrefix(upstream, "http://"), address)
	config := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	start(b, exec.Command(binary, "-c", config, "-p", dir), address)
	return "http://" + address, true
}

func freeAddress(b testing.TB) string {
	b.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// start runs a server until the benchmark ends and returns once it accepts connections.
func start(b *testing.B, command *exec.Cmd, address string) {
	b.Helper()
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		_ = command.Wait()
	})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if connection, err := net.Dial("tcp", address); err == nil {
			connection.Close()
			return
		}
		select {
		case <-ctx.Done():
			b.Fatalf("%s does not listen on %s\n%s", command.Path, address, output.String())
		case <-tick.C:
		}
	}
}
