package main_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/frontend-proxy/internal/app"
	"github.com/cartulary/cartulary/frontend-proxy/internal/session"
	"github.com/cartulary/cartulary/frontend-proxy/internal/sso/ssotest"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/parsercost"
)

func TestEveryParserIsInTheTable(t *testing.T) {
	problems, err := parsercost.Missing(".", []string{"internal"}, parserTable(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
}

// BenchmarkParsers fails if a byte of a parser's worst input costs more than a hundred times as
// much as a byte of ordinary input. make abuse runs it.
func BenchmarkParsers(b *testing.B) { parsercost.Run(b, parserTable(b)) }

// line is the maximum length of a line of a request, and of all headers together.
const line = 24 << 10

// parserTable returns every parser of external text of the proxy: a new one is one row. The
// service's table contains the parsers that both programs share.
func parserTable(tb testing.TB) []parsercost.Parser {
	tb.Helper()
	p := openProxy(tb)
	value := func(part string) string { return strings.Repeat(part, line/len(part)) }
	paths := map[string]string{
		"slashes": value("/"), "encoded slashes": value("%2F"), "points": value("../"), "encoded points": value("%2e%2e/"), "encoded twice": value("%252e%252e%252f"), "backslashes": value("%5c"), "semicolons": value(";/"), "urns": value("urn:li:tag:a/"), "encoded signs": strings.Repeat("%25", line/3-2) + "2F",
	}
	bodies := map[string]string{
		"members": counting(`{`, `"m%d":1,`, `"username":"a"}`, 60_000), "equal members": strings.Repeat(" ", 10) + `{` + strings.Repeat(`"username":"a",`, 4000) + `"password":"b"}`, "nesting": strings.Repeat("[", 60_000), "escapes": `{"username":"` + strings.Repeat(`\u0061`, 10_000) + `","password":"a"}`, "no UTF-8": strings.Repeat("\xff", 60_000),
		"a long name": `{"username":"` + strings.Repeat("(", 60_000) + `","password":"a"}`, "a name in Han": `{"username":"` + strings.Repeat("漢", 20_000) + `","password":"a"}`, "colons": `{"username":"` + strings.Repeat("urn:li:", 8000) + `","password":"a"}`,
	}
	cookies := map[string]string{
		"zeros": value("A"), "no base64": value("*"), "points": value("."), "cookies": counting("a", "; a%d=b", "", line), "equal cookies": "a" + strings.Repeat("; "+session.CookieName+"=a", line/20), "quotes": `"` + value(`\`) + `"`, "semicolons": value(";"), "equals": value("="),
	}
	return []parsercost.Parser{
		{Name: "paths", Fuzz: []string{"internal/gateway.FuzzPathsNeverLeadToPrivateOnes"}, Around: true, Ordinary: value("entities/urn%3Ali%3Atag%3Aa/"), Worst: paths, Parse: func(text string) { p.raw("/api/gms/" + text) }},
		{Name: "paths of pages", Around: true, Ordinary: value("datasets/urn%3Ali%3Atag%3Aa/"), Worst: paths, Parse: func(text string) { p.raw("/" + text) }},
		{Name: "sessions", Fuzz: []string{"internal/session.FuzzOpen"}, Around: true, Ordinary: value("aGVsbG8gd29ybGQ"), Worst: cookies, Parse: func(text string) {
			p.send(http.MethodGet, "/api/gms/config", "", "Cookie", session.CookieName+"="+text)
		}},
		{Name: "known browsers", Fuzz: []string{"internal/session.FuzzDevice"}, Around: true, Ordinary: value("aGVsbG8gd29ybGQ"), Worst: cookies, Parse: func(text string) {
			p.send(http.MethodPost, "/logIn", "{}", "Cookie", session.DeviceCookieName+"="+text)
		}},
		{Name: "returns of sign-ins", Fuzz: []string{"internal/login.FuzzReturns"}, Around: true, Ordinary: "state=" + strings.Repeat("a", line/2) + "&code=" + strings.Repeat("b", line/2-20), Worst: map[string]string{
			"parameters": counting("", "a%d=b&", "", line), "states": value("state=a&"), "codes": value("code=a&"), "percent signs": "state=" + value("%61"), "half a sign": "state=" + value("%"), "errors": "error=" + value("a") + "&state=a",
		}, Parse: func(text string) {
			p.send(http.MethodGet, "/callback/oidc?"+text, "", "Cookie", "cartulary_sso_0=AAAA")
		}},
		{Name: "cookies of sign-ins", Around: true, Ordinary: value("aGVsbG8gd29ybGQ"), Worst: cookies, Parse: func(text string) {
			p.send(http.MethodGet, "/callback/oidc?state="+strings.Repeat("0", 64)+"&code=x", "", "Cookie", "cartulary_sso_0="+text)
		}},
		{Name: "targets of sign-ins", Around: true, Ordinary: "/" + value("datasets/orders?tab=schema&x=1#a"), Worst: map[string]string{"slashes": value("/"), "backslashes": value(`\`), "percent signs": "/" + value("%2F"), "colons": "/" + value(":"), "at signs": "//" + value("@"), "brackets": "//" + value("[")}, Parse: func(text string) {
			p.send(http.MethodGet, "/authenticate?redirect_uri="+url.QueryEscape(text)[:min(line, len(url.QueryEscape(text)))/3*3], "")
		}},
		{Name: "bodies of sign-ins", Around: true, Ordinary: `{"username":"jo","password":"` + strings.Repeat("a long password ", 3000) + `"}`, Worst: bodies, Parse: func(text string) { p.send(http.MethodPost, "/logIn", text) }},
		{Name: "bodies of sign-ups", Around: true, Ordinary: `{"userUrn":"urn:li:corpuser:jo","fullName":"Jo","email":"jo@example.com","title":"x","inviteToken":"y","password":"` + strings.Repeat("a long password ", 3000) + `"}`, Worst: bodies, Parse: func(text string) { p.send(http.MethodPost, "/signUp", text) }},
		{Name: "ID tokens", Around: true, Ordinary: ssotest.Signed(map[string]any{"sub": strings.Repeat("a", 64<<10)}), Worst: hostileTokens(), Parse: p.signIn},
		{Name: "media types", Around: true, Ordinary: "application/json; " + value("charset=utf-8; "), Worst: map[string]string{"parameters": counting("application/json", ";a%d=1", "", line), "quotes": `application/json;a="` + value(`\"`), "continuations": counting("application/json", ";a*%d=1", "", line)}, Parse: func(text string) {
			p.send(http.MethodPost, "/logIn", "{}", "Content-Type", text)
		}},
		{Name: "addresses of clients", Around: true, Ordinary: value("192.0.2.1, 2001:db8::1, "), Worst: map[string]string{"colons": value(":"), "commas": value(","), "zones": value("fe80::1%a,")}, Parse: func(text string) {
			p.send(http.MethodGet, "/api/gms/config", "", "X-Forwarded-For", text, "Forwarded", text)
		}},
	}
}

// hostileTokens returns ID tokens that a provider, or an attacker in its place, may send.
func hostileTokens() map[string]string {
	encode := base64.RawURLEncoding.EncodeToString
	part := encode([]byte(`{"alg":"RS256","kid":"first"}`))
	return map[string]string{
		"points": strings.Repeat(".", 100_000), "zeros": strings.Repeat("A", 100_000), "a long first part": strings.Repeat("A", 100_000) + ".a.a", "nested claims": part + "." + encode([]byte(strings.Repeat("[", 70_000))) + ".AAAA",
		"claims": ssotest.Signed(many(20_000)), "groups": ssotest.Signed(map[string]any{"sub": "a", "groups": make([]string, 40_000)}), "a long signature": part + "." + part + "." + strings.Repeat("A", 100_000), "members of the head": encode([]byte(counting("{", `"m%d":1,`, `"alg":"RS256"}`, 70_000))) + ".e30.AAAA",
	}
}

func many(n int) map[string]any {
	claims := map[string]any{}
	for i := range n {
		claims[fmt.Sprintf("c%d", i)] = i
	}
	return claims
}

// counting writes a part with the numbers from 0 on, up to a length in bytes.
func counting(begin, format, end string, length int) string {
	var text strings.Builder
	text.WriteString(begin)
	for i := 0; text.Len() < length-len(end); i++ {
		fmt.Fprintf(&text, format, i)
	}
	return text.String() + end
}

// proxy is a proxy in this process, in front of a service that accepts everything and an identity
// provider.
type proxy struct {
	tb       testing.TB
	address  string
	client   *http.Client
	provider *ssotest.Provider
	token    string // token of the provider
}

func openProxy(tb testing.TB) *proxy {
	tb.Helper()
	p := &proxy{tb: tb, provider: ssotest.New(tb), client: &http.Client{
		Transport: &http.Transport{}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	p.provider.Sign = func(map[string]any) string { return p.token }
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, `{"doesPasswordMatch":true,"accessToken":"tok","isNativeUserCreated":true}`)
	}))
	tb.Cleanup(service.Close)
	tb.Cleanup(p.client.CloseIdleConnections)
	cfg := app.Defaults()
	secret := config.Secret(strings.Repeat("s", 32))
	cfg.Listen, cfg.Upstream, cfg.SystemSecret, cfg.SessionSecret = "127.0.0.1:0", service.URL, secret, secret
	cfg.Login.PerMinute, cfg.Login.Burst = 1<<30, 1<<30
	o := &cfg.OIDC
	o.Enabled, o.ClientID, o.ClientSecret, o.DiscoveryURI, o.BaseURL = true, ssotest.ClientID, ssotest.ClientSecret, p.provider.DiscoveryURI(), "http://catalog.example/"
	ctx, cancel := context.WithCancel(context.Background())
	running, err := app.Open(ctx, cfg, logging.Discard())
	if err != nil {
		cancel()
		tb.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- running.Run(ctx) }()
	tb.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			tb.Error(err)
		}
	})
	p.address = "http://" + running.Addr().String()
	return p
}

