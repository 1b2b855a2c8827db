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

// Ratio is the share of traces to record, 0 to 1.
type Ratio float64

// UnmarshalText parses a number such as 0.05.
func (r *Ratio) UnmarshalText(text []byte) error {
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.IsNaN(n) {
		return fmt.Errorf("%q is not a number from 0 to 1, such as 0.05", text)
	}
	*r = Ratio(n)
	return nil
}

func (r Ratio) String() string { return strconv.FormatFloat(float64(r), 'g', -1, 64) }

// Config configures the recording and the export of spans.
type Config struct {
	// Endpoint is the address of an OTLP/HTTP receiver of traces, with its path, such as
	// http://127.0.0.1:4318/v1/traces. If it is empty, tracing is off.
	Endpoint string `config:"endpoint"`
	// Headers are sent with each export, as name=value separated by commas, such as a credential
	// for the collector.
	Headers config.Secret `config:"headers"`
	// Ratio is the share of recorded traces among those that begin in this process. A trace
	// continued from a caller keeps the caller's decision.
	Ratio Ratio `config:"ratio"`
	// Trust lists networks whose traceparent header is accepted. From other networks it is ignored,
	// as it would let unknown clients select the recorded requests.
	Trust []string `config:"trust"`
	// Names adds URNs, names of operations and texts of errors to spans.
	Names bool `config:"names"`
	// Queue is the maximum number of spans that wait for export. Further spans are dropped.
	Queue int `config:"queue"`
	// Timeout limits the duration of an export, including the last one when the process ends.
	Timeout time.Duration `config:"timeout"`
}

const (
	maxQueue   = 1 << 16
	maxTimeout = time.Minute
	maxHeaders = 16
)

// DefaultConfig returns a configuration with tracing off.
func DefaultConfig() Config { return Config{Ratio: 0.05, Queue: 2048, Timeout: 5 * time.Second} }

// On reports whether spans are recorded.
func (c *Config) On() bool { return c.Endpoint != "" }

// Validate returns all problems.
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

// checkEndpoint does not include the address in errors, as it may contain a credential.
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

// headers parses Config.Headers. Errors contain no values.
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

// trusted parses Config.Trust.
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
