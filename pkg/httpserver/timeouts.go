package httpserver

import (
	"fmt"
	"time"
)

// Timeouts bound how long a connection waits for its client. Both programs have
// them as the section http of their configuration.
type Timeouts struct {
	// Header is how long the header of a request may take. The connection of a
	// client that needs longer is closed without an answer.
	Header time.Duration `config:"header_timeout"`
	// Idle is how long a connection is kept open between requests.
	Idle time.Duration `config:"idle_timeout"`
	// BodyStall is how long a client may send nothing in the middle of a body.
	BodyStall time.Duration `config:"body_stall"`
	// Body is how long a body may take as a whole.
	Body time.Duration `config:"body_timeout"`
	// BodyGrace is how long a body may be awaited before it must come at the BodyRate.
	BodyGrace time.Duration `config:"body_grace"`
	// BodyRate is the least rate at which a body must come, in bytes a second: beyond
	// the grace each second of waiting takes so many bytes that have come. Time in
	// which nobody reads the body does not count. What came faster is good for
	// BodyStall at most, so that a body cannot begin fast and go on slowly.
	BodyRate int64 `config:"body_rate"`
	// AnswerStall is how long a client may take nothing of an answer.
	AnswerStall time.Duration `config:"answer_stall"`
	// AnswerRate is the least rate at which a client must take an answer, in bytes a second:
	// beyond the AnswerStall each second in which it is awaited takes so many bytes that it took.
	AnswerRate int64 `config:"answer_rate"`
	// Connections is how many connections may be open, of which the requests of a client address may have a quarter;
	// zero is 10,000, or as many as take a quarter of the memory limit of the process where that is less.
	Connections int `config:"connections"`
}

// DefaultTimeouts let 64 MiB come by a line of one megabit per second and small bodies
// by one of 64 kilobits, and keep a connection that went silent for half a minute.
func DefaultTimeouts() Timeouts {
	return Timeouts{
		Header: 10 * time.Second, Idle: 2 * time.Minute, BodyStall: 30 * time.Second, Body: 10 * time.Minute, BodyGrace: 10 * time.Second, BodyRate: 8 << 10,
		AnswerStall: 30 * time.Second, AnswerRate: 32 << 10,
	}
}

// Validate returns every problem, with the keys of the section http.
func (t Timeouts) Validate() []error {
	var problems []error
	for _, limit := range []struct {
		key   string
		value time.Duration
	}{
		{"header_timeout", t.Header}, {"idle_timeout", t.Idle}, {"body_stall", t.BodyStall}, {"body_timeout", t.Body}, {"body_grace", t.BodyGrace},
		{"answer_stall", t.AnswerStall},
	} {
		if limit.value <= 0 {
			problems = append(problems, fmt.Errorf("http.%s: must be more than 0, is %s", limit.key, limit.value))
		}
	}
	if t.BodyRate <= 0 {
		problems = append(problems, fmt.Errorf("http.body_rate: must be more than 0, is %d", t.BodyRate))
	}
	if t.AnswerRate <= 0 {
		problems = append(problems, fmt.Errorf("http.answer_rate: must be more than 0, is %d", t.AnswerRate))
	}
	if t.Connections < 0 {
		problems = append(problems, fmt.Errorf("http.connections: must not be less than 0, is %d", t.Connections))
	}
	if t.BodyStall > t.Body {
		problems = append(problems, fmt.Errorf("http.body_stall: must not be longer than http.body_timeout, %s, is %s", t.Body, t.BodyStall))
	}
	return problems
}

func (t Timeouts) withDefaults() Timeouts {
	defaults := DefaultTimeouts()
	for _, limit := range []struct{ value, fallback *time.Duration }{
		{&t.Header, &defaults.Header}, {&t.Idle, &defaults.Idle}, {&t.BodyStall, &defaults.BodyStall}, {&t.Body, &defaults.Body}, {&t.BodyGrace, &defaults.BodyGrace},
		{&t.AnswerStall, &defaults.AnswerStall},
	} {
		if *limit.value == 0 {
			*limit.value = *limit.fallback
		}
	}
	if t.BodyRate == 0 {
		t.BodyRate = defaults.BodyRate
	}
	if t.AnswerRate == 0 {
		t.AnswerRate = defaults.AnswerRate
	}
	return t
}
