package adminsocket_test

import (
	"bytes"
	"context"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token/tokentest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/adminsocket"
	"github.com/cartulary/cartulary/pkg/fault"
)

var discard = slog.New(slog.DiscardHandler)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func tokens(t testing.TB) *tokentest.Tokens { return newTokens(t, false) }

// newTokens creates a service with authentication on, or off.
func newTokens(t testing.TB, off bool) *tokentest.Tokens {
	t.Helper()
	c := authtest.New(t, authtest.Root, authtest.Jo)
	service := tokentest.Open(t, tokentest.Config{Unchecked: off, Aspects: c, Reader: c.Reader(), Accounts: account.NewDirectory(c.Reader()), Authorizer: authtest.Plain{}})
	c.OnChange(service.Changed)
	return service
}

// dataDir is a private directory with a short path: those of package testing have long ones.
func dataDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "c")
	check(t, err)
	t.Cleanup(func() { check(t, os.RemoveAll(dir)) })
	return dir
}

// run serves until the returned function is called.
func run(t testing.TB, dir string, service *tokentest.Tokens) (s *adminsocket.Server, stop func()) {
	t.Helper()
	s, err := adminsocket.Open(t.Context(), dir, service, (*audit.Log)(nil), nil, nil, nil, discard)
	check(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		check(t, <-done)
	}
	t.Cleanup(stop)
	return s, stop
}

// command runs a sub-command and returns its output.
func command(t testing.TB, dir string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, notes bytes.Buffer
	err = adminsocket.RunCommand(t.Context(), dir, args, &out, &notes)
	return out.String(), notes.String(), err
}

func checkFault(t testing.TB, err error, kind fault.Kind, message string) {
	t.Helper()
	if err == nil || fault.KindOf(err) != kind || !strings.Contains(err.Error(), message) {
		t.Fatalf("got %v (%v), want %v: %q", err, fault.KindOf(err), kind, message)
	}
}

func TestLifeOfAToken(t *testing.T) {
	t.Parallel()
	dir, service := dataDir(t), tokens(t)
	run(t, dir, service)
	out, notes, err := command(t, dir, "create", "--actor", "jo", "--name", "first", "--duration", "P30D", "--description", "for me")
	check(t, err)
	text := strings.TrimSuffix(out, "\n")
	v, err := service.Verify(t.Context(), text)
	check(t, err)
	if v.Actor != authtest.Jo || strings.Count(out, "\n") != 1 || !strings.Contains(notes, v.ID) || strings.Contains(notes, text) {
		t.Errorf("stdout must hold the token alone; notes %q", notes)
	}
	_, _, err = command(t, dir, "create", "--actor", "urn:li:corpuser:datahub", "--name", "eter\x1b[2Jnal", "--duration", "no-expiry")
	check(t, err)

	out, _, err = command(t, dir, "list")
	check(t, err)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "ID ") || strings.Contains(out, "\x1b") || !strings.Contains(out, "never") {
		t.Errorf("list:\n%s", out)
	}
	out, _, err = command(t, dir, "list", "--actor", "jo")
	check(t, err)
	if fields := strings.Fields(strings.Split(out, "\n")[1]); len(fields) != 8 || fields[7] != "everything" || fields[0] != v.ID || fields[1] != "first" || fields[2] != "jo" || fields[3] != "jo" {
		t.Errorf("list of jo:\n%s", out)
	}

	_, notes, err = command(t, dir, "revoke", v.ID)
	check(t, err)
	if notes != "revoked\n" {
		t.Errorf("notes %q", notes)
	}
	_, err = service.Verify(t.Context(), text)
	checkFault(t, err, fault.Unauthenticated, "revoked")
	_, _, err = command(t, dir, "revoke", v.ID)
	checkFault(t, err, fault.NotFound, "no longer exists")
}

func TestRevokeByURN(t *testing.T) {
	t.Parallel()
	dir, service := dataDir(t), tokens(t)
	run(t, dir, service)
	out, _, err := command(t, dir, "create", "--actor", "jo", "--name", "n")
	check(t, err)
	v, err := service.Verify(t.Context(), strings.TrimSpace(out))
	check(t, err)
	if days := time.Until(v.Expires).Hours() / 24; days < 29 || days > 30 {
		t.Errorf("by default a token lives %v days", days)
	}
	_, _, err = command(t, dir, "revoke", "urn:li:dataHubAccessToken:"+v.ID)
	check(t, err)
}

