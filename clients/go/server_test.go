package mediatoken

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"
)

const (
	secret  = "feedfacefeedfacefeedfacefeedface"
	patient = time.Minute
)

// rawToken has a token's shape, and no more: each name has other signed bytes.
func rawToken(name string) string {
	return "<signatureInfo>AAAA<signatureInfo><shortAuthorization>" + name + "</shortAuthorization>"
}

// validBody is what a daemon says about such a token, once.
func validBody(token string) string {
	return fmt.Sprintf(`{"verdict":"VALID_TOKEN","number":0,"identity":"%s","requestorID":"REF30","resourceID":"TNT","mvpdId":"M",`+
		`"sessionGUID":"%s","handover":"%s","issueTime":"2026-11-23T00:00:00.000Z","expiresAt":"2026-11-23T00:05:00.000Z",`+
		`"ttlMilliseconds":300000,"keyFingerprint":"%s","unknownFields":[],"use":"first","action":"none","adobeCode":"VALID_TOKEN",`+
		`"requestID":"1"}`, identityOf([]byte(token)), secret, secret, identityOf([]byte(token)))
}

func answered(body string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// server says to each token what a test wants it to; to an empty answer it says nothing until its end.
type server struct {
	path        string
	connections atomic.Int64
}

func serve(t *testing.T, say func(token string) string) *server {
	t.Helper()
	s := &server{path: filepath.Join(t.TempDir(), "daemon.sock")}
	listener, err := net.Listen("unix", s.path)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	t.Cleanup(func() { close(ended); listener.Close() })
	go func() {
		for {
			accepted, err := listener.Accept()
			if err != nil {
				return
			}
			s.connections.Add(1)
			go converse(accepted, say, ended)
		}
	}()
	return s
}

func converse(accepted net.Conn, say func(string) string, ended chan struct{}) {
	defer accepted.Close()
	reader := bufio.NewReader(accepted)
	for {
		question, err := http.ReadRequest(reader)
		if err != nil {
			return
		}
		body, err := io.ReadAll(question.Body)
		if err != nil {
			return
		}
		form, err := url.ParseQuery(string(body))
		if err != nil {
			return
		}
		answer := say(form.Get("token"))
		if answer == "" {
			<-ended
			return
		}
		if _, err := accepted.Write([]byte(answer)); err != nil {
			return
		}
	}
}

// saysValid is what a daemon says that takes everything.
func saysValid(token string) string { return answered(validBody(token)) }

func clientOf(t *testing.T, s *server, options ...Option) *Client {
	t.Helper()
	client, err := NewClient(s.path, append([]Option{WithTimeout(patient)}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}
