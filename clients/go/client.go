// Package mediatoken asks mediatokend whether an Adobe Pass short media token may play.
package mediatoken

import (
	"bufio"
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
	"syscall"
	"time"
)

// Client asks one daemon. Make one for the program, at its start: all goroutines share it.
type Client struct {
	Timeout         time.Duration // of a whole call, 5 s; the deadline of the call's context holds too
	RequestIDHeader string        // the daemon's setting requestIDHeader; each question then has an id, which must come back
	exchange        func(*http.Request) (*http.Response, []byte, error)
}

// NewClient takes the path of the daemon's UNIX socket. Nothing is connected yet. Change its settings before you ask.
func NewClient(address string) *Client {
	return &Client{Timeout: 5 * time.Second, exchange: sockets{address, make(chan net.Conn, 64)}.exchange}
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
	return c.ask(ctx, q, "application/x-www-form-urlencoded", func(told map[string]string) string {
		form := url.Values{"token": {token}}
		if token == "" {
			form.Set("token", " ") // the daemon trims it: a form has no empty values
		}
		for name, text := range told {
			form.Set(name, text)
		}
		return form.Encode()
	})
}

// VerifyDecision is the same with a whole answer of decisions/authorize of Adobe's REST API v2, as it came.
func (c *Client) VerifyDecision(ctx context.Context, decision []byte, q Question) (*ValidToken, error) {
	// What is not one object could mean something else between members of ours.
	if members(decision) == nil {
		return nil, q.unavailable("bad-decision", 400, errors.New("expected one JSON object, as Adobe sent it"))
	}
	return c.ask(ctx, q, "application/json", func(told map[string]string) string {
		told["decision"] = ""
		frame, _ := json.Marshal(told) // texts have no error, and the decision is first, by its name
		return strings.Replace(string(frame), `""`, string(decision), 1)
	})
}

var requestID = regexp.MustCompile(`^[A-Za-z0-9._:+/=@-]{1,128}$`)

// ask gives the question an id if it needs one, and sends what it is written as.
func (c *Client) ask(ctx context.Context, q Question, contentType string, written func(map[string]string) string) (*ValidToken, error) {
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
	told := map[string]string{}
	for name, text := range map[string]string{"requestor": q.Requestor, "resource": q.Resource, "resourceDocument": q.ResourceDocument,
		"resourceChannel": q.ResourceChannel} {
		if text != "" && text != Configured {
			told[name] = text
		}
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, "POST", "http://localhost/v1/verify", strings.NewReader(written(told)))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", contentType)
	if q.RequestID != "" {
		request.Header.Set(c.RequestIDHeader, q.RequestID)
	}
	response, body, err := c.exchange(request)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, q.unavailable("NO_ANSWER", 0, err)
	}
	return q.outcome(response, body)
}

// sockets are connections that are kept between questions. An http.Transport could take what comes on one unasked for the next answer.
type sockets struct {
	path string
	idle chan net.Conn
}

// exchange asks on a connection that no other question has.
func (s sockets) exchange(request *http.Request) (*http.Response, []byte, error) {
	conn, err := s.connection(request.Context())
	if err != nil {
		return nil, nil, fmt.Errorf("cannot connect (%w); check the address, and whether mediatokend runs", err)
	}
	over := make(chan bool)
	go func() {
		select {
		case <-request.Context().Done():
			conn.Close()
			<-over
		case <-over:
		}
	}()
	response, body, isAlone := answer(conn, request)
	over <- true
	if !isAlone {
		conn.Close() // so that it is not silent
	}
	select {
	case s.idle <- conn:
	default:
		conn.Close()
	}
	if response == nil {
		return nil, nil, errors.New("no whole answer of HTTP/1.1 came")
	}
	return response, body, nil
}

// connection is a silent one. What can be read has ended, or says what no question asked for.
func (s sockets) connection(ctx context.Context) (net.Conn, error) {
	for {
		select {
		case conn := <-s.idle:
			if ctx.Err() == nil && isSilent(conn) {
				return conn, nil
			}
			conn.Close()
		default:
			return new(net.Dialer).DialContext(ctx, "unix", s.path)
		}
	}
}

func isSilent(conn net.Conn) (isSilent bool) {
	raw, err := conn.(*net.UnixConn).SyscallConn()
	return err == nil && raw.Read(func(descriptor uintptr) bool {
		_, _, err := syscall.Recvfrom(int(descriptor), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		isSilent = err == syscall.EAGAIN
		return true
	}) == nil && isSilent
}

// answer is nil unless a whole one came. Errors of package http have bytes of what came. The last result says that nothing else came with it.
func answer(conn net.Conn, request *http.Request) (*http.Response, []byte, bool) {
	head := &io.LimitedReader{R: conn, N: 1 << 14}
	reader := bufio.NewReader(head)
	_ = request.Write(conn) // who may not ask has an answer all the same
	response, err := http.ReadResponse(reader, request)
	if err != nil || response.ContentLength < 0 {
		return nil, nil, false
	}
	head.N = 1 << 20 // room for a token of the greatest length with every byte escaped
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, nil, false
	}
	return response, body, !response.Close && reader.Buffered() == 0
}
