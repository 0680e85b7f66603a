// Conformance is the kit's driver: what "Conformance" in the README of the kits asks of it.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"mediatoken.invalid/mediatoken"
)

type object = map[string]any

func main() {
	client, asked := &mediatoken.Client{}, object{}
	for lines, answers := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout); lines.Decode(&asked) == nil; asked = (object{}) {
		said := object{"unable": "fork"}
		if asked["do"] == "open" {
			milliseconds := time.Duration(asked["timeoutMilliseconds"].(float64))
			header, _ := asked["requestIDHeader"].(string)
			client = mediatoken.NewClient(asked["address"].(string))
			client.Timeout, client.RequestIDHeader = milliseconds*time.Millisecond, header
			said = object{"text": fmt.Sprintf("%v %+v %#v", client, client, *client)}
		} else if asked["processes"] == nil {
			said = object{"answers": answersTo(client, asked)}
		}
		_ = answers.Encode(said)
	}
}

func answersTo(client *mediatoken.Client, asked object) []object {
	q, texts := mediatoken.Question{Requestor: mediatoken.Configured}, asked["texts"].([]any)
	if asked["resource"] == nil && asked["resourceDocument"] == nil && asked["resourceChannel"] == nil {
		q.Resource = mediatoken.Configured
	}
	for name, to := range map[string]*string{"requestor": &q.Requestor, "resource": &q.Resource, "resourceDocument": &q.ResourceDocument,
		"resourceChannel": &q.ResourceChannel, "requestID": &q.RequestID} {
		if text, isThere := asked[name].(string); isThere {
			*to = text
		}
	}
	most, _ := asked["atOnce"].(float64)
	said, turns, all := make([]object, len(texts)), make(chan bool, int(most)+1), sync.WaitGroup{}
	for index := range texts {
		turns <- true
		all.Add(1)
		ask := func(index int) {
			said[index] = answerTo(client, asked["do"] == "verifyDecision", texts[index].(string), q)
			<-turns
			all.Done()
		}
		if most == 0 {
			ask(index)
		} else {
			go ask(index)
		}
	}
	all.Wait()
	return said
}

func answerTo(client *mediatoken.Client, isDecision bool, encoded string, q mediatoken.Question) (said object) {
	text, _ := base64.StdEncoding.DecodeString(encoded)
	verify := func() (*mediatoken.ValidToken, error) { return client.Verify(context.Background(), string(text), q) }
	if isDecision {
		verify = func() (*mediatoken.ValidToken, error) { return client.VerifyDecision(context.Background(), text, q) }
	}
	start := time.Now()
	token, err := verify()
	nanoseconds := time.Since(start).Nanoseconds()
	switch problem := err.(type) {
	case nil:
		c := token.Claims()
		said = object{"outcome": "valid", "identity": c.Identity, "requestorID": c.RequestorID, "resourceID": c.ResourceID,
			"mvpdId": c.MvpdID, "sessionGUID": c.SessionGUID, "keyFingerprint": c.KeyFingerprint, "use": c.Use, "requestID": c.RequestID,
			"ttlMilliseconds": c.TTLMilliseconds, "issueTime": c.IssueTime.UnixMilli(), "expiresAt": c.ExpiresAt.UnixMilli(),
			"unknownFields": c.UnknownFields, "proxyMvpdId": c.ProxyMvpdID, "viewerTag": c.ViewerTag, "handover": c.Handover}
	case *mediatoken.Refused:
		said = object{"outcome": "refused", "verdict": problem.Verdict, "reason": problem.Reason, "detail": problem.Detail(),
			"action": problem.Action, "adobeCode": problem.AdobeCode, "requestID": problem.RequestID}
		if problem.Verdict == "" {
			said["verdict"] = nil
		}
	case *mediatoken.Unavailable:
		said = object{"outcome": "unavailable", "name": problem.Name, "status": problem.Status, "detail": problem.Detail(),
			"action": problem.Action, "retryAfter": problem.RetryAfter / time.Second, "requestID": problem.RequestID}
	default:
		said = object{"outcome": "misuse"}
	}
	for _, value := range []any{token, err, struct{ hidden any }{token}, struct{ hidden any }{err}} {
		marshalled, _ := json.Marshal(value)
		said["text"] = fmt.Sprintf("%v %v %+v %#v %q %s", said["text"], value, value, value, value, marshalled)
	}
	said["nanoseconds"] = nanoseconds
	return said
}
