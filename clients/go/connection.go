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
			return &connection{socket: socket, reader: bufio.NewReaderSize(socket, headBytes+len(headEnd))}, nil
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

// connection is a connected socket, which belongs to one call at a time. It reads by http.ReadResponse and not by an http.Transport, which
// skips interim answers, prints bytes that no one asked for to the log, and does not say whether a question was sent.
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
	errHead = foreign("no head of HTTP/1.1 that can be read in one way only")
	errHalf = noAnswer("the connection ended before it was whole", nil)
	// errUnsent is of an idle connection that took no byte of the question, errUnanswered of one that gave no byte of an answer.
	errUnsent, errUnanswered = noAnswer("the connection ended before it was asked", nil), noAnswer("the connection ended", nil)

	headEnd  = []byte("\r\n\r\n")
	headForm = regexp.MustCompile("^HTTP/1\\.1 [2-9][0-9]{2} [^\\x00-\\x08\\x0a-\\x1f\\x7f]*" +
		"(\r\n[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\\x00-\\x08\\x0a-\\x1f\\x7f]*)*\r\n\r\n$")
	length = regexp.MustCompile("(?i)\r\ncontent-length:")
)

// written is a question as it is sent.
func written(method, path string, fields http.Header, body []byte) []byte {
	request, err := http.NewRequest(method, "http://localhost"+path, bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header = fields
	// Package http sends its own unless there is one; an empty one is none.
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
	if err := c.awaitHead(); err != nil {
		return nil, err
	}
	response, err := http.ReadResponse(c.reader, nil)
	switch {
	case err != nil || len(response.Header["Content-Type"]) > 1 || len(response.Header["Retry-After"]) > 1:
		return nil, errHead
	case response.ContentLength < 0 || response.Header["Content-Encoding"] != nil:
		return nil, foreign("expected one with a Content-Length, and not encoded")
	case response.ContentLength > bodyBytes:
		return nil, foreign("it is too long")
	case response.StatusCode == 200 && !isWhole:
		return nil, foreign("200 to half a question")
	}
	body, err := io.ReadAll(response.Body)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, err
	}
	if err != nil {
		return nil, errHalf
	}
	if c.reader.Buffered() > 0 || c.peek() == nil {
		return nil, foreign("there is more than one")
	}
	return &answer{response.StatusCode, response.Header, body, isWhole && !response.Close && response.Header["Connection"] == nil}, nil
}

// awaitHead waits for a whole head, which is left to be read. Package http takes heads that can be read in more than one way.
func (c *connection) awaitHead() error {
	for {
		// One byte more than there is, and then all that came with it.
		_, err := c.reader.Peek(c.reader.Buffered() + 1)
		received, _ := c.reader.Peek(c.reader.Buffered())
		end := bytes.Index(received, headEnd) + len(headEnd)
		switch {
		case err == bufio.ErrBufferFull:
			return foreign("its head is too long")
		case errors.Is(err, os.ErrDeadlineExceeded):
			return err
		case err != nil && len(received) == 0:
			return errUnanswered
		case err != nil:
			return errHalf
		case end < len(headEnd):
		case !headForm.Match(received[:end]) || len(length.FindAll(received[:end], 2)) != 1:
			return errHead
		default:
			return nil
		}
	}
}
