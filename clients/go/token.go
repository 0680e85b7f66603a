package mediatoken

import (
	"fmt"
	"io"
	"time"
)

// Use says which use of a token it was.
type Use string

// UseFirst is the first use of the token, and its only one; UseRetry a request of the caller's again, within the daemon's retry window;
// UseNotEnforced where uses are not counted.
const (
	UseFirst       Use = "first"
	UseRetry       Use = "retry"
	UseNotEnforced Use = "not-enforced"
)

// ValidToken is a token that may play, now. It is used up.
//
// Client.Verify and Client.VerifyDecision alone make one. A nil or zero ValidToken is no valid token: every method panics,
// except the three that print it of a zero one. Package fmt prints a nil one as well, as it catches the panic.
type ValidToken struct {
	// A function, so that fmt shows an address alone to those who print a structure that has the token.
	said func() object
}

func (t ValidToken) answer() object {
	if t.said == nil {
		panic("mediatoken: a ValidToken is made by a Client alone; call Verify, and play only if it returns no error")
	}
	return t.said()
}

func (t ValidToken) text(name string) string {
	text, _ := t.answer()[name].(string)
	return text
}

func (t ValidToken) optional(name string) (string, bool) {
	text, isThere := t.answer()[name].(string)
	return text, isThere
}

// Identity is the SHA-256 of the token, 64 hexadecimal digits: its name in logs.
func (t ValidToken) Identity() string { return t.text("identity") }

// RequestorID is the requestor that was signed.
func (t ValidToken) RequestorID() string { return t.text("requestorID") }

// ResourceID is the resource that was signed.
func (t ValidToken) ResourceID() string { return t.text("resourceID") }

// MvpdID is the viewer's provider that was signed.
func (t ValidToken) MvpdID() string { return t.text("mvpdId") }

// ProxyMvpdID is the proxy of the viewer's provider, if one was signed.
func (t ValidToken) ProxyMvpdID() (string, bool) { return t.optional("proxyMvpdId") }

// SessionGUID names the viewer's account. Keep it out of your logs.
func (t ValidToken) SessionGUID() string { return t.text("sessionGUID") }

// IssueTime is when the token was issued.
func (t ValidToken) IssueTime() time.Time { return t.answer()["issueTime"].(time.Time) }

// ExpiresAt is when the token's life ends.
func (t ValidToken) ExpiresAt() time.Time { return t.answer()["expiresAt"].(time.Time) }

// TTL is the life that is granted.
func (t ValidToken) TTL() time.Duration {
	return time.Duration(t.answer()["ttlMilliseconds"].(int64)) * time.Millisecond
}

// KeyFingerprint is the key that signed it.
func (t ValidToken) KeyFingerprint() string { return t.text("keyFingerprint") }

// UnknownFields are the names of signed fields that the daemon does not know.
func (t ValidToken) UnknownFields() []string {
	names := []string{}
	for _, each := range t.answer()["unknownFields"].([]any) {
		names = append(names, each.(string))
	}
	return names
}

// Use says which use of the token this is.
func (t ValidToken) Use() Use { return Use(t.text("use")) }

// ViewerTag is a pseudonym of the account that may be logged, if the daemon gives one.
func (t ValidToken) ViewerTag() (string, bool) { return t.optional("viewerTag") }

// Handover is a credential with which the player gets its segments, if the tenant has that. Keep it out of your logs.
func (t ValidToken) Handover() (string, bool) { return t.optional("handover") }

// RequestID is the caller's, or the daemon's; its log has it too.
func (t ValidToken) RequestID() string { return t.text("requestID") }

// String shows the identity, the use and the request id, and nothing else.
func (t ValidToken) String() string {
	if t.said == nil {
		return "ValidToken(none)"
	}
	return fmt.Sprintf("ValidToken(%s use=%s requestID=%s)", t.Identity(), string(t.Use()), t.RequestID())
}

// Format prints the text of String for every verb.
func (t ValidToken) Format(state fmt.State, _ rune) { io.WriteString(state, t.String()) }

// MarshalText is the text of String, so that JSON and XML show no more. Nothing reads it back.
func (t ValidToken) MarshalText() ([]byte, error) { return []byte(t.String()), nil }
