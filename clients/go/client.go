// Package mediatoken asks mediatokend whether an Adobe Pass short media token may play.
package mediatoken

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// Client asks one daemon. Make one for the program, at its start: all goroutines share it.
type Client struct {
	Timeout         time.Duration     // of a whole call, 5 s; the deadline of the call's context holds too
	RequestIDHeader string            // the daemon's setting requestIDHeader; each question then has an id, which must come back
	Transport       http.RoundTripper // an *http.Transport with at most 64 connections; that of mediatokentest in tests
}

// NewClient takes the path of the daemon's UNIX socket. Nothing is connected yet. Change its settings before you ask.
func NewClient(address string) *Client {
	return &Client{Timeout: 5 * time.Second, Transport: overSocket(address)}
}

// Question is what you are about to play, never what the viewer or the token says: a Requestor and one of the resources, or Configured.
type Question struct {
	Requestor        string
	Resource         string // which the token's must equal, byte for byte
	ResourceDocument string // Media RSS that the token's resource must be the same as, however it is spelled
	ResourceChannel  string // an id that the token's resource must be, or a document whose channel has this title
	RequestID        string // yours, for the header: one that no one can guess, new for each playback. Empty: the client makes one
}

// Configured is the requestor or resource of the daemon's configuration.
const Configured = "\x00configured"

// Verify asks about a token as it was received, and uses it up. With every error the token is nil: *Refused, *Unavailable, or another one
// of a caller who asks what cannot be asked.
func (c *Client) Verify(ctx context.Context, token string, q Question) (*ValidToken, error) {
	told, err := c.prepare(&q)
	if err != nil {
		return nil, err
	}
	form := url.Values{"token": {token}}
	if token == "" {
		form.Set("token", " ") // the daemon trims it: a form has no empty values
	}
	for name, text := range told {
		form.Set(name, text)
	}
	return c.ask(ctx, q, "application/x-www-form-urlencoded", form.Encode())
}

// VerifyDecision is the same with a whole answer of decisions/authorize of Adobe's REST API v2, as it came.
func (c *Client) VerifyDecision(ctx context.Context, decision []byte, q Question) (*ValidToken, error) {
	told, err := c.prepare(&q)
	if err != nil {
		return nil, err
	}
	// What is not one object could mean something else between members of ours.
	if members(decision) == nil {
		return nil, q.unavailable("bad-decision", 400, errors.New("expected one JSON object, as Adobe sent it"))
	}
	told["decision"] = ""
	frame, _ := json.Marshal(told) // texts have no error, and the decision is first, by its name
	return c.ask(ctx, q, "application/json", strings.Replace(string(frame), `""`, string(decision), 1))
}

var requestID = regexp.MustCompile(`^[A-Za-z0-9._:+/=@-]{1,128}$`)

// prepare gives the question an id if it needs one, and says what the daemon is told.
func (c *Client) prepare(q *Question) (map[string]string, error) {
	if q.Requestor == "" || q.Resource+q.ResourceDocument+q.ResourceChannel == "" {
		return nil, errors.New("mediatoken: expected a requestor and a resource, found an empty one; the daemon's own is Configured")
	}
	if q.RequestID != "" && (c.RequestIDHeader == "" || !requestID.MatchString(q.RequestID)) {
		return nil, errors.New("mediatoken: expected RequestIDHeader, and an id of 1 to 128 letters, digits and . _ - : + / = @")
	}
	if q.RequestID == "" && c.RequestIDHeader != "" {
		random := make([]byte, 16)
		if _, err := rand.Read(random); err != nil {
			return nil, err
		}
		q.RequestID = fmt.Sprintf("%x", random)
	}
	told := map[string]string{
		"requestor": q.Requestor, "resource": q.Resource, "resourceDocument": q.ResourceDocument, "resourceChannel": q.ResourceChannel}
	for name, text := range told {
		if text == "" || text == Configured {
			delete(told, name)
		}
	}
	return told, nil
}

func (c *Client) ask(ctx context.Context, q Question, contentType, question string) (*ValidToken, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, "POST", "http://localhost/v1/verify", strings.NewReader(question))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", contentType)
	if q.RequestID != "" {
		request.Header.Set(c.RequestIDHeader, q.RequestID)
	}
	response, err := c.Transport.RoundTrip(request)
	if err != nil {
		return nil, q.unavailable("NO_ANSWER", 0, whatKept(ctx, err))
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, most+1))
	if err != nil || len(body) > most {
		return nil, q.unavailable("NO_ANSWER", 0, whatKept(ctx, err))
	}
	return q.outcome(response, body)
}

// most bytes of an answer: room for a token of the greatest length with every byte escaped.
const most = 1 << 20

// whatKept an answer from coming whole: errors of package http may have bytes of it.
func whatKept(ctx context.Context, err error) error {
	var connecting *net.OpError
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.As(err, &connecting) && connecting.Op == "dial" {
		return fmt.Errorf("cannot connect (%w); check the address, and whether mediatokend runs", connecting.Err)
	}
	return errors.New("no whole answer of HTTP/1.1 came")
}
