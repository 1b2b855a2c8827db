// Package variables lists the environment variables of both programs. Each program ignores those of
// the other, since both often run in the same environment, and refuses unknown ones. Tests of the
// programs write the lists, with -update, and fail if they differ from the Config structs.
package variables
