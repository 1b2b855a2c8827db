package admission

// EndPlace does what happens when a ticket has had its place for Config.Place.
func EndPlace(t *Ticket) { t.gate.endPlace(t) }