// send sends a request. No text may cause an internal error of the proxy.
func (p *proxy) send(method, path, body string, headers ...string) *http.Response {
	p.tb.Helper()
	r, err := http.NewRequestWithContext(p.tb.Context(), method, p.address+path, strings.NewReader(body))
	if err != nil {
		return nil // a text that is not an address is not sent
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := p.client.Do(r)
	if err != nil {
		p.tb.Fatal(err)
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		p.tb.Fatal(err)
	}
	if answer.StatusCode == http.StatusInternalServerError {
		p.tb.Fatalf("%s %.100s: %d", method, path, answer.StatusCode)
	}
	return answer
}

// raw sends a path unchanged, which Go clients cannot do.
func (p *proxy) raw(path string) {
	p.tb.Helper()
	connection, err := (&net.Dialer{}).DialContext(p.tb.Context(), "tcp", strings.TrimPrefix(p.address, "http://"))
	if err != nil {
		p.tb.Fatal(err)
	}
	defer connection.Close()
	if _, err := io.WriteString(connection, "GET "+path+" HTTP/1.1\r\nHost: proxy\r\nConnection: close\r\n\r\n"); err != nil {
		p.tb.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, connection); err != nil {
		p.tb.Fatal(err)
	}
}

// signIn is redirected to the provider and back, with an ID token.
func (p *proxy) signIn(token string) {
	p.tb.Helper()
	p.token = token
	begun := p.send(http.MethodGet, "/authenticate?redirect_uri=/tags", "")
	asked, err := url.Parse(begun.Header.Get("Location"))
	if err != nil {
		p.tb.Fatal(err)
	}
	query := asked.Query()
	back := url.Values{"state": {query.Get("state")}, "code": {p.provider.Code(query)}, "iss": {p.provider.URL}}
	var cookies []string
	for _, c := range begun.Cookies() {
		cookies = append(cookies, c.Name+"="+c.Value)
	}
	p.send(http.MethodGet, "/callback/oidc?"+back.Encode(), "", "Cookie", strings.Join(cookies, "; "))
}
