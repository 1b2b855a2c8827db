package endpoint

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
	"github.com/cartulary/cartulary/pkg/fault"
)

const endpointKey = "openapi.endpoint"

type errorBody struct {
	Error   string `json:"error"`
	Message string `json:"message,omitempty"`
	Code    string `json:"code,omitempty"`
	// The members of a refusal, which state the actor and the missing privileges for programs.
	*fault.Refusal
}

// bodyError is the error for a body that cannot be read: title is the fixed error text of the
// response, reason the cause.
type bodyError struct{ title, reason string }

const (
	malformedBody = "Malformed request body"
	malformedJSON = "Invalid JSON format"
)

func (e *bodyError) Error() string         { return e.title + ": " + e.reason }
func (e *bodyError) FaultKind() fault.Kind { return fault.Malformed }
func (e *bodyError) PublicMessage() string { return e.Error() }

// RenderError writes the error responses of these paths. Clients and their tests compare some of
// the texts, so they are fixed.
func RenderError(c echo.Context, status int, err error) error {
	kind := fault.KindOf(err)
	var route *routeError
	if kind == fault.NotFound && !errors.As(err, &route) {
		c.Response().Header().Set(spec.ReasonHeader, "ENTITY")
		return c.NoContent(http.StatusNotFound)
	}
	switch kind {
	case fault.Unsupported:
		status = http.StatusBadRequest
		if c.Response().Header().Get(echo.HeaderAllow) != "" {
			status = http.StatusMethodNotAllowed
		}
	case fault.Conflict:
		status = http.StatusBadRequest
	case fault.Invalid, fault.Precondition:
		if e, ok := c.Get(endpointKey).(*Endpoint); ok {
			status = cmp.Or(e.RejectedStatus, status)
		}
	}
	if kind == fault.Forbidden {
		return c.JSON(status, refusalBody(err, auth.RefusalOf(c.Request().Context(), err)))
	}
	return c.JSON(status, bodyOf(kind, err))
}

// refusalBody is the body for a refused request. Clients compare the text of error; message
// states the missing privilege.
func refusalBody(err error, r *fault.Refusal) errorBody {
	body := errorBody{Error: fault.Message(err), Code: auth.CodeForbidden, Refusal: r}
	var batch *catalog.WriteError
	switch {
	case errors.As(err, &batch):
		body.Error, body.Message = batchTitle(batch, r), body.Error
	case r.Operation != "" && len(r.Missing) > 0:
		body.Error, body.Message = r.Actor+" is unauthorized to "+r.Operation+" entities.", body.Error
	}
	return body
}

// batchTitle returns the error text for a refused batch. It distinguishes a missing privilege
// from the violation of a rule that no privilege overrides.
func batchTitle(batch *catalog.WriteError, r *fault.Refusal) string {
	var parts []string
	for _, item := range batch.Items {
		part := fmt.Sprintf("HttpStatus: %d Urn: %s", http.StatusForbidden, item.URN)
		if len(fault.RefusalOf(item.Err).Missing) > 0 && !slices.Contains(parts, part) && len(parts) < maxRefused {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return "Authorization Error"
	}
	return r.Actor + " is unauthorized to write entities. [" + strings.Join(parts, ", ") + "]"
}

// maxRefused bounds the number of entities in an error text.
const maxRefused = 20

func bodyOf(kind fault.Kind, err error) errorBody {
	message := fault.Message(err)
	var body *bodyError
	var invalid *model.URNError
	var batch *catalog.WriteError
	var value *model.ValueError
	switch {
	case errors.As(err, &body):
		return errorBody{Error: body.title, Message: body.reason}
	case kind == fault.Malformed && findURNError(err, &invalid):
		return errorBody{Error: "Invalid urn!: " + invalid.URN, Message: invalid.Reason}
	case kind == fault.Precondition:
		return errorBody{Error: "Precondition Error", Message: message}
	case errors.As(err, &batch), errors.As(err, &value), kind == fault.Invalid, kind == fault.Conflict:
		return errorBody{Error: "Validation Error", Message: message}
	}
	return errorBody{Error: message}
}

// findURNError finds a URN error, also among the items of a refused batch.
func findURNError(err error, target **model.URNError) bool {
	var batch *catalog.WriteError
	if !errors.As(err, &batch) {
		return errors.As(err, target)
	}
	for _, item := range batch.Items {
		if errors.As(item.Err, target) {
			return true
		}
	}
	return false
}
