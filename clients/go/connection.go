package mediatoken

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	headBytes = 16 << 10
	// bodyBytes has room for a token of the greatest length with every byte escaped.
	bodyBytes = 1 << 20
	// idleTime is for how long a connection is kept without a question: less than the daemon keeps it.
	idleTime = 30 * time.Second
)

// address is where a daemon listens: a network as package net calls it, and a place in it.
type address struct{ network, place string }

var loopback = regexp.MustCompile(`^http://((?:127\.0\.0\.1|\[::1\]):([1-9][0-9]{0,4}))$`)

func parsed(text string) (address, error) {
	if strings.HasPrefix(text, "@") {
		// Package net would take it for a name without a file.
		text = "./" + text
	}
	// 107 is sun_path of unix(7), without the byte that ends it.
	if text != "" && len(text) <= 107 && !strings.Contains(text, "\x00") && !strings.Contains(text, "://") {
		return address{"unix", text}, nil
	}
	if found := loopback.FindStringSubmatch(text); found != nil {
		if _, err := strconv.ParseUint(found[2], 10, 16); err == nil {
			return address{"tcp", found[1]}, nil
		}
	}
	return address{}, misuse("expected the path of a UNIX socket, of 1 to 107 bytes, http://127.0.0.1:PORT or http://[::1]:PORT")
}

// connect dials until the context is over where the listener has no room for one more, after pauses that grow to 64 ms.
func (a address) connect(ctx context.Context) (*connection, error) {
	// Without keep-alive probes: an idle connection is closed before they would begin.
	dialer := net.Dialer{KeepAlive: -1}
	for pause := 2 * time.Millisecond; ; {
		socket, err := dialer.DialContext(ctx, a.network, a.place)
		if err == nil {
			return &connection{socket: socket, reader: bufio.NewReaderSize(socket, headBytes)}, nil
		}
		if !errors.Is(err, syscall.EAGAIN) && ctx.Err() == nil && !os.IsTimeout(err) {
			var number syscall.Errno
			errors.As(err, &number)
			return nil, noAnswer("cannot connect ("+number.Error()+"); check the address, and whether mediatokend runs", number)
		}
		select {
		// Not all of those who wait look at the same time.
		case <-time.After(pause/2 + time.Duration(rand.Int63n(int64(pause/2)))):
		case <-ctx.Done():
			return nil, over(ctx)
		}
		if pause < 64*time.Millisecond {
			pause *= 2
		}
	}
}

// over says that the time of a call is over, or that its caller has ended it.
func over(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return noAnswer("the caller ended the call", context.Canceled)
	}
	return noAnswer("none came in time", context.DeadlineExceeded)
}

// connection is a connected socket, which belongs to one call at a time. It reads by http.ReadResponse and not by an http.Transport: that
// prints bytes that no one asked for to the log, or takes them for the next answer, and does not say whether a question was sent.
type connection struct {
	socket net.Conn
	reader *bufio.Reader
	// idleSince is when it answered last; zero of a new one.
	idleSince time.Time
}

// answer is what came back, and whether another question may be asked on the connection.
type answer struct {
	status     int
	fields     http.Header
	body       []byte
	isReusable bool
}

var (
	errHalf = noAnswer("the connection ended before it was whole", nil)
	// errUnsent is of an idle connection that took no byte of the question, errUnanswered of one that gave no byte of an answer.
	errUnsent, errUnanswered = noAnswer("the connection ended before it was asked", nil), noAnswer("the connection ended", nil)
)

// written is a question as it is sent.
func written(method, path string, fields http.Header, body []byte) []byte {
	request, err := http.NewRequest(method, "http://localhost"+path, bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header = fields
	// Package http sends its own unless there is one; an empty one is not sent.
	request.Header["User-Agent"] = []string{""}
	var text bytes.Buffer
	// A buffer has no error.
	request.Write(&text)
	return text.Bytes()
}

// close needs no error: there is nothing left to be written.
func (c *connection) close() { c.socket.Close() }

// isUsable says whether an idle connection is young and silent: one that can be read has ended, or says what no one asked for.
func (c *connection) isUsable() bool {
	return time.Since(c.idleSince) <= idleTime && c.peek() == syscall.EAGAIN
}

// peek waits for nothing: it is EAGAIN if nothing can be read, and nil if there is a byte.
func (c *connection) peek() error {
	raw, err := c.socket.(syscall.Conn).SyscallConn()
	if err == nil {
		problem := raw.Read(func(descriptor uintptr) bool {
			var count int
			count, _, err = syscall.Recvfrom(int(descriptor), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
			if err == nil && count == 0 {
				err = io.EOF
			}
			return true
		})
		if problem != nil {
			err = problem
		}
	}
	return err
}

// exchange asks, and reads the answer. Its errors are *NoAnswer and *ForeignAnswer.
func (c *connection) exchange(ctx context.Context, question []byte) (*answer, error) {
	deadline, _ := ctx.Deadline()
	if err := c.socket.SetDeadline(deadline); err != nil {
		return nil, errUnsent
	}
	release, released := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(released)
		select {
		case <-ctx.Done():
			c.socket.SetDeadline(time.Unix(1, 0))
		case <-release:
		}
	}()
	defer func() {
		close(release)
		<-released
	}()
	count, err := c.socket.Write(question)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, over(ctx)
	}
	if err != nil && count == 0 && !c.idleSince.IsZero() {
		return nil, errUnsent
	}
	// If only a part went out, there may be an answer that says why.
	a, err := c.receive(err == nil)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, over(ctx)
	}
	return a, err
}

// receive reads an answer to a question that was sent whole, or in part.
func (c *connection) receive(isWhole bool) (*answer, error) {
	// Package http does not say whether a head is broken or has ended early.
	for end := -1; end < 0; {
		_, err := c.reader.Peek(c.reader.Buffered() + 1)
		received, _ := c.reader.Peek(c.reader.Buffered())
		end = bytes.Index(received, []byte("\r\n\r\n"))
		switch {
		case err == bufio.ErrBufferFull:
			return nil, foreign("its head is too long")
		case err != nil && len(received) == 0 && !errors.Is(err, os.ErrDeadlineExceeded):
			return nil, errUnanswered
		case err != nil:
			return nil, half(err)
		}
	}
	response, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return nil, foreign("no answer of HTTP")
	}
	fields := response.Header
	switch {
	case response.Proto != "HTTP/1.1" || response.ContentLength < 0 || response.ContentLength > bodyBytes || fields["Content-Encoding"] != nil:
		return nil, foreign("expected one of HTTP/1.1, with a Content-Length of at most 1 MiB, and not encoded")
	case response.StatusCode == 200 && !isWhole:
		return nil, foreign("200 to half a question")
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, half(err)
	}
	if c.reader.Buffered() > 0 || c.peek() == nil {
		return nil, foreign("there is more than one")
	}
	return &answer{response.StatusCode, fields, body, isWhole && !response.Close && fields["Connection"] == nil}, nil
}

// half is what an error of reading means, unless the time is over.
func half(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	return errHalf
}
