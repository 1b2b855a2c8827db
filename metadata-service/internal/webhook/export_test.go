package webhook

// RefusePrivate looks at the address that a name resolved to.
var RefusePrivate = refusePrivate

// MustBePublic tells whether the address of a host is looked at.
func (s *Sender) MustBePublic(host string) bool { return s.mustBePublic(host) }