func TestCreateWithAScope(t *testing.T) {
	t.Parallel()
	dir, service := dataDir(t), tokens(t)
	run(t, dir, service)
	out, notes, err := command(t, dir, "create", "--actor", "jo", "--name", "n", "--read-only", "--privilege", "VIEW_ENTITY_PAGE", "--privilege", "EXISTS_ENTITY",
		"--resource", "type=dataset", "--resource", "TYPE=chart", "--resource", "DOMAIN!=urn:li:domain:secret", "--resource", "urn^=urn:li:dataset:(urn:li:dataPlatform:hive,")
	check(t, err)
	v, err := service.Verify(t.Context(), strings.TrimSpace(out))
	check(t, err)
	const want = "read-only; VIEW_ENTITY_PAGE; EXISTS_ENTITY; TYPE EQUALS dataset; TYPE EQUALS chart; DOMAIN NOT_EQUALS urn:li:domain:secret; URN STARTS_WITH urn:li:dataset:(urn:li:dataPlatform:hive,"
	if v.Scope.String() != strings.ReplaceAll(want, "dataset; TYPE EQUALS chart", "dataset or chart") || !strings.Contains(notes, "permits: read-only") {
		t.Errorf("scope %q; notes %q", v.Scope, notes)
	}
	const one = "urn:li:dataset:(urn:li:dataPlatform:hive,a=b,PROD)"
	out, _, err = command(t, dir, "create", "--actor", "jo", "--name", "n", "--resource", one)
	check(t, err)
	if v, err := service.Verify(t.Context(), strings.TrimSpace(out)); err != nil || v.Scope.String() != "URN EQUALS "+one {
		t.Errorf("scope %q, %v", v.Scope, err)
	}
	out, _, err = command(t, dir, "list")
	check(t, err)
	if !strings.Contains(out, "URN EQUALS "+one) || !strings.Contains(out, "read-only; ") {
		t.Errorf("list:\n%s", out)
	}
}

func TestATokenIsMadeWhileAuthenticationIsOffAndItIsSaid(t *testing.T) {
	t.Parallel()
	dir, service := dataDir(t), newTokens(t, true)
	run(t, dir, service)
	out, notes, err := command(t, dir, "create", "--actor", "jo", "--name", "n")
	check(t, err)
	if _, err := service.Verify(t.Context(), strings.TrimSpace(out)); err != nil || !strings.Contains(notes, "authentication is off") {
		t.Errorf("notes %q, %v", notes, err)
	}
}

func TestRevokeAllOfAnActor(t *testing.T) {
	t.Parallel()
	dir, service := dataDir(t), tokens(t)
	run(t, dir, service)
	var texts []string
	for _, actor := range []string{"jo", "jo", "datahub"} {
		out, _, err := command(t, dir, "create", "--actor", actor, "--name", "n")
		check(t, err)
		texts = append(texts, strings.TrimSpace(out))
	}
	_, notes, err := command(t, dir, "revoke", "--all", "--actor", "jo")
	check(t, err)
	if notes != "revoked: 2\n" {
		t.Errorf("notes %q", notes)
	}
	for _, text := range texts[:2] {
		_, err := service.Verify(t.Context(), text)
		checkFault(t, err, fault.Unauthenticated, "revoked")
	}
	_, err = service.Verify(t.Context(), texts[2])
	check(t, err)
	_, notes, err = command(t, dir, "revoke", "--all", "--actor", "urn:li:corpuser:jo", "--created")
	check(t, err)
	if notes != "revoked: 0\n" {
		t.Errorf("notes %q", notes)
	}
}

func TestRotateKey(t *testing.T) {
	t.Parallel()
	dir, service := dataDir(t), tokens(t)
	run(t, dir, service)
	out, _, err := command(t, dir, "create", "--actor", "jo", "--name", "n")
	check(t, err)
	text := strings.TrimSpace(out)
	_, notes, err := command(t, dir, "rotate-key", "--keep", "2h")
	check(t, err)
	if !strings.Contains(notes, "2h") {
		t.Errorf("notes %q", notes)
	}
	_, err = service.Verify(t.Context(), text)
	check(t, err)
	_, _, err = command(t, dir, "rotate-key", "--keep", "0s")
	check(t, err)
	_, err = service.Verify(t.Context(), text)
	checkFault(t, err, fault.Unauthenticated, "not valid")
	_, _, err = command(t, dir, "rotate-key", "--keep", "-1h")
	checkFault(t, err, fault.Malformed, "at most")
}

