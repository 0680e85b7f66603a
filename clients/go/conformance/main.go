// Conformance is the kit's driver: what "Conformance" in the README of the kits asks of it.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"sync"
	"time"

	"mediatoken.invalid/mediatoken"
)

// line is what the driver is told. Texts that are absent are nil.
type line struct {
	Do                      string   `json:"do"`
	Address                 string   `json:"address"`
	TimeoutMilliseconds     float64  `json:"timeoutMilliseconds"`
	RequestIDHeader         *string  `json:"requestIDHeader"`
	RetryWindowMilliseconds *float64 `json:"retryWindowMilliseconds"`
	IdleConnections         *int     `json:"idleConnections"`
	Connections             *int     `json:"connections"`
	Token                   []byte   `json:"token"`
	Tokens                  [][]byte `json:"tokens"`
	Decision                []byte   `json:"decision"`
	Requestor               *string  `json:"requestor"`
	Resource                *string  `json:"resource"`
	ResourceDocument        *string  `json:"resourceDocument"`
	ResourceChannel         *string  `json:"resourceChannel"`
	RequestID               *string  `json:"requestID"`
}

// outcome is what the driver says.
type outcome map[string]any

func main() {
	lines, outcomes := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	var client *mediatoken.Client
	for {
		var asked line
		if err := lines.Decode(&asked); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			log.Fatal(err)
		}
		var said outcome
		if asked.Do == "open" {
			client, said = opened(asked)
		} else {
			said = saidBy(client, asked)
		}
		if err := outcomes.Encode(said); err != nil {
			log.Fatal(err)
		}
	}
}

func opened(asked line) (*mediatoken.Client, outcome) {
	options := []mediatoken.Option{mediatoken.WithTimeout(milliseconds(asked.TimeoutMilliseconds))}
	if asked.RequestIDHeader != nil {
		options = append(options, mediatoken.WithRequestIDHeader(*asked.RequestIDHeader))
	}
	if asked.RetryWindowMilliseconds != nil {
		options = append(options, mediatoken.WithRetryWindow(milliseconds(*asked.RetryWindowMilliseconds)))
	}
	if asked.IdleConnections != nil {
		options = append(options, mediatoken.WithIdleConnections(*asked.IdleConnections))
	}
	if asked.Connections != nil {
		options = append(options, mediatoken.WithConnections(*asked.Connections))
	}
	client, err := mediatoken.NewClient(asked.Address, options...)
	if err != nil {
		return nil, failed(err)
	}
	return client, outcome{"outcome": "opened", "text": printed(client)}
}

func saidBy(client *mediatoken.Client, asked line) outcome {
	var options []mediatoken.CallOption
	if asked.RequestID != nil {
		options = append(options, mediatoken.WithRequestID(*asked.RequestID))
	}
	ctx := context.Background()
	switch asked.Do {
	case "verify":
		return valid(client.Verify(ctx, string(asked.Token), asked.requestor(), asked.resource(), options...))
	case "verifyDecision":
		return valid(client.VerifyDecision(ctx, asked.Decision, asked.requestor(), asked.resource(), options...))
	case "ready":
		if err := client.CheckReady(ctx); err != nil {
			return failed(err)
		}
		return outcome{"outcome": "ready", "text": ""}
	case "atOnce":
		return atOnce(client, asked)
	case "measure":
		return measured(client, asked)
	}
	log.Fatalf("expected a line of the README, found %q", asked.Do)
	return nil
}

func (l line) requestor() mediatoken.Requestor {
	if l.Requestor == nil {
		return mediatoken.ConfiguredRequestor()
	}
	return mediatoken.RequestorID(*l.Requestor)
}

func (l line) resource() mediatoken.Resource {
	switch {
	case l.Resource != nil:
		return mediatoken.ResourceID(*l.Resource)
	case l.ResourceDocument != nil:
		return mediatoken.Document(*l.ResourceDocument)
	case l.ResourceChannel != nil:
		return mediatoken.Channel(*l.ResourceChannel)
	}
	return mediatoken.ConfiguredResource()
}

