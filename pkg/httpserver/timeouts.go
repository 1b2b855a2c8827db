package httpserver

import (
	"fmt"
	"time"
)

// Timeouts limits how long a connection waits for its client. It is the section http of the
// configuration of both programs.
type Timeouts struct {
	// Header is the time in which the header of a request must arrive. After that the connection is
	// closed without a response.
	Header time.Duration `config:"header_timeout"`
	// Idle is the time that a connection is kept open between requests.
	Idle time.Duration `config:"idle_timeout"`
	// BodyStall is the longest pause of a client within a body.
	BodyStall time.Duration `config:"body_stall"`
	// Body is the time in which a whole body must arrive.
	Body time.Duration `config:"body_timeout"`
	// BodyGrace is the waiting time after which a body must arrive at the BodyRate.
	BodyGrace time.Duration `config:"body_grace"`
	// BodyRate is the minimum rate of a body in bytes per second: beyond the grace each second of
	// waiting must be paid by that many received bytes. Time in which nothing reads the body does
	// not count. Faster bytes are credited for BodyStall at most, so that a body cannot begin fast
	// and continue slowly.
	BodyRate int64 `config:"body_rate"`
	// AnswerStall is the longest time in which a client may read nothing of a response.
	AnswerStall time.Duration `config:"answer_stall"`
	// AnswerRate is the minimum rate at which a client must read a response, in bytes per second:
	// beyond the AnswerStall each second of waiting must be paid by that many bytes read.
	AnswerRate int64 `config:"answer_rate"`
	// Connections is the maximum number of open connections; the requests of one client address may
	// use a quarter of them. Zero means 10,000, or fewer if these would use more than a quarter of
	// the memory limit of the process.
	Connections int `config:"connections"`
}

// DefaultTimeouts allows 64 MiB over a line of one megabit per second and small bodies over one of
// 64 kilobits, and keeps a connection that became silent for half a minute.
func DefaultTimeouts() Timeouts {
	return Timeouts{
		Header: 10 * time.Second, Idle: 2 * time.Minute, BodyStall: 30 * time.Second, Body: 10 * time.Minute, BodyGrace: 10 * time.Second, BodyRate: 8 << 10,
		AnswerStall: 30 * time.Second, AnswerRate: 32 << 10,
	}
}

// Validate returns all problems, with the keys of the section http.
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
