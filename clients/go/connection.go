package mediatoken

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"syscall"
	"time"
)

const (
	headBytes = 16 << 10
	// idleTime is for how long a connection is kept without a question: less than the daemon keeps it.
	idleTime = 30 * time.Second
)

// connection is a connected socket. It belongs to one call at a time.
type connection struct {
	socket net.Conn
	// idleSince is when it answered last; zero of a new one.
	idleSince time.Time
}

// answer is what came back.
type answer struct {
	head
	body []byte
	// isKept says that another question may be asked on the connection.
	isKept bool
}

// unsent says that an idle connection was over before a byte of the question was sent.
type unsent struct{}

func (unsent) Error() string { return "unsent" }

// ended says that the connection ended before the answer did, and whether a byte of it had come.
type ended struct{ began bool }

func (ended) Error() string { return "ended" }

// close needs no error: there is nothing left to be written.
func (c *connection) close() { c.socket.Close() }

// isUsable says whether an idle connection is young and silent: one that can be read has ended, or says what no one asked for.
func (c *connection) isUsable() bool {
	return time.Since(c.idleSince) <= idleTime && c.peek() == silence
}

// What can be read.
type readable int

const (
	theEnd readable = iota
	silence
	moreBytes
)

// peek says what can be read now, and waits for nothing.
func (c *connection) peek() readable {
	raw, err := c.socket.(syscall.Conn).SyscallConn()
	if err != nil {
		return theEnd
	}
	found := theEnd
	err = raw.Read(func(descriptor uintptr) bool {
		count, _, err := syscall.Recvfrom(int(descriptor), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		switch {
		case err == syscall.EAGAIN:
			found = silence
		case err == nil && count > 0:
			found = moreBytes
		}
		return true
	})
	if err != nil {
		return theEnd
	}
	return found
}

// rest makes it idle, and says whether it can be.
func (c *connection) rest() bool {
	c.idleSince = time.Now()
	return c.socket.SetDeadline(time.Time{}) == nil
}

// exchange asks, and reads the answer by the letter. Its errors are unsent, ended, *NoAnswer when the context is over, and
// *ForeignAnswer for what is not HTTP as the daemon writes it.
func (c *connection) exchange(ctx context.Context, question []byte, bodyBytes int) (*answer, error) {
	deadline, _ := ctx.Deadline()
	if err := c.socket.SetDeadline(deadline); err != nil {
		return nil, unsent{}
	}
	defer c.interruptedBy(ctx)()
	isWhole, err := c.send(ctx, question)
	if err != nil {
		return nil, err
	}
	received, end, err := c.head(ctx)
	if err != nil {
		return nil, err
	}
	read, err := headIn(received[:end])
	if err != nil {
		return nil, err
	}
	if read.status == 200 && !isWhole {
		return nil, foreign("200 to half a question")
	}
	if read.length > bodyBytes {
		return nil, foreign("it is too long")
	}
	whole := end + len(headEnd) + read.length
	for len(received) < whole {
		if received, err = c.receive(ctx, received, whole); err != nil {
			return nil, err
		}
	}
	// Where there was room for no more, more may have come.
	if len(received) > whole || len(received) == cap(received) && c.peek() == moreBytes {
		return nil, foreign("there is more than one")
	}
	return &answer{read, received[end+len(headEnd):], isWhole && !read.hasConnection}, nil
}

// interruptedBy ends what the connection waits for as soon as the caller ends the call; the function that it returns, when this is over.
func (c *connection) interruptedBy(ctx context.Context) func() {
	release, released := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(released)
		select {
		case <-ctx.Done():
			c.socket.SetDeadline(time.Unix(1, 0))
		case <-release:
		}
	}()
	return func() {
		close(release)
		<-released
	}
}

// send says whether all of it went out. Where it did not, there may be an answer that says why.
func (c *connection) send(ctx context.Context, question []byte) (bool, error) {
	count, err := c.socket.Write(question)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		return false, over(ctx)
	case count == 0 && !c.idleSince.IsZero():
		return false, unsent{}
	}
	return false, nil
}

var headEnd = []byte("\r\n\r\n")

// head receives until a head is whole, and says where its last line ends.
func (c *connection) head(ctx context.Context) (received []byte, end int, err error) {
	received = make([]byte, 0, 4096)
	for {
		looked := len(received)
		if received, err = c.receive(ctx, received, 0); err != nil {
			return nil, 0, err
		}
		if looked -= len(headEnd) - 1; looked < 0 {
			looked = 0
		}
		end = bytes.Index(received[looked:], headEnd)
		if end >= 0 {
			end += looked
		}
		if end > headBytes || end < 0 && len(received) > headBytes {
			return nil, 0, foreign("its head is too long")
		}
		if end >= 0 {
			return received, end, nil
		}
	}
}

// receive appends what has come. There is always room for a byte more than is expected, which no answer has.
func (c *connection) receive(ctx context.Context, received []byte, expected int) ([]byte, error) {
	if room := expected + 1; room > cap(received) || len(received) == cap(received) {
		if room < 2*cap(received) {
			room = 2 * cap(received)
		}
		received = append(make([]byte, 0, room), received...)
	}
	count, err := c.socket.Read(received[len(received):cap(received)])
	switch {
	case count > 0:
		return received[:len(received)+count], nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, over(ctx)
	}
	return nil, ended{len(received) > 0}
}