func TestWrongArguments(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	run(t, dir, tokens(t))
	for name, tc := range map[string]struct {
		args []string
		says string
	}{
		"unknown command":          {[]string{"steal"}, "is not a command"},
		"unknown flag":             {[]string{"list", "--some"}, "some"},
		"create without actor":     {[]string{"create", "--name", "n"}, "--actor"},
		"create without name":      {[]string{"create", "--actor", "jo"}, "--name"},
		"create with a rest":       {[]string{"create", "--actor", "jo", "--name", "n", "more"}, "does not take"},
		"bad duration":             {[]string{"create", "--actor", "jo", "--name", "n", "--duration", "soon"}, "ONE_MONTH"},
		"unknown user":             {[]string{"create", "--actor", "nobody", "--name", "n"}, "does not exist"},
		"system actor":             {[]string{"create", "--actor", "__datahub_system", "--name", "n"}, "no access tokens"},
		"unknown privilege":        {[]string{"create", "--actor", "jo", "--name", "n", "--privilege", "FLY"}, "FLY"},
		"unknown field":            {[]string{"create", "--actor", "jo", "--name", "n", "--resource", "SHAPE=round"}, "SHAPE"},
		"resource of no field":     {[]string{"create", "--actor", "jo", "--name", "n", "--resource", "sales"}, "no URN"},
		"revoke of all of nobody":  {[]string{"revoke", "--all"}, "--actor"},
		"revoke of all and of one": {[]string{"revoke", "--all", "--actor", "jo", "id"}, "does not take"},
		"revoke of an actor alone": {[]string{"revoke", "--actor", "jo"}, "--all"},
		"revoke of a group":        {[]string{"revoke", "--all", "--actor", "urn:li:corpGroup:g"}, "belong to a user"},
		"revoke without id":        {[]string{"revoke"}, "needs the id"},
		"revoke of two":            {[]string{"revoke", "a", "b"}, "does not take"},
		"keep that is no time":     {[]string{"rotate-key", "--keep", "long"}, "keep"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, _, err := command(t, dir, tc.args...)
			checkFault(t, err, fault.Malformed, tc.says)
			if out != "" {
				t.Errorf("printed %q", out)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"help"}, {"--help"}, {"create", "--help"}, {"list", "-h"}} {
		out, _, err := command(t, "./data", args...)
		if err != nil || !strings.Contains(out, "token create --actor") || !strings.Contains(out, "default ./data") {
			t.Errorf("%v: %v", args, err)
		}
	}
}

func TestMessagesWhenNoServiceRuns(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	_, _, err := command(t, dir, "list")
	checkFault(t, err, fault.Unavailable, "no metadata service runs on "+dir)
	_, _, err = command(t, dir, "list", "--data-dir", filepath.Join(dir, "none"))
	checkFault(t, err, fault.Unavailable, "there is no data directory")
	_, stop := run(t, dir, tokens(t))
	stop()
	_, _, err = command(t, dir, "list")
	checkFault(t, err, fault.Unavailable, "no metadata service runs on "+dir)
}

func TestSocketIsPrivateAndGoesWithTheServer(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s, stop := run(t, dir, tokens(t))
	info, err := os.Lstat(s.Path())
	check(t, err)
	if info.Mode() != fs.ModeSocket|0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	stop()
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestLongDataDirectory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(dataDir(t), strings.Repeat("long-", 25))
	check(t, os.Mkdir(dir, 0o700))
	s, stop := run(t, dir, tokens(t))
	if strings.HasPrefix(s.Path(), dir) {
		t.Fatalf("the socket is at %s", s.Path())
	}
	info, err := os.Stat(filepath.Dir(s.Path()))
	check(t, err)
	if info.Mode().Perm() != 0o700 {
		t.Errorf("its directory has mode %v", info.Mode())
	}
	_, _, err = command(t, dir, "list")
	check(t, err)
	link := filepath.Join(dataDir(t), "link")
	check(t, os.Symlink(dir, link))
	_, _, err = command(t, link, "list")
	check(t, err)
	if _, err := adminsocket.Open(t.Context(), dir, nil, nil, nil, nil, nil, discard); err == nil || !strings.Contains(err.Error(), "another service") {
		t.Errorf("second server: %v", err)
	}
	_, _, err = command(t, dir, "list")
	check(t, err)
	stop()
	if _, err := os.Stat(filepath.Dir(s.Path())); !os.IsNotExist(err) {
		t.Errorf("its directory is still there: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// leaveStaleSocket creates a socket in the state in which a killed process leaves it.
func leaveStaleSocket(t *testing.T, path string) {
	t.Helper()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	check(t, err)
	l.SetUnlinkOnClose(false)
	check(t, l.Close())
}

func TestSocketOfAKilledServiceIsReplaced(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	leaveStaleSocket(t, filepath.Join(dir, "admin.sock"))
	_, _, err := command(t, dir, "list")
	checkFault(t, err, fault.Unavailable, "no metadata service runs")
	run(t, dir, tokens(t))
	_, _, err = command(t, dir, "list")
	check(t, err)
}

func TestPointerOfAKilledServiceIsReplaced(t *testing.T) {
	t.Parallel()
	dir, old := dataDir(t), filepath.Join(dataDir(t), "cartulary-old")
	check(t, os.Mkdir(old, 0o700))
	leaveStaleSocket(t, filepath.Join(old, "admin.sock"))
	check(t, os.WriteFile(filepath.Join(dir, "admin.sock.path"), []byte(filepath.Join(old, "admin.sock")+"\n"), 0o600))
	run(t, dir, tokens(t))
	_, _, err := command(t, dir, "list")
	check(t, err)
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("the old place is still there: %v", err)
	}
}

func TestClientDoesNotFollowAPointerToAPlaceOfOthers(t *testing.T) {
	t.Parallel()
	dir, open := dataDir(t), filepath.Join(dataDir(t), "cartulary-open")
	check(t, os.Mkdir(open, 0o700))
	check(t, os.Chmod(open, 0o777))
	for text, says := range map[string]string{
		filepath.Join(open, "admin.sock"): "open to others",
		"relative/admin.sock":             "does not hold",
		"/etc/passwd":                     "does not hold",
	} {
		check(t, os.WriteFile(filepath.Join(dir, "admin.sock.path"), []byte(text), 0o600))
		_, _, err := command(t, dir, "list")
		checkFault(t, err, fault.Internal, says)
	}
}

func TestPlacesThatAreRefused(t *testing.T) {
	t.Parallel()
	refused := func(dir, says string) {
		t.Helper()
		if _, err := adminsocket.Open(t.Context(), dir, nil, nil, nil, nil, nil, discard); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want %q", err, says)
		}
	}
	open := dataDir(t)
	check(t, os.Chmod(open, 0o777))
	refused(open, "chmod go-w")
	taken := dataDir(t)
	check(t, os.WriteFile(filepath.Join(taken, "admin.sock"), nil, 0o600))
	refused(taken, "is no socket")
	running := dataDir(t)
	run(t, running, tokens(t))
	refused(running, "another service")
	refused(filepath.Join(running, "none"), "no such file")
}

func TestRequestsThatAreNotOurs(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s, _ := run(t, dir, tokens(t))
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", s.Path())
	}}}
	for _, body := range []string{"", "[]", "{", `{"Name":7}`, `{"Actor":"jo","Name":"\ud800","Duration":"P30D"}`, "{\"Actor\":\"jo\",\"Name\":\"caf\xe9\",\"Duration\":\"P30D\"}", `{"Name":"` + strings.Repeat("x", 1<<20) + `"}`} {
		res, err := client.Post("http://service/tokens/create", "application/json", strings.NewReader(body))
		check(t, err)
		check(t, res.Body.Close())
		if res.StatusCode != http.StatusBadRequest {
			t.Errorf("%.20s: %d", body, res.StatusCode)
		}
	}
}

func TestOpenThenCloseLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s, err := adminsocket.Open(t.Context(), dir, nil, nil, nil, nil, nil, discard)
	check(t, err)
	check(t, s.Close())
	check(t, s.Close())
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
