//go:build !linux

package footprint

func trimProgram() {}
