package rest

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// versionedKey identifies an older state of an entity:
// (urn:<urn>,versionStamp:<aspect>:<version>;...). Aspects that the stamp does not contain are
// read in their latest version.
type versionedKey struct {
	urn      urn.URN
	versions map[string]int64
}

const (
	urnMember          = "(urn:"
	versionStampMember = ",versionStamp:"
)

func (s *handlers) getVersioned(c echo.Context) error {
	keys, err := s.versionedKeys(c)
	if err != nil {
		return err
	}
	names, err := aspectsParam(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	results := make(object, len(keys))
	bytes := int64(0) // of values in the response so far
	for _, key := range keys {
		entities, err := s.read(ctx, &bytes, []urn.URN{key.urn}, catalog.EntityQuery{Aspects: names, AlwaysKey: true})
		if err != nil {
			return err
		}
		tree := entityTree(entities[0])
		if err := s.replaceVersions(ctx, &bytes, key, entities[0], tree["aspects"].(object)); err != nil {
			return err
		}
		results[string(key.urn)] = tree
	}
	return writeBatch(c, results)
}

// replaceVersions replaces the latest versions by those of the stamp. An aspect whose version no
// longer exists is removed.
func (s *handlers) replaceVersions(ctx context.Context, bytes *int64, key versionedKey, e catalog.Entity, aspects object) error {
	for name, version := range key.versions {
		if _, asked := e.Find(name); !asked || version == 0 {
			continue
		}
		a, err := s.Catalog.Aspect(ctx, key.urn, name, version, catalog.Concealed)
		if errors.Is(err, fault.NotFound) {
			delete(aspects, name)
			continue
		}
		if err != nil {
			return err
		}
		if err := s.reserveAnswer(ctx, bytes, len(a.Value)); err != nil {
			return err
		}
		aspects[name] = envelopeTree(a, version)
	}
	return nil
}

func (s *handlers) versionedKeys(c echo.Context) ([]versionedKey, error) {
	texts, err := requiredList(c.Request().URL.RawQuery, "ids")
	if err != nil {
		return nil, err
	}
	keys := make([]versionedKey, len(texts))
	for i, text := range texts {
		if keys[i], err = s.versionedKey(text); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

func (s *handlers) versionedKey(text string) (key versionedKey, err error) {
	inner, opened := strings.CutPrefix(text, urnMember)
	inner, closed := strings.CutSuffix(inner, ")")
	at := strings.LastIndex(inner, versionStampMember)
	if !opened || !closed || at < 0 {
		return key, fault.New(fault.Malformed, "query parameter ids: %q must be (urn:<urn>,versionStamp:<stamp>)", truncate(text))
	}
	if key.urn, _, err = s.registry.Resolve(inner[:at]); err != nil {
		return key, err
	}
	key.versions, err = parseStamp(inner[at+len(versionStampMember):])
	return key, err
}

// parseStamp parses aspect:version;aspect:version. An empty stamp contains no aspects.
func parseStamp(stamp string) (map[string]int64, error) {
	versions := map[string]int64{}
	for _, part := range strings.Split(stamp, ";") {
		if part == "" {
			continue
		}
		name, number, _ := strings.Cut(part, ":")
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || name == "" || n < 0 {
			return nil, fault.New(fault.Malformed, "versionStamp: %q must be <aspect>:<version>", truncate(part))
		}
		if versions[name] = n; len(versions) > maxItems {
			return nil, fault.New(fault.TooLarge, "versionStamp names more than %d aspects", maxItems)
		}
	}
	return versions, nil
}