func valid(token *mediatoken.ValidToken, err error) outcome {
	if err != nil {
		return failed(err)
	}
	said := outcome{
		"outcome": "valid", "identity": token.Identity(), "use": token.Use(), "requestID": token.RequestID(),
		"requestorID": token.RequestorID(), "resourceID": token.ResourceID(), "mvpdId": token.MvpdID(),
		"sessionGUID": token.SessionGUID(), "issueTime": token.IssueTime().UnixMilli(), "expiresAt": token.ExpiresAt().UnixMilli(),
		"ttlMilliseconds": token.TTL().Milliseconds(), "keyFingerprint": token.KeyFingerprint(),
		"unknownFields": token.UnknownFields(), "text": printed(token, *token),
	}
	for name, read := range map[string]func() (string, bool){
		"proxyMvpdId": token.ProxyMvpdID, "viewerTag": token.ViewerTag, "handover": token.Handover,
	} {
		if text, isThere := read(); isThere {
			said[name] = text
		}
	}
	return said
}

func failed(err error) outcome {
	said := outcome{"text": printed(err, errors.Unwrap(err)), "action": mediatoken.ActionOf(err)}
	switch err := err.(type) {
	case *mediatoken.Refused:
		said["outcome"], said["verdict"], said["reason"], said["detail"] = "refused", nil, err.Reason(), err.Detail()
		said["adobeCode"] = err.AdobeCode()
		if err.Verdict() != "" {
			said["verdict"] = err.Verdict()
		}
		for name, text := range map[string]string{
			"identity": err.Identity(), "requestID": err.RequestID(), "decisionError": err.DecisionError(),
		} {
			if text != "" {
				said[name] = text
			}
		}
	case *mediatoken.Fault:
		said["outcome"], said["name"], said["status"] = "fault", err.Name(), err.Status()
		addSeconds(said, err.RetryAfter)
	case *mediatoken.NotReady:
		said["outcome"], said["reason"] = "not-ready", err.Reason()
		addSeconds(said, err.RetryAfter)
	case *mediatoken.NoAnswer:
		said["outcome"] = "no-answer"
	case *mediatoken.ForeignAnswer:
		said["outcome"] = "foreign"
	case *mediatoken.Misuse:
		said["outcome"] = "misuse"
	default:
		log.Fatalf("expected an error of the kit, found %T", err)
	}
	return said
}

func addSeconds(said outcome, read func() (time.Duration, bool)) {
	if after, isThere := read(); isThere {
		said["retryAfter"] = after / time.Second
	}
}

// atOnce says what came of each of many calls in goroutines of their own.
func atOnce(client *mediatoken.Client, asked line) outcome {
	outcomes := make([]any, len(asked.Tokens))
	var all sync.WaitGroup
	for index, token := range asked.Tokens {
		all.Add(1)
		go func(index int, token string) {
			defer all.Done()
			outcomes[index] = valid(client.Verify(context.Background(), token, asked.requestor(), asked.resource()))["outcome"]
		}(index, string(token))
	}
	all.Wait()
	return outcome{"outcome": "at-once", "outcomes": outcomes, "text": ""}
}

// measured says how long each call took. A token that is not valid ends it.
func measured(client *mediatoken.Client, asked line) outcome {
	times := []int64{}
	for _, token := range asked.Tokens {
		text := string(token)
		start := time.Now()
		if _, err := client.Verify(context.Background(), text, asked.requestor(), asked.resource()); err != nil {
			return failed(err)
		}
		times = append(times, time.Since(start).Nanoseconds())
	}
	return outcome{"outcome": "measured", "nanoseconds": times, "text": ""}
}

// printed is all that a log could have of these: every verb, in a structure that has them with and without exporting them, and JSON.
func printed(values ...any) string {
	var text string
	for _, each := range values {
		type holder struct {
			Shown  any
			hidden any
		}
		for _, value := range []any{each, holder{each, each}, []any{each}} {
			for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
				text += fmt.Sprintf(verb+" ", value)
			}
		}
		marshalled, _ := json.Marshal(each)
		text += string(marshalled) + " "
	}
	return text
}

func milliseconds(number float64) time.Duration {
	return time.Duration(number * float64(time.Millisecond))
}
