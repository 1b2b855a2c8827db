package adminsocket

import (
	"net"
	"os"
	"syscall"
)

// isTrustedPeer checks with the kernel that the peer is the user of this process, or root, which can
// read its memory anyway.
func isTrustedPeer(conn net.Conn) bool {
	unix, ok := conn.(*net.UnixConn)
	if !ok {
		return false
	}
	raw, err := unix.SyscallConn()
	if err != nil {
		return false
	}
	var peer *syscall.Ucred
	var controlErr error
	err = raw.Control(func(fd uintptr) {
		peer, controlErr = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	})
	return err == nil && controlErr == nil && (peer.Uid == 0 || int(peer.Uid) == os.Geteuid())
}
