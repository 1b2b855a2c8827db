package main_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/pkg/programtest"
)

const rootUser = "urn:li:corpuser:datahub"

// program is the built binary together with a data folder. It can be started, stopped and killed
// repeatedly.
type program struct {
	binary  string
	data    string
	address string
	token   string
	running *exec.Cmd
	output  string // file with its output
	// settings are additional environment variables.
	settings []string
}

func TestMain(m *testing.M) { programtest.Main(m) }

// buildProgram returns the service without data.
func buildProgram(tb testing.TB) *program {
	tb.Helper()
	binary := programtest.Build(tb, ".")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer listener.Close()
	return &program{binary: binary, data: filepath.Join(tb.TempDir(), "data"), address: listener.Addr().String()}
}

func (p *program) environment() []string {
	return slices.Concat(os.Environ(), []string{"CARTULARY_LISTEN=" + p.address, "CARTULARY_DATA_DIR=" + p.data}, p.settings)
}

// start waits until the service is healthy, and returns the time that took. The first start also
// creates a token.
func (p *program) start(tb testing.TB) time.Duration {
	tb.Helper()
	// Writing to a file costs this process nothing; it would have to read a pipe.
	output, err := os.Create(filepath.Join(tb.TempDir(), "output"))
	if err != nil {
		tb.Fatal(err)
	}
	defer output.Close()
	p.output = output.Name()
	p.running = exec.Command(p.binary)
	p.running.Env = p.environment()
	p.running.Stdout, p.running.Stderr = output, output
	began := time.Now()
	if err := p.running.Start(); err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := p.awaitHealth(ctx); err != nil {
		p.kill()
		tb.Fatalf("%v\n%s", err, p.printed())
	}
	took := time.Since(began)
	if p.token == "" {
		p.token = p.createToken(tb)
	}
	return took
}

// printed returns the output of the program since its start.
func (p *program) printed() []byte {
	text, err := os.ReadFile(p.output)
	if err != nil {
		return []byte(err.Error())
	}
	return text
}

func (p *program) awaitHealth(ctx context.Context) error {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.address+"/health", nil)
		if err != nil {
			return err
		}
		if answer, err := http.DefaultClient.Do(request); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the service is not healthy: %w", ctx.Err())
		case <-tick.C:
		}
	}
}

func (p *program) createToken(tb testing.TB) string {
	tb.Helper()
	command := exec.Command(p.binary, "token", "create", "--actor", rootUser, "--name", tb.Name(), "--duration", "ONE_DAY")
	command.Env = p.environment()
	out, err := command.Output()
	if err != nil {
		tb.Fatalf("token create: %v\n%s", err, p.printed())
	}
	return strings.TrimSpace(string(out))
}

// kill ends the service without notice, as kill -9 does.
func (p *program) kill() {
	_ = p.running.Process.Kill() // it may have ended itself, which Wait reports
	_ = p.running.Wait()
}

// stop ends the service in the way an operator does. An unclean end fails the test.
func (p *program) stop(tb testing.TB) {
	tb.Helper()
	if err := p.running.Process.Signal(os.Interrupt); err != nil {
		tb.Fatal(err)
	}
	if err := p.running.Wait(); err != nil {
		tb.Fatalf("the service did not end well: %v\n%s", err, p.printed())
	}
}

// connections returns a client that keeps n connections open.
func connections(n int) *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: n, MaxConnsPerHost: n}}
}

// call sends a request and returns status and body; the error concerns only the connection.
func (p *program) call(client *http.Client, method, path string, body []byte) (int, []byte, error) {
	request, err := http.NewRequest(method, "http://"+p.address+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+p.token)
	request.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer.StatusCode, text, err
}
