// Package audit keeps who did what: changes of facts, sign-ins, tokens and
// policies, and what was refused.
//
// Events come by two ways. Changes are taken from the change log by [Sink], a
// background projection: the log holds all that an event tells, and the sink's
// place in it is durable, so no change goes unrecorded, whenever the process is
// killed. What changes nothing, such as a sign-in or a refusal, is handed to
// [Log.Record], which never makes the caller wait: it queues the event and stores
// it within a second.
//
// An event never holds a value of an aspect, a token, a password or an address
// with parameters; it names things. What can be provoked at will, such as refusals,
// is counted beyond a few alike in a minute, and has room of its own in the store,
// so that nobody fills the disk with it or pushes out what matters.
//
// The store is a port ([Store]) with drivers and a suite. Trouble with it, damage
// included, is told by health and metrics and never stops the service.
package audit
