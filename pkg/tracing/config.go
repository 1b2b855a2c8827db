package tracing

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/cartulary/cartulary/pkg/config"
)

// Ratio is the part of the traces that is recorded, 0 to 1.
type Ratio float64

// UnmarshalText takes a number such as 0.05.
func (r *Ratio) UnmarshalText(text []byte) error {
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.IsNaN(n) {
		return fmt.Errorf("%q is not a number from 0 to 1, such as 0.05", text)
	}
	*r = Ratio(n)
	return nil
}

func (r Ratio) String() string { return strconv.FormatFloat(float64(r), 'g', -1, 64) }

// Config says where spans go and which there are.
type Config struct {
	// Endpoint is the address that takes traces by OTLP over HTTP, with its path, such as
	// http://127.0.0.1:4318/v1/traces. Tracing is off while it is empty.
	Endpoint string `config:"endpoint"`
	// Headers are sent with each export, as name=value separated by commas: what the
	// collector wants as a credential.
	Headers config.Secret `config:"headers"`
	// Ratio is the part of the traces begun here that is recorded. A trace that was taken
	// over keeps the decision of where it began.
	Ratio Ratio `config:"ratio"`
	// Trust are networks whose traceparent is taken over. From others it is ignored, as it
	// would let strangers choose what is recorded.
	Trust []string `config:"trust"`
	// Names adds URNs, names of operations and texts of errors to spans.
	Names bool `config:"names"`
	// Queue is how many spans wait to be exported. More are dropped.
	Queue int `config:"queue"`
	// Timeout is how long an export may take, and the last one when the process ends.
	Timeout time.Duration `config:"timeout"`
}

const (
	maxQueue   = 1 << 16
	maxTimeout = time.Minute
	maxHeaders = 16
)

// DefaultConfig is off.
func DefaultConfig() Config { return Config{Ratio: 0.05, Queue: 2048, Timeout: 5 * time.Second} }

// On tells whether spans are recorded.
func (c *Config) On() bool { return c.Endpoint != "" }

// Validate lists what is wrong.
func (c *Config) Validate() (problems []error) {
	add := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("tracing."+format, args...))
	}
	if err := checkEndpoint(c.Endpoint); err != nil {
		add("endpoint: %w", err)
	}
	if _, err := c.headers(); err != nil {
		add("headers: %w", err)
	}
	if c.Ratio < 0 || c.Ratio > 1 {
		add("ratio: must be from 0 to 1, is %s", c.Ratio)
	}
	if _, err := c.trusted(); err != nil {
		add("trust: %w", err)
	}
	if c.Queue < 1 || c.Queue > maxQueue {
		add("queue: must be from 1 to %d, is %d", maxQueue, c.Queue)
	}
	if c.Timeout <= 0 || c.Timeout > maxTimeout {
		add("timeout: must be more than 0 and at most %s, is %s", maxTimeout, c.Timeout)
	}
	return problems
}

// checkEndpoint does not show the address, which may hold a credential.
func checkEndpoint(text string) error {
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return errors.New("must be an address such as http://127.0.0.1:4318/v1/traces")
	case u.User != nil:
		return errors.New("must hold no user; give a credential in tracing.headers")
	case u.Path == "" || u.Path == "/":
		return errors.New("must have the path that takes traces, usually /v1/traces")
	}
	return nil
}

// headers are those of Config.Headers. Errors name no value.
func (c *Config) headers() (http.Header, error) {
	h := http.Header{}
	if c.Headers == "" {
		return h, nil
	}
	pairs := strings.Split(c.Headers.Reveal(), ",")
	if len(pairs) > maxHeaders {
		return nil, fmt.Errorf("has %d headers, at most %d are possible", len(pairs), maxHeaders)
	}
	for i, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, fmt.Errorf("entry %d is not name=value", i+1)
		}
		h.Set(name, value)
	}
	return h, nil
}

// trusted are the networks of Config.Trust.
func (c *Config) trusted() ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, text := range c.Trust {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("%q is not a network such as 10.0.0.0/8: %w", text, err)
		}
		out = append(out, prefix.Masked())
	}
	return out, nil
}
