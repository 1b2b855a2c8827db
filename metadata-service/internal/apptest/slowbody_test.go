package apptest_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
)

// figure reads a metric of a service.
func figure(t *testing.T, s *apptest.Service, name string) float64 {
	t.Helper()
	_, text := s.Call(http.MethodGet, "/metrics", "")
	found := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("there is no figure %s", name)
	}
	value, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestBodiesThatAreStillArrivingKeepNobodyFromWorking(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, t.TempDir(), func(c *app.Config) {
		c.Memory.Requests = 8 << 20
		c.HTTP.BodyStall, c.HTTP.Body, c.HTTP.BodyGrace = time.Hour, time.Hour, time.Hour // bodies stay however slow the machine is
	})
	attacker := proxyHeaders("198.51.100.4")
	// A request waits for memory for ten seconds at most, so on a slow machine the first ones can end
	// before the last ones arrive.
	for figure(t, s, "cartulary_large_requests_waiting") < 30 {
		if t.Context().Err() != nil {
			t.Fatal("the bodies do not arrive")
		}
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		var header strings.Builder
		if err := attacker.Write(&header); err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, "POST /openapi/v3/entity/tag?async=false HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 4000000\r\nAuthorization: "+
			apptest.Credential+"\r\n"+header.String()+"\r\n["+strings.Repeat(" ", 600_000)) // fails if the request is refused
	}
	body := func(name string, length int) string {
		return fmt.Sprintf(`[{"urn":"urn:li:tag:%s","tagProperties":{"value":{"name":%q}}}]%s`, name, name, strings.Repeat(" ", length))
	}
	for name, c := range map[string]struct {
		length int
		client http.Header
	}{
		"large": {700_000, proxyHeaders("198.51.100.5")}, "small": {100, proxyHeaders("198.51.100.5")}, "small-beside": {100, attacker},
	} {
		headers := []string{}
		for header := range c.client {
			headers = append(headers, header, c.client.Get(header))
		}
		if status, text := request(t, s, "/openapi/v3/entity/tag?async=false", body(name, c.length), headers...); status != http.StatusOK {
			t.Errorf("%s: %d %.200s", name, status, text)
		}
	}
}
