//go:build !race

package trials

const raceDetector = false
