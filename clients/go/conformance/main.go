// Conformance is the kit's driver: what "Conformance" in the README of the kits asks of it.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"mediatoken.invalid/mediatoken"
)

type line struct {
	Do, Address, RequestIDHeader string
	TimeoutMilliseconds, AtOnce  int
	Texts                        [][]byte
	mediatoken.Question
}

func main() {
	double, client := mediatoken.NewDouble()
	for lines, answers := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout); lines.More(); {
		asked := line{AtOnce: 1, Question: mediatoken.Question{Requestor: mediatoken.Configured, Resource: mediatoken.Configured}}
		_ = lines.Decode(&asked)
		if asked.Do == "open" {
			client = mediatoken.NewClient(asked.Address)
			client.Timeout, client.RequestIDHeader = time.Duration(asked.TimeoutMilliseconds)*time.Millisecond, asked.RequestIDHeader
		}
		said, turns := make([]map[string]any, len(asked.Texts)), make(chan bool, asked.AtOnce)
		for index := range said {
			turns <- true
			go func(index int) {
				said[index] = asked.answer(client, asked.Texts[index])
				<-turns
			}(index)
		}
		for range make([]bool, asked.AtOnce) {
			turns <- true
		}
		_ = answers.Encode(map[string]any{"answers": said, "text": fmt.Sprintf("%v %+v %#v", client, client, *client), "texts": []string{
			double.Valid(nil), double.Refused("TOKEN_EXPIRED", "too-old", "new-token"), double.Unavailable("OUT_OF_MEMORY", "retry")}})
	}
}

func (l line) answer(client *mediatoken.Client, text []byte) map[string]any {
	var token *mediatoken.ValidToken
	start, err := time.Now(), error(nil)
	if l.Do == "verify" {
		token, err = client.Verify(context.Background(), string(text), l.Question)
	} else {
		token, err = client.VerifyDecision(context.Background(), text, l.Question)
	}
	said := map[string]any{"nanoseconds": time.Since(start), "outcome": fmt.Sprintf("%T", err), "text": ""}
	for _, value := range []any{token, err, struct{ hidden any }{token}, struct{ hidden any }{err}} {
		marshalled, _ := json.Marshal(value)
		said["text"] = fmt.Sprintf("%v %v %+v %#v %q %s", said["text"], value, value, value, value, marshalled)
	}
	switch p := err.(type) {
	case nil:
		said["outcome"], said["members"] = "ValidToken", token.Claims()
	case *mediatoken.Refused:
		said["members"] = map[string]any{"verdict": p.Verdict, "reason": p.Reason, "detail": p.Detail(), "action": p.Action,
			"adobeCode": p.AdobeCode, "requestID": p.RequestID}
	case *mediatoken.Unavailable:
		said["members"] = map[string]any{"name": p.Name, "status": p.Status, "detail": p.Detail(), "action": p.Action,
			"retryAfter": p.RetryAfter / time.Second, "requestID": p.RequestID}
	}
	return said
}
