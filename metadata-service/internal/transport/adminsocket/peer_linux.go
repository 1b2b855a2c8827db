package adminsocket

import (
	"net"
	"os"
	"syscall"
)

// trusted checks with the kernel that the peer is the user of this process, or root, which can
// read its memory anyway.
func trusted(conn net.Conn) bool {
	unix, ok := conn.(*net.UnixConn)
	if !ok {
		return false
	}
	raw, err := unix.SyscallConn()
	if err != nil {
		return false
	}
	var peer *syscall.Ucred
	var asked error
	err = raw.Control(func(fd uintptr) {
		peer, asked = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	})
	return err == nil && asked == nil && (peer.Uid == 0 || int(peer.Uid) == os.Geteuid())
}
