// Package mediatokentest is for the tests of an application: a client without a daemon. It makes the tokens about which it is asked.
package mediatokentest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"

	"mediatoken.invalid/mediatoken"
)

// Double knows the answers about the tokens that it made. Any other is no token.
type Double struct {
	mutex   sync.Mutex
	answers map[string]answer
}

type answer struct {
	status  int
	members map[string]any
}

// NewDouble also is the client for the application.
func NewDouble() (*Double, *mediatoken.Client) {
	d, client := &Double{answers: map[string]answer{}}, mediatoken.NewClient("")
	client.Transport = d
	return d, client
}

// Valid makes a token that plays once, for the requestor and resource that are asked for. Members, if any, are those of the answer.
func (d *Double) Valid(members map[string]any) string {
	said := map[string]any{"verdict": "VALID_TOKEN", "identity": "fake", "mvpdId": "Sample_MVPD", "sessionGUID": "fake", "requestID": "fake",
		"issueTime": "2026-01-01T00:00:00Z", "expiresAt": "2026-01-01T01:00:00Z", "ttlMilliseconds": 3600000, "keyFingerprint": "fake",
		"unknownFields": []string{}, "use": "first"}
	for name, value := range members {
		said[name] = value
	}
	return d.made(200, said)
}

// Refused makes a token that is refused.
func (d *Double) Refused(verdict, reason, action string) string {
	return d.made(403, map[string]any{"verdict": verdict, "reason": reason, "action": action, "adobeCode": "ERROR_UNKNOWN"})
}

// Unavailable makes a token about which there is no verdict.
func (d *Double) Unavailable(name, action string) string {
	return d.made(503, map[string]any{"fault": name, "action": action})
}

func (d *Double) made(status int, members map[string]any) string {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	token := fmt.Sprintf("fake-%d", len(d.answers))
	d.answers[token] = answer{status, members}
	return token
}

// RoundTrip answers.
func (d *Double) RoundTrip(request *http.Request) (*http.Response, error) {
	token := request.PostFormValue("token")
	d.mutex.Lock()
	said, isKnown := d.answers[token]
	if !isKnown {
		said = answer{403, map[string]any{"verdict": "INVALID_TOKEN_FORMAT", "reason": "unknown-form", "action": "new-token"}}
	} else if said.status == 200 {
		said.members["requestorID"], said.members["resourceID"] = request.PostForm.Get("requestor"), request.PostForm.Get("resource")
		d.answers[token] = answer{403, map[string]any{"verdict": "TOKEN_REPLAYED", "reason": "already-used", "action": "new-token"}}
	}
	d.mutex.Unlock()
	body, err := json.Marshal(said.members)
	return &http.Response{StatusCode: said.status, Body: io.NopCloser(bytes.NewReader(body))}, err
}
