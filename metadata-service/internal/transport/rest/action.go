package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

// Largest bodies, in bytes.
const (
	ingestLimit = 64 << 20 // bodies with aspects
	queryLimit  = 16 << 20 // all other bodies
)

// action is one entry of a resource's action table.
type action struct {
	name string
	run  func(c echo.Context) (any, error)
}

// typedAction creates an action whose parameters are the members of In: a struct with JSON names,
// and the tag param:"required" on required members. Members that In does not declare are ignored,
// as some clients send more.
func typedAction[In any](name string, limit int64, run func(ctx context.Context, in In) (any, error)) action {
	return action{name: name, run: func(c echo.Context) (any, error) {
		body, err := httpserver.ReadBody(c, limit)
		if err != nil {
			return nil, err
		}
		if limit == queryLimit {
			if err := jsontree.CheckBody(body); err != nil {
				return nil, err
			}
		}
		var in In
		if len(bytes.TrimSpace(body)) > 0 {
			if err := json.Unmarshal(body, &in); err != nil {
				return nil, decodeError("", err)
			}
		}
		if missing := missingParams(&in); len(missing) > 0 {
			return nil, fault.New(fault.Malformed, "action %s: required in the body and not there: %s", name, strings.Join(missing, ", "))
		}
		return run(c.Request().Context(), in)
	}}
}

// missingParams returns the names of the required members without a value.
func missingParams(in any) []string {
	var names []string
	v := reflect.ValueOf(in).Elem()
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if field.Tag.Get("param") == "required" && v.Field(i).IsZero() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			names = append(names, name)
		}
	}
	return names
}

// actions returns the POST route of a resource for its action table.
func actions(path string, table []action) Route {
	byName := make(map[string]action, len(table))
	names := make([]string, len(table))
	for i, a := range table {
		byName[a.name] = a
		names[i] = a.name
	}
	slices.Sort(names)
	handle := func(c echo.Context) error {
		name := c.QueryParam("action")
		a, ok := byName[name]
		if !ok {
			return unknownAction(path, name, names)
		}
		result, err := a.run(c)
		if err != nil {
			return err
		}
		return writeValue(c, result)
	}
	return Route{Method: http.MethodPost, Path: path, Actions: names, handle: handle}
}

func unknownAction(path, name string, names []string) error {
	there := strings.Join(names, ", ")
	if name == "" {
		return fault.New(fault.Malformed, "query parameter action is required; actions of %s are %s", path, there)
	}
	return fault.New(fault.Malformed, "%s has no action %q; its actions are %s", path, truncate(name), there)
}
