package mediatoken

import (
	"context"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func played(t *testing.T, client *Client, resource Resource, options ...GateOption) (http.Handler, *int) {
	plays := 0
	player := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if token, isThere := TokenFromContext(r.Context()); !isThere || token.ResourceID() != "TNT" {
			t.Error("expected the token that was let through")
		}
		plays++
	})
	return Middleware(client, RequestorID("REF30"), func(*http.Request) Resource { return resource }, options...)(player), &plays
}

func TestAQuestionThatCannotBeAskedLetsNoOneIn(t *testing.T) {
	handler, plays := played(t, clientOf(t, serve(t, saysValid)), Resource{})
	var lines strings.Builder
	daemon := httptest.NewUnstartedServer(handler)
	daemon.Config.ErrorLog = log.New(&lines, "", 0)
	daemon.Start()
	request, err := http.NewRequest("GET", daemon.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Media-Token", rawToken("A"))
	response, err := daemon.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	daemon.Close()
	if response.StatusCode != 500 || *plays != 0 || !strings.Contains(lines.String(), "expected a resource") {
		t.Errorf("expected 500 and a line in the log, found %d and %q", response.StatusCode, lines.String())
	}
}

func TestAnotherMethodAsksNothing(t *testing.T) {
	handler, plays := played(t, clientOf(t, serve(t, saysValid)), ResourceID("TNT"))
	for _, method := range []string{"HEAD", "head", "get", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "TRACK", "QUERY", "GETX"} {
		request, answer := httptest.NewRequest(method, "/", nil), httptest.NewRecorder()
		request.Header.Set("X-Media-Token", rawToken("A"))
		handler.ServeHTTP(answer, request)
		if *plays != 0 || answer.Code != 405 || answer.Header().Get("Allow") != "GET, POST, PUT, PATCH, DELETE" {
			t.Errorf("%s: expected 405, found %d", method, answer.Code)
		}
	}
}

func TestAnotherHeader(t *testing.T) {
	handler, plays := played(t, clientOf(t, serve(t, saysValid)), ResourceID("TNT"), FromHeader("x-token"))
	for _, header := range []string{"X-Media-Token", "X-Token"} {
		request := httptest.NewRequest("GET", "/", nil)
		request.Header.Set(header, rawToken("A"))
		handler.ServeHTTP(httptest.NewRecorder(), request)
	}
	if *plays != 1 {
		t.Errorf("expected one play, found %d", *plays)
	}
}

func TestFaultsSayWhenToAskAgain(t *testing.T) {
	handler, plays := played(t, clientOf(t, serve(t, func(string) string {
		return "HTTP/1.1 503 X\r\nContent-Type: application/json\r\nRetry-After: 7\r\nContent-Length: 78\r\n\r\n" +
			`{"fault":"REPLAY_MEMORY_FULL","number":66,"action":"retry","requestID":"1"}   `
	})), ResourceID("TNT"))
	request, answer := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
	request.Header.Set("X-Media-Token", rawToken("A"))
	handler.ServeHTTP(answer, request)
	if *plays != 0 || answer.Code != 503 || answer.Header().Get("Retry-After") != "7" ||
		answer.Body.String() != `{"fault":"REPLAY_MEMORY_FULL","action":"retry"}` {
		t.Errorf("expected a fault, found %v", answer)
	}
}

func TestNoTokenOfAnotherRequest(t *testing.T) {
	if token, isThere := TokenFromContext(context.Background()); token != nil || isThere {
		t.Error("expected no token")
	}
}
