// Package mediatoken asks mediatokend whether an Adobe Pass short media token may play.
//
//	daemon, err := mediatoken.NewClient("/run/mediatokend/mediatokend.sock")
//	…
//	token, err := daemon.Verify(ctx, received, mediatoken.RequestorID("REF30"), mediatoken.ResourceID("TNT"))
//	if err != nil {
//		// Do not play. mediatoken.ActionOf(err) is what the player does next.
//	}
//
// A ValidToken is made by Client.Verify alone, of a whole answer that says so and is about the token that was sent. Everything else is
// an error, and the token is nil.
package mediatoken

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// Client asks one daemon. Make one for the program, at its start: all goroutines share it.
type Client struct {
	address              address
	timeout, retryWindow time.Duration
	requestIDHeader      string
	// turns has a place for each question that may be on the way at once, idle the connections that wait for one.
	turns chan struct{}
	idle  chan *connection
}

// NewClient takes the path of the daemon's UNIX socket, or http://127.0.0.1:PORT or http://[::1]:PORT. Nothing is connected yet. An error
// is a *Misuse.
func NewClient(address string, options ...Option) (*Client, error) {
	c := &Client{timeout: 5 * time.Second, turns: make(chan struct{}, 64), idle: make(chan *connection, 8)}
	var err error
	if c.address, err = parsed(address); err != nil {
		return nil, err
	}
	isLocal := c.address.network == "unix"
	if !isLocal {
		// The daemon takes 64 from all of its callers, and closes the others unread.
		c.turns = make(chan struct{}, 32)
	}
	for _, option := range options {
		if err := option(c); err != nil {
			return nil, err
		}
	}
	if c.retryWindow != 0 && (c.requestIDHeader == "" || !isLocal) {
		return nil, misuse("a retry window needs WithRequestIDHeader and a UNIX socket, as the daemon's does")
	}
	return c, nil
}

// Option is a setting of a client.
type Option func(*Client) error

func set(holds bool, otherwise string, apply func(*Client)) Option {
	return func(c *Client) error {
		if !holds {
			return misuse("expected " + otherwise)
		}
		apply(c)
		return nil
	}
}

// WithTimeout is for a whole call: connecting, asking, reading, asking again. It is 5 s unless it is set; the deadline of a call's context
// holds too, if it is earlier.
func WithTimeout(timeout time.Duration) Option {
	return set(timeout > 0, "a timeout of more than 0 s", func(c *Client) { c.timeout = timeout })
}

// WithRequestIDHeader is the daemon's setting requestIDHeader. Each question then has an id, which must come back.
func WithRequestIDHeader(name string) Option {
	const ours = " host user-agent content-type content-length transfer-encoding connection expect te trailer upgrade "
	isFree := headerForm.MatchString(name) && !strings.Contains(ours, " "+strings.ToLower(name)+" ")
	return set(isFree, "the name of a header that is free for request ids", func(c *Client) { c.requestIDHeader = name })
}

var headerForm = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$")

// WithRetryWindow is the daemon's replay.retryWindowMilliseconds. A question whose answer was lost is asked once more with the same id
// within that time. It needs WithRequestIDHeader and a UNIX socket, as the daemon's does.
func WithRetryWindow(window time.Duration) Option {
	return set(window > 0, "a retry window of more than 0 s, or none at all", func(c *Client) { c.retryWindow = window })
}

// WithIdleConnections is how many connections are kept open between questions, at most: 8 unless it is set.
func WithIdleConnections(most int) Option {
	return set(most >= 0, "a number of idle connections from 0", func(c *Client) { c.idle = make(chan *connection, most) })
}

// WithConnections is how many questions are on the way at once, at most, each on a connection of its own: 64, or 32 over TCP, unless it is
// set. Others wait for their turn until their deadline.
func WithConnections(most int) Option {
	return set(most > 0, "a number of connections from 1", func(c *Client) { c.turns = make(chan struct{}, most) })
}

// CallOption is a setting of one call.
type CallOption func(*question)

// WithRequestID gives a question an id of the caller's: a new one for each playback that no one can guess, of 1 to 128 letters, digits and
// . _ - : + / = @. The client needs WithRequestIDHeader. Without an id of the caller's the client makes one.
func WithRequestID(id string) CallOption {
	return func(q *question) { q.requestID, q.hasOwnID = id, true }
}

