package mediatoken

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"sync"
)

// Double is for the tests of an application: it makes tokens, and knows the answers about them. Any other is no token.
type Double struct {
	mutex   sync.Mutex
	answers map[string][]map[string]any // of a token, with their statuses: each is given once, and the last one again
}

// NewDouble also is the client for the application, which asks no daemon.
func NewDouble() (*Double, *Client) {
	d, client := &Double{answers: map[string][]map[string]any{}}, NewClient("")
	client.exchange = d.exchange
	return d, client
}

// Valid makes a token that plays once, for the requestor and resource that are asked for. Members, if any, are those of the answer.
func (d *Double) Valid(members map[string]any) string {
	said := map[string]any{"verdict": "VALID_TOKEN", "identity": "fake", "mvpdId": "Sample_MVPD", "sessionGUID": "an account", "requestID": "fake",
		"issueTime": "2026-01-01T00:00:00Z", "expiresAt": "2026-01-01T01:00:00Z", "ttlMilliseconds": 3600000, "keyFingerprint": "fake",
		"unknownFields": []string{}, "use": "first", "status": 200}
	for name, value := range members {
		said[name] = value
	}
	return d.made(said, refusal("TOKEN_REPLAYED", "already-used", "new-token"))
}

// Refused makes a token that is refused.
func (d *Double) Refused(verdict, reason, action string) string {
	return d.made(refusal(verdict, reason, action))
}

// Unavailable makes a token about which there is no verdict.
func (d *Double) Unavailable(name, action string) string {
	return d.made(map[string]any{"fault": name, "action": action, "status": 503})
}

func refusal(verdict, reason, action string) map[string]any {
	return map[string]any{"verdict": verdict, "reason": reason, "action": action, "adobeCode": "ERROR_UNKNOWN", "status": 403}
}

func (d *Double) made(answers ...map[string]any) string {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	token := fmt.Sprintf("fake-%d", len(d.answers))
	d.answers[token] = answers
	return token
}

func (d *Double) exchange(_ context.Context, _, body string) (*http.Response, []byte, error) {
	form, _ := url.ParseQuery(body)
	token, said := form.Get("token"), refusal("INVALID_TOKEN_FORMAT", "unknown-form", "new-token")
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if left := d.answers[token]; left != nil {
		said, d.answers[token] = left[0], left[len(left)-1:]
	}
	said["requestorID"], said["resourceID"] = form.Get("requestor"), form.Get("resource")
	answer, err := json.Marshal(said)
	return &http.Response{StatusCode: said["status"].(int)}, answer, err
}
