package webhook

// RefusePrivate checks the address to which a name resolved.
var RefusePrivate = refusePrivate

// MustBePublic reports whether the address of a host is checked.
func (s *Sender) MustBePublic(host string) bool { return s.mustBePublic(host) }