// Verify asks about a token as it was received, and uses it up. Requestor and resource are what you are about to play, never what the
// viewer or the token says.
//
// The token that it returns is valid; with every error it is nil. Errors are *Refused, *Fault, *NoAnswer and *ForeignAnswer, each of them
// a NotValid, and *Misuse for what cannot be asked.
func (c *Client) Verify(
	ctx context.Context, token string, requestor Requestor, resource Resource, options ...CallOption,
) (*ValidToken, error) {
	return c.ask(ctx, question{conditions: []condition{requestor.condition, resource.condition}, token: token}, options)
}

// VerifyDecision is the same with a whole answer of decisions/authorize of Adobe's REST API v2, as it came.
func (c *Client) VerifyDecision(
	ctx context.Context, decision []byte, requestor Requestor, resource Resource, options ...CallOption,
) (*ValidToken, error) {
	q := question{conditions: []condition{requestor.condition, resource.condition}, token: string(decision), isDecision: true}
	return c.ask(ctx, q, options)
}

func (c *Client) ask(ctx context.Context, q question, options []CallOption) (token *ValidToken, err error) {
	for _, option := range options {
		option(&q)
	}
	fields := http.Header{}
	switch {
	case c.requestIDHeader == "" && q.hasOwnID:
		return nil, misuse("a request id needs WithRequestIDHeader, the daemon's setting requestIDHeader")
	case q.hasOwnID && !requestID.MatchString(q.requestID):
		return nil, misuse("expected a request id of 1 to 128 letters, digits and . _ - : + / = @")
	case c.requestIDHeader != "" && !q.hasOwnID:
		var random [16]byte
		if _, err := rand.Read(random[:]); err != nil {
			return nil, noAnswer("the system has no random numbers for a request id", err)
		}
		q.requestID = hex.EncodeToString(random[:])
	}
	if c.requestIDHeader != "" {
		fields[c.requestIDHeader] = []string{q.requestID}
	}
	body, err := q.body(fields)
	if err != nil {
		return nil, err
	}
	err = c.exchange(ctx, written("POST", "/v1/verify", fields, body), c.retryWindow, func(a *answer) (err error) {
		token, err = tokenOf(a, q)
		return err
	})
	return token, err
}

// CheckReady returns nil if the daemon would play the next good token. Errors are *NotReady, *Fault, *NoAnswer and *ForeignAnswer.
func (c *Client) CheckReady(ctx context.Context) error {
	return c.exchange(ctx, written("GET", "/readyz", http.Header{}, nil), c.timeout, readinessOf)
}

// exchange asks, at most twice, and gives the answer to read. A question that was sent may be sent again until the window is over.
func (c *Client) exchange(ctx context.Context, question []byte, window time.Duration, outcome func(*answer) error) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	if ctx.Err() != nil {
		return over(ctx)
	}
	select {
	case c.turns <- struct{}{}:
		defer func() { <-c.turns }()
	case <-ctx.Done():
		return over(ctx)
	}
	start := time.Now()
	connected, err := c.connected(ctx)
	if err != nil {
		return err
	}
	mayRepeat := func() bool { return err == errUnsent || err == errUnanswered && time.Since(start) < window }
	a, err := connected.exchange(ctx, question)
	if mayRepeat() {
		connected.close()
		var problem error
		if connected, problem = c.address.connect(ctx); problem != nil {
			return problem
		}
		// Where the listener had no room, the window may be over by now.
		if mayRepeat() {
			a, err = connected.exchange(ctx, question)
		}
	}
	if err == nil {
		err = outcome(a)
	}
	switch err.(type) {
	case nil, *Refused, *Fault, *NotReady:
		connected.idleSince = time.Now()
		if a.isReusable {
			select {
			case c.idle <- connected:
				return err
			default:
			}
		}
	}
	connected.close()
	return err
}

// connected is an idle connection that can be used, or a new one.
func (c *Client) connected(ctx context.Context) (*connection, error) {
	for {
		select {
		case idle := <-c.idle:
			if idle.isUsable() {
				return idle, nil
			}
			idle.close()
		default:
			return c.address.connect(ctx)
		}
	}
}

// Close closes the connections that are idle. The client can be used again.
func (c *Client) Close() {
	for {
		select {
		case idle := <-c.idle:
			idle.close()
		default:
			return
		}
	}
}

// String shows the address.
func (c *Client) String() string { return fmt.Sprintf("Client(%s)", c.address.place) }

// Format prints the text of String for every verb.
func (c *Client) Format(state fmt.State, _ rune) { io.WriteString(state, c.String()) }
