package admission

// EndPlace has the effect of the end of Config.Place for a ticket.
func EndPlace(t *Ticket) { t.gate.endPlace(t) }
