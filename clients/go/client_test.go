package mediatoken

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"text/template"
	"time"
)

// What conformance cannot see: contexts, goroutines, what package fmt shows, and the middleware's settings.

const (
	secret  = "feedfacefeedfacefeedfacefeedface"
	patient = time.Minute
)

// rawToken has a token's shape, and no more: each name has other signed bytes.
func rawToken(name string) string {
	return "<signatureInfo>AAAA<signatureInfo><shortAuthorization>" + name + "</shortAuthorization>"
}

func identityOf(token string) string {
	q := question{}
	q.addIdentity(token)
	return q.identities[0]
}

// daemon takes everything, but the token that is silent, to which it has no answer, and full, which is a fault.
type daemon struct {
	path    string
	isAsked chan struct{}
}

func serve(t *testing.T, path string) *daemon {
	t.Helper()
	d := &daemon{path, make(chan struct{}, 100)}
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: d}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	return d
}

func (d *daemon) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token := r.FormValue("token")
	w.Header().Set("Content-Type", "application/json")
	switch token {
	case rawToken("silent"):
		d.isAsked <- struct{}{}
		<-r.Context().Done()
	case rawToken("full"):
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(503)
		io.WriteString(w, `{"fault":"REPLAY_MEMORY_FULL","number":66,"action":"retry","requestID":"1"}`)
	default:
		fmt.Fprintf(w, `{"verdict":"VALID_TOKEN","number":0,"identity":"%s","requestorID":"REF30","resourceID":"TNT","mvpdId":"M",`+
			`"sessionGUID":"%s","handover":"%[2]s","issueTime":"2026-11-23T00:00:00.000Z","expiresAt":"2026-11-23T00:05:00.000Z",`+
			`"ttlMilliseconds":300000,"keyFingerprint":"%[1]s","unknownFields":[],"use":"first","action":"none",`+
			`"adobeCode":"VALID_TOKEN","requestID":"1"}`, identityOf(token), secret)
	}
}

