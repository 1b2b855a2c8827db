package endpoint

import (
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/pkg/fault"
)

// MaxListItems bounds the values of a list parameter.
const MaxListItems = 1000

// Flag reads a boolean query parameter; absent is its default.
func (c *Call) Flag(name string, absent bool) (bool, error) {
	switch text := c.QueryParam(name); strings.ToLower(text) {
	case "":
		return absent, nil
	case "true":
		return true, nil
	case "false":
		return false, nil
	default:
		return false, fault.New(fault.Malformed, "query parameter %s must be true or false, is %q", name, Truncate(text))
	}
}

// Number reads an integer query parameter; absent is its default.
func (c *Call) Number(name string, absent int64) (int64, error) {
	text := c.QueryParam(name)
	if text == "" {
		return absent, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fault.New(fault.Malformed, "query parameter %s must be a whole number, is %q", name, Truncate(text))
	}
	return n, nil
}

// Count reads a number of items. It must not be negative. Values above most are reduced to it
// without an error, as clients request more than they need.
func (c *Call) Count(name string, absent, most int64) (int, error) {
	n, err := c.Number(name, absent)
	if err != nil {
		return 0, err
	}
	if n < 0 {
		return 0, fault.New(fault.Malformed, "query parameter %s must not be negative, is %d", name, n)
	}
	return int(min(n, most)), nil
}

// List reads query parameters that may be repeated and contain several values separated by
// commas. The values of several names are joined; the result is nil when none is given.
func (c *Call) List(names ...string) ([]string, error) {
	values := c.QueryParams()
	var out []string
	for _, name := range names {
		for _, text := range values[name] {
			out = appendItems(out, text)
		}
	}
	if len(out) > MaxListItems {
		return nil, fault.New(fault.Malformed, "query parameter %s has %d values, at most %d are accepted", names[0], len(out), MaxListItems)
	}
	return out, nil
}

func appendItems(out []string, text string) []string {
	for text != "" && len(out) <= MaxListItems {
		var item string
		item, text, _ = strings.Cut(text, ",")
		if item = strings.TrimSpace(item); item != "" {
			out = append(out, item)
		}
	}
	return out
}
