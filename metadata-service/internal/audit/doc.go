// Package audit records the actions of actors: changes of entities, sign-ins, changes of tokens and
// policies, and refusals.
//
// Events arrive in two ways. [Sink], a background projection, takes changes from the change log.
// The log contains all facts of an event, and the position of the sink is durable, so every change
// is recorded even if the process is killed. Events that change nothing, such as a sign-in or a
// refusal, are passed to [Log.Record], which never blocks the caller: it queues the event, which is
// stored within a second.
//
// An event never contains an aspect value, a token, a password or an address with parameters; it
// only names things. Events that clients can cause at will, such as refusals, are counted when
// there are more than a few equal ones in a minute. They also have a share of the store of their
// own. So no client can fill the disk with them or displace important events.
//
// The store is a port ([Store]) with drivers and a conformance suite. Health and metrics report its
// failures, including damage; these never stop the service.
package audit
