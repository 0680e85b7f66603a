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
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Client asks one daemon. Make one for the program, at its start: all goroutines share it.
type Client struct {
	Timeout         time.Duration // of a whole call, 5 s; the deadline of the call's context holds too
	RequestIDHeader string        // the daemon's setting requestIDHeader; each question then has an id, which must come back
	exchange        func(ctx context.Context, head, body string) (*http.Response, []byte, error)
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

// told is what the daemon is told, besides what is asked about.
func (q Question) told() map[string]string {
	told := map[string]string{"requestor": q.Requestor, "resource": q.Resource, "resourceDocument": q.ResourceDocument, "resourceChannel": q.ResourceChannel}
	for name, text := range told {
		if text == "" || text == Configured {
			delete(told, name)
		}
	}
	return told
}

// Verify asks about a token as it was received, and uses it up. With every error the token is nil: *Refused, *Unavailable, or another one
// of a caller who asks what cannot be asked.
func (c *Client) Verify(ctx context.Context, token string, q Question) (*ValidToken, error) {
	form := url.Values{"token": {token}}
	if token == "" {
		form.Set("token", " ") // the daemon trims it: a form has no empty values
	}
	for name, text := range q.told() {
		form.Set(name, text)
	}
	return c.ask(ctx, q, "application/x-www-form-urlencoded", form.Encode())
}

// VerifyDecision is the same with a whole answer of decisions/authorize of Adobe's REST API v2, as it came.
func (c *Client) VerifyDecision(ctx context.Context, decision []byte, q Question) (*ValidToken, error) {
	// What is not one object could mean something else between members of ours.
	if members(decision) == nil {
		return nil, q.unavailable("bad-decision", 400, errors.New("expected one JSON object, as Adobe sent it"))
	}
	told := q.told()
	told["decision"] = ""
	frame, _ := json.Marshal(told) // texts have no error, and the decision is first, by its name
	return c.ask(ctx, q, "application/json", strings.Replace(string(frame), `""`, string(decision), 1))
}

var requestID = regexp.MustCompile(`^[A-Za-z0-9._:+/=@-]{1,128}$`)

// ask gives the question an id if it needs one, and is over in time.
func (c *Client) ask(ctx context.Context, q Question, contentType, body string) (*ValidToken, error) {
	if q.Requestor == "" || q.Resource+q.ResourceDocument+q.ResourceChannel == "" {
		return nil, errors.New("mediatoken: expected a requestor and a resource, found an empty one; the daemon's own is Configured")
	}
	if q.RequestID != "" && (c.RequestIDHeader == "" || !requestID.MatchString(q.RequestID)) {
		return nil, errors.New("mediatoken: expected RequestIDHeader, and an id of 1 to 128 letters, digits and . _ - : + / = @")
	}
	head := fmt.Sprintf("POST /v1/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %d\r\n", contentType, len(body))
	if c.RequestIDHeader != "" {
		if random := make([]byte, 16); q.RequestID == "" {
			if _, err := rand.Read(random); err != nil {
				return nil, err
			}
			q.RequestID = fmt.Sprintf("%x", random)
		}
		head += c.RequestIDHeader + ": " + q.RequestID + "\r\n"
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	if ctx.Err() == nil {
		response, answer, err := c.exchange(ctx, head+"\r\n", body)
		if err == nil {
			return q.outcome(response, answer)
		} else if ctx.Err() == nil {
			return nil, q.unavailable("NO_ANSWER", 0, err)
		}
	}
	return nil, q.unavailable("NO_ANSWER", 0, ctx.Err())
}

// sockets are connections that are kept between questions. An http.Transport could take what comes on one unasked for the next answer.
type sockets struct {
	path string
	idle chan net.Conn
}

// exchange asks on a connection that no other question has, and keeps it if nothing but one whole answer came.
func (s sockets) exchange(ctx context.Context, head, body string) (response *http.Response, answer []byte, err error) {
	conn := s.silent()
	if conn == nil {
		if conn, err = new(net.Dialer).DialContext(ctx, "unix", s.path); err != nil {
			return nil, nil, fmt.Errorf("cannot connect (%w); check the address, and whether mediatokend runs", err)
		}
	}
	end, _ := ctx.Deadline()
	_ = conn.SetWriteDeadline(end)
	_, _ = io.WriteString(conn, head+body) // who may not ask has an answer all the same
	limit := &io.LimitedReader{R: patient{conn, ctx}, N: 1 << 14}
	reader := bufio.NewReader(limit)
	response, err = http.ReadResponse(reader, nil)
	if err == nil {
		limit.N = 1 << 20 // room for a token of the greatest length with every byte escaped
		answer, err = io.ReadAll(response.Body)
	}
	if err != nil || response.ContentLength < 0 {
		conn.Close()
		return nil, nil, errors.New("no whole answer of HTTP/1.1 came") // errors of package http have bytes of what came
	}
	if response.Close || reader.Buffered() > 0 {
		conn.Close() // so that it is not silent
	}
	select {
	case s.idle <- conn:
	default:
		conn.Close()
	}
	return response, answer, nil
}

// silent is a connection that was kept, or nil. One that can be read has ended, or says what no question asked for.
func (s sockets) silent() net.Conn {
	select {
	case conn := <-s.idle:
		err := error(syscall.EINVAL)
		raw, _ := conn.(*net.UnixConn).SyscallConn() // an open or closed one has no error
		_ = raw.Control(func(descriptor uintptr) {
			_, _, err = syscall.Recvfrom(int(descriptor), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		})
		if err == syscall.EAGAIN {
			return conn
		}
		conn.Close()
	default:
	}
	return nil
}

// patient reads until the context ends, and looks at it now and then: a goroutine that waits for its end would cost each call 30 µs.
type patient struct {
	net.Conn
	ctx context.Context
}

func (p patient) Read(data []byte) (count int, err error) {
	for {
		_ = p.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
		count, err = p.Conn.Read(data)
		if !errors.Is(err, os.ErrDeadlineExceeded) || p.ctx.Err() != nil {
			return count, err
		}
	}
}

// ValidToken is a token that may play, now. It is used up. A Client alone makes one: of a nil or zero one Claims panics.
type ValidToken struct{ claims *Claims } // a pointer, so that fmt and encoding/json show no claim

// Claims is what the answer says about a valid token. Log neither SessionGUID, the viewer's account, nor Handover, a credential for segments.
type Claims struct {
	Identity, RequestorID, ResourceID, MvpdID, SessionGUID, KeyFingerprint, RequestID string
	Use                                                                               string // first, retry, or not-enforced
	IssueTime, ExpiresAt                                                              time.Time
	TTLMilliseconds                                                                   int64
	UnknownFields                                                                     []string
	ProxyMvpdID, ViewerTag, Handover                                                  string // empty where the token or the daemon has nothing
}

// Claims is a copy.
func (t ValidToken) Claims() Claims { return *t.claims }

// String shows the identity, the use and the request id, and nothing else.
func (t ValidToken) String() string {
	return fmt.Sprintf("ValidToken(%s use=%s requestID=%s)", t.claims.Identity, t.claims.Use, t.claims.RequestID)
}

// NotValid is what Refused and Unavailable have in common. Action is what the player does next: new-token, retry, report, or another one
// of a newer daemon.
type NotValid struct {
	Action    string `json:"action"`
	RequestID string `json:"-"`
	detail    *string
}

// Detail says more, for people. It is no part of the error's text.
func (n NotValid) Detail() string { return *n.detail }

func (n NotValid) action() string { return n.Action }

// Refused says that the daemon says no. The verdict is empty of a decision without a token.
type Refused struct {
	Verdict string `json:"verdict"`
	Reason  string `json:"reason"`
	NotValid
	AdobeCode string `json:"adobeCode"`
}

func (r Refused) Error() string { return strings.TrimPrefix(r.Verdict+": "+r.Reason, ": ") }

// Unavailable says that there is no verdict: a fault of the daemon, an error about the question, or no answer of ours, when the token may
// be used up. Name is REPLAY_MEMORY_FULL, bad-parameter, …, or NO_ANSWER; Status is that of HTTP, or 0; RetryAfter is 0 if not said.
type Unavailable struct {
	Name string `json:"fault"`
	NotValid
	Status     int           `json:"-"`
	RetryAfter time.Duration `json:"-"`
	cause      error
}

func (u Unavailable) Error() string {
	return strings.TrimSuffix(fmt.Sprintf("no verdict: %s (%d): %v", u.Name, u.Status, u.cause), ": <nil>")
}

// Unwrap is context.DeadlineExceeded, context.Canceled, or another reason for which there was no answer.
func (u Unavailable) Unwrap() error { return u.cause }

func (q Question) unavailable(name string, status int, cause error) error {
	detail := cause.Error()
	return &Unavailable{name, NotValid{"retry", q.RequestID, &detail}, status, 0, cause}
}

// ActionOf says what the player does next after an error of Verify: report, if it is the caller's.
func ActionOf(err error) string {
	var problem interface{ action() string }
	if errors.As(err, &problem) {
		return problem.action()
	}
	return "report"
}

// members is nil of what is not one JSON object.
func members(text []byte) (object map[string]any) {
	_ = json.Unmarshal(text, &object)
	return object
}

// required are in each answer about a valid token.
var required = strings.Fields(
	"identity requestorID resourceID mvpdId sessionGUID keyFingerprint use requestID issueTime expiresAt ttlMilliseconds unknownFields")

// outcome reads an answer: what is neither clearly valid nor refused is Unavailable.
func (q Question) outcome(response *http.Response, body []byte) (*ValidToken, error) {
	object, said, claims, status := members(body), map[string]string{"action": "retry"}, Claims{}, response.StatusCode
	for name, value := range object {
		if text, isText := value.(string); isText {
			said[name] = text
		}
	}
	verdict, failure, detail, id := said["verdict"], said["error"], said["detail"], said["requestID"]
	isOurs := q.RequestID == "" || q.RequestID == id
	problem := NotValid{said["action"], id, &detail}
	switch {
	case status == 403 && verdict != "" && verdict != "VALID_TOKEN" && isOurs:
		return nil, &Refused{verdict, said["reason"], problem, said["adobeCode"]}
	case status == 403 && failure == "no-token-in-decision":
		return nil, &Refused{"", failure, problem, "ERROR_UNKNOWN"}
	case status != 200:
		if q.RequestID != "" {
			problem.RequestID = q.RequestID
		}
		seconds, _ := strconv.ParseUint(response.Header.Get("Retry-After"), 10, 16) // the greatest if it is more, 0 of a date
		name := strings.Fields(said["fault"] + " " + failure + " NO_ANSWER")[0]
		return nil, &Unavailable{name, problem, status, time.Duration(seconds) * time.Second, nil}
	}
	for _, name := range required {
		isOurs = isOurs && object[name] != nil
	}
	for name, asked := range map[string]string{"requestorID": q.Requestor, "resourceID": q.Resource} {
		isOurs = isOurs && (asked == "" || asked == Configured || asked == said[name])
	}
	if verdict == "VALID_TOKEN" && isOurs && json.Unmarshal(body, &claims) == nil {
		return &ValidToken{&claims}, nil
	}
	return nil, q.unavailable("NO_ANSWER", 200, errors.New("not the answer to this question; check what listens at the address"))
}
