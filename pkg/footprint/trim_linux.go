package footprint

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// trimProgram removes the pages of the program file from the resident memory of the process. During
// the start the kernel also maps neighbours of the used pages, which is most of the file.
func trimProgram() {
	path, err := os.Executable()
	if err != nil {
		return
	}
	file, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer file.Close()
	for _, m := range unchanged(file, path) {
		// After an error the pages stay resident.
		_, _, _ = syscall.RawSyscall(syscall.SYS_MADVISE, m.start, m.end-m.start, syscall.MADV_DONTNEED)
	}
}

// mapping is a range of addresses.
type mapping struct{ start, end uintptr }

// unchanged returns the mappings of a file that are not writable and of which no page has been
// changed, for example by relocation: only these can be read from the file again. The input format
// is that of proc_pid_smaps(5).
func unchanged(smaps io.Reader, path string) (found []mapping) {
	var at mapping
	mapped := false
	lines := bufio.NewScanner(smaps)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 2 {
			continue
		}
		switch from, to, isRange := strings.Cut(fields[0], "-"); {
		case isRange && !strings.HasSuffix(fields[0], ":"):
			start, startErr := strconv.ParseUint(from, 16, 64)
			end, endErr := strconv.ParseUint(to, 16, 64)
			mapped = startErr == nil && endErr == nil && fields[len(fields)-1] == path && !strings.Contains(fields[1], "w") && strings.HasSuffix(fields[1], "p")
			at = mapping{uintptr(start), uintptr(end)}
		case mapped && fields[0] == "Anonymous:" && fields[1] == "0":
			found = append(found, at)
		}
	}
	return found
}
