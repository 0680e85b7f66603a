package mediatoken

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
)

// overSocket keeps connections between questions, 64 at most.
func overSocket(path string) *http.Transport {
	return &http.Transport{MaxConnsPerHost: 64, MaxIdleConnsPerHost: 64, IdleConnTimeout: 30 * time.Second, DisableCompression: true,
		MaxResponseHeaderBytes: 1 << 14,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var dialer net.Dialer
			for pause := time.Millisecond; ; pause += pause / 2 {
				conn, err := dialer.DialContext(ctx, "unix", path)
				// As many callers wait already as the listener has room for.
				if !errors.Is(err, syscall.EAGAIN) {
					return &guarded{Conn: conn}, err
				}
				time.Sleep(pause)
			}
		}}
}

// guarded gives the transport no byte but those of one answer to each question. Others it would write to the log, or take for an answer.
type guarded struct {
	net.Conn
	isAsked atomic.Bool
	head    []byte
	left    int // bytes of an answer that are still to come, after its head
	isOver  bool
}

func (g *guarded) Write(question []byte) (int, error) {
	g.isAsked.Store(true)
	return g.Conn.Write(question)
}

var contentLength = regexp.MustCompile(`(?i)\r\nContent-Length: *([0-9]{1,9})\r\n`)

func (g *guarded) Read(into []byte) (int, error) {
	if g.isOver {
		return 0, io.EOF
	}
	count, err := g.Conn.Read(into)
	if g.left == 0 && count > 0 {
		if len(g.head) == 0 && !g.isAsked.Swap(false) {
			return 0, io.EOF
		}
		before := len(g.head)
		g.head = append(g.head, into[:count]...)
		end := bytes.Index(g.head, []byte("\r\n\r\n")) + 4
		if end < 4 {
			return count, err
		}
		g.left = end - before
		if length := contentLength.FindSubmatch(g.head[:end]); length != nil {
			body, _ := strconv.Atoi(string(length[1]))
			g.left += body
		}
		g.head = nil
	}
	if count > g.left {
		count, g.isOver = g.left, true
	}
	g.left -= count
	return count, err
}
