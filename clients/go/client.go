package mediatoken

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"time"
)

// answerBytes has room for a token of the greatest length with every byte escaped.
const answerBytes = 1 << 20

// Client asks one daemon. Make one for the program, at its start: all goroutines share it.
type Client struct {
	address         address
	timeout         time.Duration
	requestIDHeader string
	retryWindow     time.Duration
	connections     int
	turns           turns
	pool            pool
}

// NewClient takes the path of the daemon's UNIX socket, or http://127.0.0.1:PORT or http://[::1]:PORT. Nothing is connected yet. An error
// is a *Misuse.
func NewClient(address string, options ...Option) (*Client, error) {
	c := &Client{timeout: 5 * time.Second, pool: pool{most: 8}}
	var err error
	if c.address, err = parsed(address); err != nil {
		return nil, err
	}
	for _, option := range options {
		if err := option(c); err != nil {
			return nil, err
		}
	}
	if c.retryWindow != 0 && (c.requestIDHeader == "" || c.address.network != "unix") {
		return nil, misuse("a retry window needs WithRequestIDHeader and a UNIX socket, as the daemon's does")
	}
	if c.connections == 0 && c.address.network == "unix" {
		c.connections = localConnections
	} else if c.connections == 0 {
		c.connections = tcpConnections
	}
	c.turns = make(turns, c.connections)
	return c, nil
}

// Verify asks about a token as it was received, and uses it up. Requestor and resource are what you are about to play, never what the
// viewer or the token says.
//
// The token that it returns is valid; with every error it is nil. Errors are *Refused, *Fault, *NoAnswer and *ForeignAnswer, each of them
// a NotValid, and *Misuse for what cannot be asked.
func (c *Client) Verify(
	ctx context.Context, token string, requestor Requestor, resource Resource, options ...CallOption,
) (*ValidToken, error) {
	question, err := aboutToken(token, requestor, resource)
	if err != nil {
		return nil, err
	}
	return c.verify(ctx, question, options)
}

// VerifyDecision is the same with a whole answer of decisions/authorize of Adobe's REST API v2, as it came.
func (c *Client) VerifyDecision(
	ctx context.Context, decision []byte, requestor Requestor, resource Resource, options ...CallOption,
) (*ValidToken, error) {
	question, err := aboutDecision(decision, requestor, resource)
	if err != nil {
		return nil, err
	}
	return c.verify(ctx, question, options)
}

// CheckReady returns nil if the daemon would play the next good token. Errors are *NotReady, *Fault, *NoAnswer and *ForeignAnswer.
func (c *Client) CheckReady(ctx context.Context) error {
	return c.exchange(ctx, written("GET /readyz", nil, nil), c.timeout, readinessOf)
}

// Close closes the connections that are idle. The client can be used again.
func (c *Client) Close() { c.pool.close() }

// String shows the address.
func (c *Client) String() string { return fmt.Sprintf("Client(%s)", c.address.place) }

// Format prints the text of String for every verb.
func (c *Client) Format(state fmt.State, _ rune) { io.WriteString(state, c.String()) }

func (c *Client) verify(ctx context.Context, q *asked, options []CallOption) (*ValidToken, error) {
	id, err := c.requestID(options)
	if err != nil {
		return nil, err
	}
	fields := []string{"Content-Type: " + q.kind}
	if id != "" {
		fields = append(fields, c.requestIDHeader+": "+id)
	}
	var token *ValidToken
	err = c.exchange(ctx, written("POST /v1/verify", fields, q.body), c.retryWindow, func(a *answer) (err error) {
		token, err = tokenOf(a, q, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	return token, nil
}

// requestID is the caller's or a new one, and empty where the client has no header for it.
func (c *Client) requestID(options []CallOption) (string, error) {
	var wanted call
	for _, option := range options {
		option(&wanted)
	}
	switch {
	case c.requestIDHeader == "" && wanted.requestID != nil:
		return "", misuse("a request id needs WithRequestIDHeader, the daemon's setting requestIDHeader")
	case c.requestIDHeader == "":
		return "", nil
	case wanted.requestID == nil:
		var random [16]byte
		if _, err := rand.Read(random[:]); err != nil {
			return "", noAnswer("the system has no random numbers for a request id", err)
		}
		return hex.EncodeToString(random[:]), nil
	case !isRequestID(*wanted.requestID):
		return "", misuse("expected a request id of 1 to 128 letters, digits and . _ - : + / = @")
	}
	return *wanted.requestID, nil
}

// exchange asks, at most twice, and gives the answer to read. A question that was sent may be sent again until the window is over.
func (c *Client) exchange(ctx context.Context, question []byte, window time.Duration, read func(*answer) error) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	if ctx.Err() != nil {
		return over(ctx)
	}
	if err := c.turns.take(ctx); err != nil {
		return err
	}
	defer c.turns.give()
	start := time.Now()
	connected := c.pool.take()
	if connected == nil {
		var err error
		if connected, err = c.address.connect(ctx); err != nil {
			return err
		}
	}
	a, err := connected.exchange(ctx, question, answerBytes)
	if mayRepeat(err, start, window) {
		connected.close()
		var problem error
		if connected, problem = c.address.connect(ctx); problem != nil {
			return problem
		}
		// Where the listener had no room, the window may be over by now.
		if mayRepeat(err, start, window) {
			a, err = connected.exchange(ctx, question, answerBytes)
		}
	}
	if err == nil {
		err = read(a)
	}
	switch err.(type) {
	case nil, *Refused, *Fault, *NotReady:
		if a.isKept {
			c.pool.give(connected)
			return err
		}
	case ended, unsent:
		err = noAnswer("the connection ended before it was whole", nil)
	}
	connected.close()
	return err
}

func mayRepeat(err error, start time.Time, window time.Duration) bool {
	if end, isEnd := err.(ended); isEnd {
		return !end.began && time.Since(start) < window
	}
	_, isUnsent := err.(unsent)
	return isUnsent
}

// written is a question as it is sent; without a body it has no length.
func written(line string, fields []string, body []byte) []byte {
	text := append(make([]byte, 0, len(body)+256), line...)
	text = append(text, " HTTP/1.1\r\nHost: localhost\r\n"...)
	for _, field := range fields {
		text = append(append(text, field...), "\r\n"...)
	}
	if body != nil {
		text = append(strconv.AppendInt(append(text, "Content-Length: "...), int64(len(body)), 10), "\r\n"...)
	}
	return append(append(text, "\r\n"...), body...)
}
