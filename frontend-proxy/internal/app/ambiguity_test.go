package app_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestARequestWithTwoLengthsReachesTheServiceWithOne(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	proxy := start(t, settings("http://"+listener.Addr().String()))
	arrived := make(chan string, 1)
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			arrived <- err.Error()
			return
		}
		defer conn.Close()
		var header strings.Builder
		in := bufio.NewReader(conn)
		for line := ""; line != "\r\n" && err == nil; header.WriteString(line) {
			line, err = in.ReadString('\n')
		}
		body, _ := io.ReadAll(chunks(in))
		arrived <- header.String() + string(body)
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
	}()
	res, text := raw(t, proxy, "POST /api/gms/aspects HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nwholly\r\n0\r\n\r\n")
	if res.StatusCode != http.StatusOK {
		t.Errorf("got %d %s", res.StatusCode, text)
	}
	got := <-arrived
	if strings.Contains(got, "Content-Length") || strings.Count(got, "Transfer-Encoding") != 1 || !strings.HasSuffix(got, "wholly") {
		t.Errorf("the service got %q", got)
	}
}

// chunks decodes a chunked body.
func chunks(in *bufio.Reader) io.Reader {
	res, err := http.ReadResponse(bufio.NewReader(io.MultiReader(strings.NewReader("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), in)), nil)
	if err != nil {
		return strings.NewReader(err.Error())
	}
	return res.Body
}

func TestTwoCredentialsNeverReachTheService(t *testing.T) {
	t.Parallel()
	service := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s came through", r.RequestURI) }))
	t.Cleanup(service.Close)
	proxy := start(t, settings(service.URL))
	for _, path := range []string{"/api/graphql", "/api/gms/aspects", "/openapi/v3/entity/tag", "/logIn", "/nowhere"} {
		got := do(t, "POST", proxy+path, "{}", func(r *http.Request) {
			r.Header["Authorization"] = []string{"Bearer one", "Bearer other"}
		})
		if got.status != http.StatusBadRequest || !strings.Contains(got.body, "2 Authorization headers; send one") {
			t.Errorf("%s: got %d %s", path, got.status, got.body)
		}
	}
}
