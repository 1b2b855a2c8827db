package rest

import (
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/urn"
)

// pathKey returns the URN in the path, encoded as a whole or written plainly. It may contain
// slashes in both forms. White space around it is ignored, because no URN begins or ends with it
// and clients copy it along with the URN.
func (s *handlers) pathKey(c echo.Context) (urn.URN, *model.EntitySpec, error) {
	text, err := httpserver.PathParam(c, "urn")
	if err != nil {
		return "", nil, err
	}
	return s.registry.Resolve(strings.TrimSpace(text))
}

// idsParam returns the URNs of a batch read, without repetitions.
func (s *handlers) idsParam(c echo.Context) ([]urn.URN, error) {
	texts, err := requiredList(c.Request().URL.RawQuery, "ids")
	if err != nil {
		return nil, err
	}
	return s.resolveAll(texts)
}

func (s *handlers) resolveAll(texts []string) ([]urn.URN, error) {
	urns := make([]urn.URN, 0, len(texts))
	seen := make(map[urn.URN]bool, len(texts))
	for _, text := range texts {
		u, _, err := s.registry.Resolve(text)
		if err != nil {
			return nil, err
		}
		if !seen[u] {
			seen[u] = true
			urns = append(urns, u)
		}
	}
	return urns, nil
}

// aspectsParam returns the aspect names of a read; nil means all. No name contains a comma, so
// lists with encoded commas are split, too.
func aspectsParam(c echo.Context) ([]string, error) {
	items, err := listParam(c.Request().URL.RawQuery, "aspects")
	if err != nil || len(items) == 0 {
		return nil, err
	}
	return strings.Split(strings.Join(items, ","), ","), nil
}

// intParam returns an integer of the query, 0 when absent.
func intParam(c echo.Context, name string) (int64, error) {
	text := c.QueryParam(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fault.New(fault.Malformed, "query parameter %s must be a whole number, is %q", name, truncate(text))
	}
	return n, nil
}

// boolParam returns a boolean of the query; absent is its default.
func boolParam(c echo.Context, name string, absent bool) (bool, error) {
	switch text := strings.ToLower(c.QueryParam(name)); text {
	case "":
		return absent, nil
	case "true":
		return true, nil
	case "false":
		return false, nil
	default:
		return false, fault.New(fault.Malformed, "query parameter %s must be true or false, is %q", name, truncate(text))
	}
}

// truncate shortens input of clients for messages.
func truncate(text string) string {
	const readable = 100
	if len(text) <= readable {
		return text
	}
	return strings.ToValidUTF8(text[:readable], "") + "…"
}
