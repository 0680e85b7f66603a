package mediatoken

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func ask(ctx context.Context, client *Client, token string) (*ValidToken, error) {
	return client.Verify(ctx, token, RequestorID("REF30"), ResourceID("TNT"))
}

// expectNoAnswer is of a call that its context has ended.
func expectNoAnswer(t *testing.T, token *ValidToken, err error, cause error) {
	t.Helper()
	var problem *NoAnswer
	if token != nil || !errors.As(err, &problem) || !errors.Is(err, cause) || problem.Action() != ActionRetry {
		t.Errorf("expected no answer, as %v, found %v, %v", cause, token, err)
	}
}

func TestACallEndsWithItsContext(t *testing.T) {
	isAsked := make(chan struct{})
	client := clientOf(t, serve(t, func(token string) string {
		if token == rawToken("valid") {
			return saysValid(token)
		}
		isAsked <- struct{}{}
		return ""
	}), WithTimeout(time.Hour))
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-isAsked
		cancel()
	}()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		token, err := ask(ctx, client, rawToken("silent"))
		expectNoAnswer(t, token, err, context.Canceled)
	}()
	select {
	case <-ended:
	case <-time.After(patient):
		t.Fatal("expected the call to end")
	}

	ctx, cancel = context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	go func() { <-isAsked }()
	token, err := ask(ctx, client, rawToken("silent"))
	expectNoAnswer(t, token, err, context.DeadlineExceeded)

	if token, err := ask(context.Background(), client, rawToken("valid")); err != nil || token.Use() != UseFirst {
		t.Fatalf("expected the next question to be answered, found %v", err)
	}
}

func TestAnEndedContextAsksNothing(t *testing.T) {
	daemon := serve(t, saysValid)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	token, err := ask(ctx, clientOf(t, daemon), rawToken("A"))
	expectNoAnswer(t, token, err, context.Canceled)
	if daemon.connections.Load() != 0 {
		t.Fatal("expected no connection")
	}
}

func TestGoroutinesShareAClient(t *testing.T) {
	daemon := serve(t, saysValid)
	client := clientOf(t, daemon, WithIdleConnections(3))
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
				if err == nil && token.Identity() != identityOf([]byte(text)) || err != nil && !errors.Is(err, context.Canceled) {
					t.Errorf("expected an answer to its own question, found %v, %v", token, err)
				}
			}
		}(worker)
	}
	group.Wait()
	if count := len(client.pool.idle); count == 0 || count > 3 {
		t.Errorf("expected up to 3 idle connections, found %d", count)
	}
}

func TestAnOldConnectionIsNotUsedAgain(t *testing.T) {
	daemon := serve(t, saysValid)
	client := clientOf(t, daemon)
	for number, age := range []time.Duration{0, idleTime / 2, idleTime + time.Second} {
		if number > 0 {
			client.pool.idle[0].idleSince = time.Now().Add(-age)
		}
		if _, err := ask(context.Background(), client, rawToken("A")); err != nil {
			t.Fatal(err)
		}
	}
	if count := daemon.connections.Load(); count != 2 {
		t.Fatalf("expected 2 connections, found %d", count)
	}
}

// The buffer has 4,096 bytes. That all of it is there before the question is sent leaves nothing to chance.
func TestWhatComesAfterAFullBuffer(t *testing.T) {
	body := validBody(rawToken("A"))
	for len(answered(body)) < 4096 {
		body += " "
	}
	if token, err := askedOfEarly(t, answered(body)); err != nil || token.Use() != UseFirst {
		t.Errorf("expected the end to be no more than the end, found %v", err)
	}
	if token, err := askedOfEarly(t, answered(body)+"x"); token != nil || err == nil {
		t.Error("expected another byte to make it foreign")
	}
}

// askedOfEarly asks a server that says all it ever says before it is asked.
func askedOfEarly(t *testing.T, said string) (*ValidToken, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "daemon.sock")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		accepted, err := listener.Accept()
		if err != nil {
			return
		}
		defer accepted.Close()
		io.WriteString(accepted, said)
		accepted.(*net.UnixConn).CloseWrite()
		io.Copy(io.Discard, accepted)
	}()
	return ask(context.Background(), clientOf(t, &server{path: path}), rawToken("A"))
}

func TestOldConnectionsAreClosed(t *testing.T) {
	daemon := serve(t, saysValid)
	client := clientOf(t, daemon)
	first, err := client.address.connect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	client.pool.give(first)
	client.pool.idle[0].idleSince = time.Now().Add(-2 * idleTime)
	second, err := client.address.connect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	client.pool.give(second)
	if len(client.pool.idle) != 1 || client.pool.idle[0] != second || first.rest() {
		t.Fatal("expected the old one to be closed")
	}
}

func TestAPathIsAFile(t *testing.T) {
	// For package net this is a name without a file, which every process of the machine may take.
	folder, before := t.TempDir(), mustGetwd(t)
	defer os.Chdir(before)
	if err := os.Chdir(folder); err != nil {
		t.Fatal(err)
	}
	daemon := serve(t, saysValid)
	if err := os.Rename(daemon.path, filepath.Join(folder, "@daemon")); err != nil {
		t.Fatal(err)
	}
	client, err := NewClient("@daemon", WithTimeout(patient))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ask(context.Background(), client, rawToken("A")); err != nil {
		t.Fatal(err)
	}
}

func mustGetwd(t *testing.T) string {
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestMisuse(t *testing.T) {
	daemon := serve(t, saysValid)
	client := clientOf(t, daemon)
	ctx := context.Background()
	good, resource := RequestorID("REF30"), ResourceID("TNT")
	for name, err := range map[string]error{
		"no requestor":            second(client.Verify(ctx, "x", Requestor{}, resource)),
		"no resource":             second(client.Verify(ctx, "x", good, Resource{})),
		"an empty channel":        second(client.Verify(ctx, "x", good, Channel(""))),
		"a requestor not in UTF8": second(client.Verify(ctx, "x", RequestorID("\xff"), resource)),
		"a decision for no one":   second(client.VerifyDecision(ctx, []byte("{}"), Requestor{}, resource)),
		"an id without a header":  second(client.Verify(ctx, "x", good, resource, WithRequestID("x"))),
	} {
		var problem *Misuse
		if !errors.As(err, &problem) || ActionOf(err) != ActionReport {
			t.Errorf("%s: expected a misuse, found %v", name, err)
		}
	}
	for _, option := range []Option{WithTimeout(0), WithIdleConnections(-1), WithRetryWindow(0), WithRequestIDHeader("Host")} {
		if client, err := NewClient(daemon.path, option); client != nil || err == nil {
			t.Error("expected a setting that is refused")
		}
	}
	if daemon.connections.Load() != 0 {
		t.Error("expected no connection")
	}
	if err := new(Client).CheckReady(ctx); err == nil {
		t.Error("expected a zero client to have no answer")
	}
}

// second is the error of a call whose value is nil.
func second[T any](value T, err error) error {
	if fmt.Sprint(value) != "<nil>" {
		panic("expected no value with an error")
	}
	return err
}
