// Package adminsocket lets whoever owns the data directory manage access
// tokens without one: over a private unix socket, with sub-commands of the
// service's own binary. So the first token needs no browser, and an
// administrator who has lost every token is not locked out.
//
// The server listens on admin.sock in the data directory, mode 0600, and on
// Linux also asks the kernel who connects. Callers act as the system actor.
// Paths of sockets are limited to some 100 bytes: below a long directory the
// socket is in a fresh private directory for temporary files, and the file
// admin.sock.path in the data directory says where. Over it goes HTTP with
// JSON; both ends are of one version, so the form is nobody else's business.
package adminsocket
