// Package mediatokentest is for the tests of an application: a daemon that says about each token what the token was made to say.
//
//	fake := mediatokentest.NewDaemon("")
//	defer fake.Close()
//	client, err := mediatoken.NewClient(fake.URL)
//
// The client is the real one: in the application nothing changes but an address. A real daemon refuses all of these tokens.
package mediatokentest

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

const mark = "<signatureInfo>fake</signatureInfo>"

// NewDaemon listens on the loopback interface, at its URL, until it is closed. The header is that of WithRequestIDHeader, or empty.
func NewDaemon(requestIDHeader string) *httptest.Server {
	var used sync.Map
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, members := 200, map[string]any{"status": "ready"}
		if r.Method == http.MethodPost {
			status, members = answer(r, &used)
		}
		members["requestID"] = "fake"
		if id := r.Header.Get(requestIDHeader); id != "" {
			members["requestID"] = id
		}
		w.Header().Set("Content-Type", "application/json")
		body, _ := json.Marshal(members)
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		w.WriteHeader(status)
		w.Write(body)
	}))
}

func answer(r *http.Request, used *sync.Map) (status int, members map[string]any) {
	token := r.PostFormValue("token")
	isOurs, said := strings.HasPrefix(token, mark), token
	if !isOurs {
		said = Refused("INVALID_TOKEN_FORMAT", "unknown-form", "new-token")
	} else if _, wasUsed := used.Load(token); wasUsed {
		said = Refused("TOKEN_REPLAYED", "already-used", "new-token")
	}
	_, text, _ := strings.Cut(said, "{")
	if _, err := fmt.Sscan(said[len(mark):], &status); err != nil {
		panic(err)
	}
	if err := json.Unmarshal([]byte("{"+text), &members); err != nil {
		panic(err)
	}
	if isOurs {
		identity := sha256.Sum256([]byte(token[len(mark):]))
		members["identity"] = hex.EncodeToString(identity[:])
	}
	if status == 200 {
		used.Store(token, true)
		members["requestorID"], members["resourceID"] = "FAKE", "fake"
		for name, asked := range map[string]string{"requestorID": r.PostFormValue("requestor"), "resourceID": r.PostFormValue("resource")} {
			if asked != "" {
				members[name] = asked
			}
		}
	}
	return status, members
}

// Valid makes a token that plays once, for the requestor and resource that are asked for. Members, if there are any, are those of the
// daemon's answer.
func Valid(members map[string]any) string {
	said := map[string]any{
		"verdict": "VALID_TOKEN", "number": 0, "mvpdId": "Sample_MVPD", "sessionGUID": "fake", "issueTime": "2026-01-01T00:00:00.000Z",
		"expiresAt": "2026-01-01T01:00:00.000Z", "ttlMilliseconds": 3600000, "keyFingerprint": strings.Repeat("0", 64),
		"unknownFields": []string{}, "use": "first", "action": "none", "adobeCode": "VALID_TOKEN"}
	for name, value := range members {
		said[name] = value
	}
	return made(200, said)
}

// Refused makes a token that is refused.
func Refused(verdict, reason, action string) string {
	return made(403, map[string]any{
		"verdict": verdict, "number": 1, "reason": reason, "detail": "a fake", "action": action, "adobeCode": "ERROR_UNKNOWN"})
}

// Fault makes a token about which there is no verdict.
func Fault(name, action string) string {
	return made(503, map[string]any{"fault": name, "number": 64, "detail": "a fake", "action": action})
}

func made(status int, members map[string]any) string {
	nonce := make([]byte, 16)
	if _, err := rand.Read(nonce); err != nil {
		panic(err)
	}
	text, err := json.Marshal(members)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("%s%d %x %s", mark, status, nonce, text)
}
