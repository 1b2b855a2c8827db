//go:build race

package trials

const raceDetector = true
