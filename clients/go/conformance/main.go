// Conformance is the kit's driver: what "Conformance" in the README of the kits asks of it.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"mediatoken.invalid/mediatoken"
)

type object = map[string]any

type line struct {
	Do, Address, RequestIDHeader           string
	TimeoutMilliseconds, AtOnce, Processes int
	Texts                                  [][]byte
	mediatoken.Question
}

func main() {
	client, lines, answers := &mediatoken.Client{}, json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for text := (json.RawMessage{}); lines.Decode(&text) == nil; {
		asked, said := line{AtOnce: 1, Question: mediatoken.Question{Requestor: mediatoken.Configured}}, object{"unable": "fork"}
		_ = json.Unmarshal(text, &asked)
		if !bytes.Contains(text, []byte(`"resource`)) {
			asked.Resource = mediatoken.Configured
		}
		if asked.Do == "open" {
			client = mediatoken.NewClient(asked.Address)
			client.Timeout, client.RequestIDHeader = time.Duration(asked.TimeoutMilliseconds)*time.Millisecond, asked.RequestIDHeader
			said = object{"text": fmt.Sprintf("%v %+v %#v", client, client, *client)}
		} else if asked.Processes == 0 {
			each, turns := make([]object, len(asked.Texts)), make(chan bool, asked.AtOnce)
			for index, text := range asked.Texts {
				turns <- true
				go func(index int, text []byte) { each[index] = answerTo(client, asked, text); <-turns }(index, text)
			}
			for range make([]bool, asked.AtOnce) {
				turns <- true
			}
			said = object{"answers": each}
		}
		_ = answers.Encode(said)
	}
}

func answerTo(client *mediatoken.Client, asked line, text []byte) (said object) {
	verify := client.VerifyDecision
	if asked.Do == "verify" {
		verify = func(ctx context.Context, text []byte, q mediatoken.Question) (*mediatoken.ValidToken, error) {
			return client.Verify(ctx, string(text), q)
		}
	}
	start := time.Now()
	token, err := verify(context.Background(), text, asked.Question)
	nanoseconds := time.Since(start).Nanoseconds()
	said = object{"outcome": "misuse"}
	switch p := err.(type) {
	case nil:
		c := token.Claims()
		said = object{"outcome": "valid", "identity": c.Identity, "requestorID": c.RequestorID, "resourceID": c.ResourceID,
			"mvpdId": c.MvpdID, "sessionGUID": c.SessionGUID, "keyFingerprint": c.KeyFingerprint, "use": c.Use, "requestID": c.RequestID,
			"ttlMilliseconds": c.TTLMilliseconds, "issueTime": c.IssueTime.UnixMilli(), "expiresAt": c.ExpiresAt.UnixMilli(),
			"unknownFields": c.UnknownFields, "proxyMvpdId": c.ProxyMvpdID, "viewerTag": c.ViewerTag, "handover": c.Handover}
	case *mediatoken.Refused:
		said = object{"outcome": "refused", "verdict": p.Verdict, "reason": p.Reason, "detail": p.Detail(), "action": p.Action,
			"adobeCode": p.AdobeCode, "requestID": p.RequestID}
		if p.Verdict == "" {
			said["verdict"] = nil
		}
	case *mediatoken.Unavailable:
		said = object{"outcome": "unavailable", "name": p.Name, "status": p.Status, "detail": p.Detail(), "action": p.Action,
			"retryAfter": p.RetryAfter / time.Second, "requestID": p.RequestID}
	}
	for _, value := range []any{token, err, struct{ hidden any }{token}, struct{ hidden any }{err}} {
		marshalled, _ := json.Marshal(value)
		said["text"] = fmt.Sprintf("%v %v %+v %#v %q %s", said["text"], value, value, value, value, marshalled)
	}
	said["nanoseconds"] = nanoseconds
	return said
}
