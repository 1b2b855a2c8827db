// Package bridge provides the tools of a running catalog to a program that starts a command and
// uses the Model Context Protocol over its standard input and output.
package bridge

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Config holds the settings of a bridge.
type Config struct {
	// Address is the URL of the service or of the proxy before it, such as http://localhost:8080.
	Address string
	// Token is an access token; empty if the catalog requires none.
	Token   string
	Version string
	// Transport connects to the program; the standard input and output when nil.
	Transport sdk.Transport
}

// Run serves the tools until the program disconnects or ctx ends; neither is an error. The list
// of tools is read once, at the start.
func Run(ctx context.Context, cfg Config) error {
	remote, err := dial(ctx, cfg)
	if err != nil {
		return err
	}
	defer remote.Close() //nolint:errcheck // nothing is kept there
	known := remote.InitializeResult()
	server := sdk.NewServer(known.ServerInfo, &sdk.ServerOptions{Instructions: known.Instructions, Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}}})
	for tool, err := range remote.Tools(ctx, nil) {
		if err != nil {
			return fmt.Errorf("tools of %s: %w", cfg.Address, err)
		}
		server.AddTool(tool, func(ctx context.Context, call *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return remote.CallTool(ctx, &sdk.CallToolParams{Name: call.Params.Name, Arguments: call.Params.Arguments})
		})
	}
	transport := cfg.Transport
	if transport == nil {
		transport = &sdk.StdioTransport{}
	}
	if err := server.Run(ctx, transport); err != nil && ctx.Err() == nil && !errors.Is(err, sdk.ErrConnectionClosed) {
		return err
	}
	return nil
}

func dial(ctx context.Context, cfg Config) (*sdk.ClientSession, error) {
	at, err := url.Parse(strings.TrimSuffix(cfg.Address, "/"))
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		return nil, fmt.Errorf("%q is no address of a catalog, such as http://localhost:8080", cfg.Address)
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "metadata-service mcp", Version: cfg.Version}, nil)
	session, err := client.Connect(ctx, &sdk.StreamableClientTransport{
		Endpoint: at.JoinPath("mcp").String(), DisableStandaloneSSE: true, HTTPClient: &http.Client{Transport: bearer{cfg.Token, at.Host}},
	}, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cfg.Address, err)
	}
	return session, nil
}

// bearer sends a token to one host only, even after redirects.
type bearer struct{ token, host string }

// RoundTrip implements http.RoundTripper.
func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.token != "" && r.URL.Host == b.host {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	return http.DefaultTransport.RoundTrip(r)
}
