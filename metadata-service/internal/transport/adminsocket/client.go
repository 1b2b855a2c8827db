package adminsocket

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/pkg/fault"
)

const answerTimeout = 30 * time.Second

// Client is the client side of the socket. Its requests run as the system actor.
type Client struct {
	dataDir string
	http    *http.Client
}

// Dial finds the socket of a data directory. If no service runs on it, the error is
// fault.Unavailable, and NotRunning reports true.
func Dial(ctx context.Context, dataDir string) (*Client, error) {
	if _, err := os.Stat(dataDir); err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "there is no data directory %s; say which one the service uses with --data-dir", dataDir)
	}
	path, err := findSocket(dataDir)
	if err != nil {
		return nil, fmt.Errorf("find the socket of the service: %w", err)
	}
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}
	// A connection is tried now, so that the error message is about the service and not about a
	// request.
	conn, err := dial(ctx, "", "")
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, fault.Wrap(err, fault.Forbidden, "only the user who runs the service may use %s", path)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return nil, fault.Wrap(err, fault.Unavailable, "no metadata service runs on %s; start it, or say which data directory it uses with --data-dir", dataDir)
	case err != nil:
		return nil, fmt.Errorf("connect to the service: %w", err)
	}
	_ = conn.Close()
	return &Client{dataDir: dataDir, http: &http.Client{
		Timeout: answerTimeout, Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true},
	}}, nil
}

// NotRunning reports whether an error of Dial means that no service runs on the data directory.
func NotRunning(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED)
}

// Draft describes a token to create.
type Draft struct {
	Actor, Name, Description string      // Actor is the URN or the name of a user
	Duration                 string      // as for token.ParseLifetime
	Scope                    *auth.Scope // nil leaves the token all privileges of its user
}

// Created is a created token.
type Created struct {
	Text string
	Info token.Info
	// Unchecked reports that the service accepts requests without tokens, since authentication is
	// off.
	Unchecked bool
}

// Create creates a token.
func (c *Client) Create(ctx context.Context, d Draft) (Created, error) {
	var out createAnswer
	err := c.call(ctx, "/tokens/create", createRequest(d), &out)
	return Created{Text: out.Token, Info: out.Info, Unchecked: out.Unchecked}, err
}

// tokenPage is the number of tokens in one request of a list.
const tokenPage = 1000

// List returns all tokens, or those that represent a user, newest first.
func (c *Client) List(ctx context.Context, actor string) ([]token.Info, error) {
	var all []token.Info
	for start := 0; ; start += tokenPage {
		var page token.Page
		if err := c.call(ctx, "/tokens/list", listRequest{Actor: actor, Start: start, Count: tokenPage}, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Infos...)
		if start+tokenPage >= page.Total {
			return all, nil
		}
	}
}

// Revoke revokes a token by its id or URN.
func (c *Client) Revoke(ctx context.Context, id string) error {
	return c.call(ctx, "/tokens/revoke", revokeRequest{ID: id}, &noBody{})
}

// RevokeAll revokes all tokens that represent a user and, with created, those that the user
// created for others. It returns their number.
func (c *Client) RevokeAll(ctx context.Context, actor string, created bool) (int, error) {
	var out revokeAllAnswer
	err := c.call(ctx, "/tokens/revoke-all", revokeAllRequest{Actor: actor, Created: created}, &out)
	return out.Revoked, err
}

// RotateKey changes to a new signing key. Tokens signed with the old one remain valid for the
// period keep.
func (c *Client) RotateKey(ctx context.Context, keep time.Duration) error {
	return c.call(ctx, "/tokens/rotate-key", rotateRequest{Keep: keep}, &noBody{})
}

func (c *Client) call(ctx context.Context, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://service"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	res, err := c.http.Do(r)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "the service on %s did not answer", c.dataDir)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return responseError(res)
	}
	if err := json.NewDecoder(res.Body).Decode(out); err != nil {
		return fmt.Errorf("read the answer of the service: %w", err)
	}
	return nil
}

// responseError returns the error in a response.
func responseError(res *http.Response) error {
	var f failure
	if err := json.NewDecoder(res.Body).Decode(&f); err != nil || f.Error == "" {
		return fmt.Errorf("the service answered with status %d", res.StatusCode)
	}
	return fault.New(f.Kind, "%s", f.Error)
}
