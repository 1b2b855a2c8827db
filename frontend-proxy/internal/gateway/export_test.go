package gateway

// Forwarded returns the decision of the row for /api/gms: the path at the service, or the error.
func Forwarded(escaped string) (string, error) {
	to, err := route{strip: "/api/gms"}.inspect(escaped)
	return to.escaped, err
}
