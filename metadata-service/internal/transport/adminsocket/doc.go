// Package adminsocket lets the owner of the data directory manage access tokens without having
// one: over a private unix socket, with sub-commands of the service's own binary. So the first
// token needs no browser, and an administrator without any valid token is not locked out.
//
// The server listens on admin.sock in the data directory, mode 0600, and on Linux also checks the
// user of each connecting process with the kernel. Requests run as the system actor. Paths of
// sockets are limited to about 100 bytes: for a data directory with a longer path the socket is
// in a new private directory for temporary files, and the file admin.sock.path in the data
// directory contains its path. The protocol is HTTP with JSON. Client and server have the same
// version, so the format of the requests is private to this package.
package adminsocket
