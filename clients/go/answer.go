package mediatoken

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

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
	if json.Unmarshal(text, &object) != nil {
		return nil
	}
	return object
}

// outcome reads an answer: what is neither clearly valid nor refused is Unavailable.
func (q Question) outcome(response *http.Response, body []byte) (*ValidToken, error) {
	object, status, claims := members(body), response.StatusCode, Claims{}
	text := func(name string) string { text, _ := object[name].(string); return text }
	verdict, failure, detail, id := text("verdict"), text("error"), text("detail"), text("requestID")
	isOurs, problem := q.RequestID == "" || q.RequestID == id, NotValid{text("action"), id, &detail}
	switch {
	case status == 200:
		for _, name := range strings.Fields("identity mvpdId sessionGUID keyFingerprint use issueTime expiresAt ttlMilliseconds unknownFields") {
			isOurs = isOurs && object[name] != nil
		}
		for name, asked := range map[string]string{"requestorID": q.Requestor, "resourceID": q.Resource} {
			isOurs = isOurs && text(name) != "" && (asked == "" || asked == Configured || asked == text(name))
		}
		if verdict == "VALID_TOKEN" && isOurs && id != "" && json.Unmarshal(body, &claims) == nil {
			return &ValidToken{&claims}, nil
		}
		return nil, q.unavailable("NO_ANSWER", 200, errors.New("not the answer to this question; check what listens at the address"))
	case status == 403 && verdict != "" && verdict != "VALID_TOKEN" && isOurs:
		return nil, &Refused{verdict, text("reason"), problem, text("adobeCode")}
	case status == 403 && failure == "no-token-in-decision":
		return nil, &Refused{"", failure, problem, "ERROR_UNKNOWN"}
	}
	if problem.Action == "" {
		problem.Action = "retry"
	}
	if q.RequestID != "" {
		problem.RequestID = q.RequestID
	}
	seconds, _ := strconv.ParseUint(response.Header.Get("Retry-After"), 10, 16) // the greatest if it is more, 0 of a date
	name := strings.Fields(text("fault") + " " + failure + " NO_ANSWER")[0]
	return nil, &Unavailable{name, problem, status, time.Duration(seconds) * time.Second, nil}
}
