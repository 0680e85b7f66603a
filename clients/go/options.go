package mediatoken

import (
	"strings"
	"time"
)

// Option is a setting of a client.
type Option func(*Client) error

// WithTimeout is for a whole call: connecting, asking, reading, asking again. It is 5 s unless it is set; the deadline of a call's context
// holds too, if it is earlier.
func WithTimeout(timeout time.Duration) Option {
	return func(c *Client) error {
		if timeout <= 0 {
			return misuse("expected a timeout of more than 0 s")
		}
		c.timeout = timeout
		return nil
	}
}

// fieldsOfOurs are those that a question has without it.
const fieldsOfOurs = " host content-type content-length transfer-encoding connection expect te trailer upgrade "

// WithRequestIDHeader is the daemon's setting requestIDHeader. Each question then has an id, which must come back.
func WithRequestIDHeader(name string) Option {
	return func(c *Client) error {
		if !isToken(name) || len(name) > 64 || strings.Contains(fieldsOfOurs, " "+lower(name)+" ") {
			return misuse("expected the name of a header that is free for request ids")
		}
		c.requestIDHeader = name
		return nil
	}
}

// WithRetryWindow is the daemon's replay.retryWindowMilliseconds. A question whose answer was lost is asked once more with the same id
// within that time. It needs WithRequestIDHeader and a UNIX socket, as the daemon's does.
func WithRetryWindow(window time.Duration) Option {
	return func(c *Client) error {
		if window <= 0 {
			return misuse("expected a retry window of more than 0 s; leave it out where the daemon has no such window")
		}
		c.retryWindow = window
		return nil
	}
}

// WithIdleConnections is how many connections are kept open between questions, at most: 8 unless it is set.
func WithIdleConnections(most int) Option {
	return func(c *Client) error {
		if most < 0 {
			return misuse("expected a number of idle connections from 0")
		}
		c.pool.most = most
		return nil
	}
}

// WithConnections is how many questions are on the way at once, at most, each on a connection of its own: 64, or 32 over TCP, unless it is
// set. Others wait for their turn until their deadline.
func WithConnections(most int) Option {
	return func(c *Client) error {
		if most < 1 {
			return misuse("expected a number of connections from 1")
		}
		c.connections = most
		return nil
	}
}

// CallOption is a setting of one call.
type CallOption func(*call)

type call struct{ requestID *string }

// WithRequestID gives a question an id of the caller's: a new one for each playback that no one can guess, of 1 to 128 letters, digits and
// . _ - : + / = @. The client needs WithRequestIDHeader. Without an id of the caller's the client makes one.
func WithRequestID(id string) CallOption { return func(c *call) { c.requestID = &id } }
