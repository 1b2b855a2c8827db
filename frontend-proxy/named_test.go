package main_test

import (
	"bufio"
	"context"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/cartulary/cartulary/pkg/programtest"
)

func TestMain(m *testing.M) { programtest.Main(m) }

// installation consists of both programs, started in the way a user does.
type installation struct {
	dir, proxy, service string
	banner              string
	token               string
}

// install builds both programs into an empty folder and starts them with deploy/run.sh.
func install(t *testing.T) *installation {
	t.Helper()
	in := build(t)
	in.start(t)
	return in
}

// build creates an installation that does not run yet.
func build(t *testing.T) *installation {
	t.Helper()
	in := &installation{dir: t.TempDir(), proxy: freeAddress(t), service: freeAddress(t)}
	bin := filepath.Join(in.dir, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, module := range []string{".", "../metadata-service"} {
		binary := programtest.Build(t, module)
		if err := os.Symlink(binary, filepath.Join(bin, filepath.Base(binary))); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile("../deploy/run.sh")
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(in.dir, "deploy", "run.sh")
	if err := os.MkdirAll(filepath.Dir(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(script, text, 0o700); err != nil {
		t.Fatal(err)
	}
	return in
}

// start runs both programs, with additional variables, until stop is called or the test ends.
func (in *installation) start(t *testing.T, variables ...string) (stop func()) {
	t.Helper()
	run := exec.CommandContext(context.WithoutCancel(t.Context()), filepath.Join(in.dir, "deploy", "run.sh"))
	run.Env = append(append(os.Environ(), "SERVICE_LISTEN="+in.service, "PROXY_LISTEN="+in.proxy, "DATA_DIR=kept here"), variables...)
	printed, err := run.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	stopped := false
	stop = func() {
		if !stopped {
			stopped = true
			_ = run.Process.Signal(syscall.SIGTERM)
			_ = run.Wait()
		}
	}
	t.Cleanup(stop)
	in.banner = ""
	lines := bufio.NewScanner(printed)
	for !strings.Contains(in.banner, "Stop with") && lines.Scan() {
		in.banner += lines.Text() + "\n"
	}
	if !strings.Contains(in.banner, "Stop with") {
		t.Fatalf("no banner: %s", in.banner)
	}
	return stop
}

// firstToken creates a token of the administrator with the command in the banner.
func (in *installation) firstToken(t *testing.T) string {
	t.Helper()
	command := tokenCommand.FindStringSubmatch(in.banner)
	if command == nil {
		t.Fatalf("the banner names no way to a token: %s", in.banner)
	}
	create := exec.CommandContext(t.Context(), "sh", "-c", command[1])
	create.Dir = in.dir
	out, err := create.Output()
	if err != nil {
		t.Fatalf("%s: %v", command[1], err)
	}
	return strings.TrimSpace(string(out))
}

// ask sends a GET request and returns status and body. It does not follow redirects.
func (in *installation) ask(t *testing.T, address, token string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(text)
}

var (
	tokenCommand = regexp.MustCompile(`access token +(.*)`)
	passwordFile = regexp.MustCompile(`with the password in (.*initial-admin-password)`)
	// address is an address on this machine; the ports are the default ones or those of the
	// installation.
	address = regexp.MustCompile(`http://127\.0\.0\.1:(\d+)(/[^\s"'<>)` + "`" + `]*)?`)
	// folder is a path in prose that an installed package has.
	folder = regexp.MustCompile(`^/(etc|var|usr)/`)
	// named is a path in prose; an ellipsis or a variable part turns it into a pattern.
	named = regexp.MustCompile("(?:`|<code>)(?:GET |POST )?(/[a-zA-Z0-9/_.*-]*)(?:`|</code>)")
)

// bases are prefixes with which clients are configured. They have no response of their own, so the
// test requests a path below each; of a stream it does not wait for the end.
var bases = map[string]string{
	"/api/gms": "/api/gms/config", "/gms": "/gms/config", "/entities": "/entities/urn%3Ali%3Acorpuser%3Adatahub",
	"/entitiesV2": "/entitiesV2/urn%3Ali%3Acorpuser%3Adatahub", "/entitiesVersionedV2": "/entitiesVersionedV2?ids=List()&entityType=tag",
	"/openapi/v2": "/openapi/v2/entity/corpuser", "/operations": "/operations?action=getIndexSizes",
	"/events/stream": "/events/stream?follow=false", "/events/changes": "/events/changes?follow=false", "/openapi/openlineage/": "/openapi/openlineage/api/v1/lineage",
}

// doors are paths that only the proxy has.
var doors = []string{"/logIn", "/logOut", "/sso", "/authenticate"}

// Addresses in texts must exist: in the banner, refusals, pages and documents. The test requests
// each path from the programs.
func TestEverythingNamedIsThere(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test builds and starts both programs")
	}
	in := install(t)
	in.token = in.firstToken(t)
	if file := passwordFile.FindStringSubmatch(in.banner); file == nil {
		t.Errorf("the banner names no password: %s", in.banner)
	} else if _, err := os.Stat(filepath.Join(in.dir, file[1])); err != nil {
		t.Error(err)
	}

	packaged := ""
	for _, file := range []string{"nfpm.yaml", "preinstall.sh"} {
		text, err := os.ReadFile(filepath.Join("../deploy/packaging", file))
		if err != nil {
			t.Fatal(err)
		}
		packaged += string(text)
	}
	texts := in.documents(t)
	texts["the banner"] = in.banner
	for name, at := range map[string]string{
		"the page at /": in.proxy + "/", "a refusal of the service": in.service + "/entities/x", "a refusal of the proxy": in.proxy + "/api/gms/entities/x",
		"the page of a log-out": in.proxy + "/logOut", "an unknown path": in.proxy + "/nowhere",
	} {
		_, texts[name] = in.ask(t, "http://"+at, "")
	}
	asked := 0
	for name, text := range texts {
		if strings.Contains(text, "Access Tokens of") || strings.Contains(text, "web interface") {
			t.Errorf("%s tells of pages that are not there", name)
		}
		for _, match := range named.FindAllStringSubmatch(text, -1) {
			if folder.MatchString(match[1]) && !strings.Contains(packaged, strings.TrimRight(match[1], "/")) {
				t.Errorf("%s names %s, which no package has", name, match[1])
			}
		}
		for _, at := range in.addresses(text) {
			asked++
			if res, body := in.ask(t, at, in.token); res.StatusCode == http.StatusNotFound && !strings.Contains(body, "not in this build") || res.StatusCode >= 500 {
				t.Errorf("%s names %s: %d %.200s", name, at, res.StatusCode, body)
			}
		}
	}
	if asked < 20 {
		t.Errorf("only %d paths were found", asked)
	}
	for _, path := range []string{"/logOut", "/authenticate", "/authenticate?redirect_uri=%2Fx", "/sso", "/callback/oidc"} {
		res, _ := in.ask(t, "http://"+in.proxy+path, "")
		if there, body := in.ask(t, "http://"+in.proxy+res.Header.Get("Location"), ""); res.StatusCode != http.StatusSeeOther || there.StatusCode != http.StatusOK {
			t.Errorf("%s leads to %q: %d %.200s", path, res.Header.Get("Location"), there.StatusCode, body)
		}
	}
}

// documents returns the user documentation.
func (in *installation) documents(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	read := func(file string) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = string(text)
	}
	read("../README.md")
	read("../docker-compose.yml")
	err := filepath.WalkDir("../docs", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(file, ".md") {
			read(file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// addresses returns the addresses in a text. Paths in prose are those of the proxy or, in the
// documents about APIs, those of the service.
func (in *installation) addresses(text string) []string {
	var found []string
	for _, match := range address.FindAllStringSubmatch(text, -1) {
		host, path := in.proxy, strings.TrimRight(match[2], ".,")
		if match[1] == "8080" || strings.HasSuffix(in.service, ":"+match[1]) {
			host = in.service
		}
		if host == in.service && path == "" {
			path = "/gms"
		}
		found = append(found, "http://"+host+concrete(path))
	}
	for _, match := range named.FindAllStringSubmatch(text, -1) {
		if strings.Contains(match[1], "...") || folder.MatchString(match[1]) {
			continue
		}
		path := concrete(strings.TrimRight(match[1], "*"))
		host := in.service
		if _, prefixed := bases[match[1]]; slices.Contains(doors, path) || prefixed && strings.Contains(match[1], "gms") {
			host = in.proxy
		}
		found = append(found, "http://"+host+path)
	}
	return found
}

func concrete(path string) string {
	if below, ok := bases[path]; ok {
		return below
	}
	return path
}
