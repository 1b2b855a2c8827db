package rest

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/logging"
)

const (
	errorHeader    = "X-RestLi-Error-Response"
	exceptionClass = "com.linkedin.restli.server.RestLiServiceException"
)

// failure is the body of an unsuccessful response. Clients show message.
type failure struct {
	Status         int     `json:"status"`
	Message        string  `json:"message,omitempty"`
	Code           string  `json:"code,omitempty"`
	ExceptionClass string  `json:"exceptionClass"`
	RequestID      string  `json:"requestId,omitempty"`
	ErrorDetails   *detail `json:"errorDetails,omitempty"`
	// The members of a refusal, which state the actor and the missing privileges for programs.
	*fault.Refusal
}

type detail struct {
	Retryable bool `json:"retryable"`
}

// statusError is an error with a status that its kind does not determine.
type statusError struct {
	status int
	cause  error
}

func (e *statusError) Error() string { return e.cause.Error() }
func (e *statusError) Unwrap() error { return e.cause }

// renderFailure is the httpserver.ErrorRenderer of this API.
func (s *handlers) renderFailure(c echo.Context, status int, err error) error {
	kind := fault.KindOf(err)
	if kind == fault.Unauthenticated {
		c.Response().Header().Set(echo.HeaderWWWAuthenticate, "Bearer")
		return httpserver.RenderJSON(c, status, err)
	}
	body := failure{Status: s.statusOf(status, err), Message: fault.Message(err), ExceptionClass: exceptionClass}
	header := c.Response().Header()
	header.Set(errorHeader, "true")
	header.Set(protocolHeader, protocolVersion)
	switch kind {
	case fault.Forbidden:
		body.Code, body.Refusal = auth.CodeForbidden, auth.RefusalOf(c.Request().Context(), err)
		// Clients end a session at a 401 with the error invalid_token in its challenge, not at
		// this one.
		if body.Status == http.StatusUnauthorized {
			header.Set(echo.HeaderWWWAuthenticate, `Bearer error="insufficient_scope"`)
		}
	case fault.Unavailable:
		body.Code, body.ErrorDetails = kind.Label(), &detail{Retryable: true}
	case fault.Internal:
		body.RequestID = logging.RequestID(c.Request().Context())
	}
	return c.JSON(body.Status, body)
}

// statusOf returns the status of an error; status is its usual status in this service. The two
// differ for the violation of a rule or a condition, which is 422; for a refusal, see
// deniedStatus; and for an unsupported request, which is 400 instead of 501. Input that cannot be
// read remains 400.
func (s *handlers) statusOf(status int, err error) int {
	var own *statusError
	if errors.As(err, &own) {
		return own.status
	}
	switch fault.KindOf(err) {
	case fault.Invalid, fault.Precondition:
		return http.StatusUnprocessableEntity
	case fault.Forbidden:
		return s.deniedStatus()
	case fault.Unsupported:
		// The router sends 405 by itself; a 501 would cause clients to repeat the request.
		if status == http.StatusNotImplemented {
			return http.StatusBadRequest
		}
	}
	return status
}

func (s *handlers) deniedStatus() int {
	if s.DeniedStatus == 0 {
		return http.StatusUnauthorized
	}
	return s.DeniedStatus
}