func clientOf(t *testing.T, options ...Option) (*Client, *daemon) {
	t.Helper()
	d := serve(t, t.TempDir()+"/daemon.sock")
	client, err := NewClient(d.path, append([]Option{WithTimeout(patient)}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client, d
}

func ask(ctx context.Context, client *Client, token string) (*ValidToken, error) {
	return client.Verify(ctx, token, RequestorID("REF30"), ResourceID("TNT"))
}

func TestACallEndsWithItsContext(t *testing.T) {
	client, daemon := clientOf(t, WithTimeout(time.Hour))
	expect := func(ctx context.Context, cause error) {
		t.Helper()
		token, err := ask(ctx, client, rawToken("silent"))
		var problem *NoAnswer
		if token != nil || !errors.As(err, &problem) || !errors.Is(err, cause) || problem.Action() != ActionRetry {
			t.Errorf("expected no answer, as %v, found %v, %v", cause, token, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-daemon.isAsked
		cancel()
	}()
	expect(ctx, context.Canceled)
	expect(ctx, context.Canceled)
	ctx, cancel = context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	expect(ctx, context.DeadlineExceeded)
	if token, err := ask(context.Background(), client, rawToken("valid")); err != nil || token.Use() != UseFirst {
		t.Errorf("expected the next question to be answered, found %v", err)
	}
}

func TestGoroutinesShareAClient(t *testing.T) {
	client, _ := clientOf(t, WithIdleConnections(3))
	var group sync.WaitGroup
	for worker := 0; worker < 16; worker++ {
		group.Add(1)
		go func(worker int) {
			defer group.Done()
			for number := 0; number < 50; number++ {
				text := rawToken(fmt.Sprintf("%d-%d", worker, number))
				ctx, cancel := context.WithCancel(context.Background())
				if number%5 == 0 {
					go cancel()
				}
				// A call that is ended at any moment must not spoil the connection of another.
				token, err := ask(ctx, client, text)
				cancel()
				if err == nil && token.Identity() != identityOf(text) || err != nil && !errors.Is(err, context.Canceled) {
					t.Errorf("expected an answer to its own question, found %v, %v", token, err)
				}
			}
		}(worker)
	}
	group.Wait()
	if count := len(client.idle); count == 0 || count > 3 {
		t.Errorf("expected up to 3 idle connections, found %d", count)
	}
	if client.Close(); len(client.idle) != 0 {
		t.Error("expected no idle connections after Close")
	}
}

func TestAPathIsAFile(t *testing.T) {
	// For package net this is a name without a file, which every process of the machine may take.
	before, _ := os.Getwd()
	defer os.Chdir(before)
	if err := os.Chdir(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	serve(t, "./@daemon")
	client, err := NewClient("@daemon", WithTimeout(patient))
	if err == nil {
		_, err = ask(context.Background(), client, rawToken("A"))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestWhatCannotBeAskedIsAMisuse(t *testing.T) {
	client, _ := clientOf(t)
	for _, each := range []struct {
		requestor Requestor
		resource  Resource
	}{{Requestor{}, ResourceID("TNT")}, {RequestorID("REF30"), Resource{}}, {RequestorID("\xff"), ResourceID("TNT")}} {
		token, err := client.Verify(context.Background(), "x", each.requestor, each.resource)
		var problem *Misuse
		if token != nil || !errors.As(err, &problem) || ActionOf(err) != ActionReport || errors.As(err, new(NotValid)) {
			t.Errorf("expected a misuse, found %v", err)
		}
	}
	if new(Client).CheckReady(context.Background()) == nil {
		t.Error("expected a zero client to have no answer")
	}
}

func TestZeroValuesLetNoOneIn(t *testing.T) {
	printing := map[string]bool{"String": true, "Format": true, "MarshalText": true}
	value := reflect.ValueOf(ValidToken{})
	for index := 0; index < value.NumMethod(); index++ {
		name := value.Type().Method(index).Name
		func() {
			defer func() {
				if recover() == nil && !printing[name] {
					t.Errorf("expected %s to panic", name)
				}
			}()
			value.Method(index).Call(nil)
		}()
	}
	if text := fmt.Sprint(ValidToken{}); text != "ValidToken(none)" {
		t.Errorf("expected a text of no token, found %s", text)
	}
	if ActionOf(&Refused{}) != ActionReport || ActionOf(fmt.Errorf("playing: %w", &NoAnswer{})) != ActionRetry || (&Fault{}).Error() == "" {
		t.Error("expected zero errors to be errors")
	}
	if token, isThere := TokenFromContext(context.Background()); token != nil || isThere {
		t.Error("expected no token of another request")
	}
}

func TestNothingPrintsASecret(t *testing.T) {
	client, _ := clientOf(t)
	token, err := ask(context.Background(), client, rawToken("A"))
	if err != nil || token.SessionGUID() != secret {
		t.Fatal(err)
	}
	said := told{message: message{"A: b"}, said: func() object { return object{"detail": secret, "decisionError": secret, "cure": secret} }}
	refused := &Refused{said}
	type exported struct {
		Token  *ValidToken
		Copy   ValidToken
		Reason error
	}
	type unexported struct {
		token  *ValidToken
		copied ValidToken
		reason error
		client *Client
	}
	for _, value := range []any{token, *token, exported{token, *token, refused}, unexported{token, *token, refused, client},
		&Fault{said}, &NotReady{said}, *refused, client} {
		var text bytes.Buffer
		for _, verb := range "vTtbcdoOqxXUeEfFgGsp" {
			for _, flags := range []string{"", "+", "#", " ", "-20.3"} {
				for _, each := range []any{value, &value, []any{value}, map[string]any{"x": value}, struct{ x any }{value}} {
					fmt.Fprintf(&text, "%"+flags+string(verb), each)
				}
			}
		}
		// Errors are what is expected of some of these.
		_ = json.NewEncoder(&text).Encode(value)
		_ = xml.NewEncoder(&text).Encode(value)
		_ = gob.NewEncoder(&text).Encode(value)
		_ = template.Must(template.New("").Parse("{{.}}{{printf `%d` .}}")).Execute(&text, value)
		if strings.Contains(text.String(), secret) || strings.Contains(text.String(), fmt.Sprintf("%x", secret)) {
			t.Errorf("%T shows a secret", value)
		}
	}
	written, err := json.Marshal(token)
	var again *ValidToken
	if err != nil || json.Unmarshal(written, &again) == nil {
		t.Errorf("expected nothing to be read back, found %v", again)
	}
}

func TestTheMiddlewareAnswersByItself(t *testing.T) {
	client, _ := clientOf(t)
	var lines strings.Builder
	plays := 0
	for _, each := range []struct {
		method, header, token string
		resource              Resource
		status                int
		field, value, body    string
	}{
		{"GET", "x-token", "A", ResourceID("TNT"), 200, "", "", ""},
		{"GET", "X-Media-Token", "A", ResourceID("TNT"), 401, "WWW-Authenticate", "MediaToken", `{"error":"no-token","action":"new-token"}`},
		{"get", "X-Token", "A", ResourceID("TNT"), 405, "Allow", "GET, POST, PUT, PATCH, DELETE", ""},
		{"GET, POST", "X-Token", "A", ResourceID("TNT"), 405, "Cache-Control", "no-store", ""},
		{"", "X-Token", "A", ResourceID("TNT"), 405, "Content-Type", "application/json", ""},
		{"GET", "X-Token", "full", ResourceID("TNT"), 503, "Retry-After", "7", `{"fault":"REPLAY_MEMORY_FULL","action":"retry"}`},
		{"GET", "X-Token", "A", Resource{}, 500, "", "", `{"error":"no-question","action":"report"}`},
	} {
		player := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if token, isThere := TokenFromContext(r.Context()); isThere && token.ResourceID() == "TNT" {
				plays++
			}
		})
		handler := Middleware(client, RequestorID("REF30"), func(*http.Request) Resource { return each.resource }, FromHeader("X-TOKEN"))(player)
		server := &http.Server{ErrorLog: log.New(&lines, "", 0)}
		request, answer := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
		request.Method = each.method
		request.Header.Set(each.header, rawToken(each.token))
		handler.ServeHTTP(answer, request.WithContext(context.WithValue(context.Background(), http.ServerContextKey, server)))
		if answer.Code != each.status || answer.Header().Get(each.field) != each.value || each.body != "" && answer.Body.String() != each.body {
			t.Errorf("%v: found %v", each, answer)
		}
	}
	if plays != 1 || !strings.Contains(lines.String(), "expected a requestor and a resource") {
		t.Errorf("expected one play and a line in the log, found %d and %q", plays, lines.String())
	}
}
