package mediatoken

import (
	"context"
	"errors"
	"math/rand"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// address is where a daemon listens: a network as package net calls it, and a place in it.
type address struct{ network, place string }

// pathBytes is sun_path of unix(7), without the byte that ends it.
const pathBytes = 107

// parsed reads the path of a UNIX socket, or the URL of a loopback address and a port.
func parsed(text string) (address, error) {
	if !strings.Contains(text, "://") {
		if text == "" || strings.Contains(text, "\x00") {
			return address{}, misuse("expected the path of a UNIX socket")
		}
		if strings.HasPrefix(text, "@") {
			// Package net would take it for a name without a file.
			text = "./" + text
		}
		if len(text) > pathBytes {
			return address{}, misuse("expected a path of at most 107 bytes, as UNIX sockets have")
		}
		return address{"unix", text}, nil
	}
	for _, host := range []string{"127.0.0.1", "[::1]"} {
		port := strings.TrimPrefix(text, "http://"+host+":")
		number, err := strconv.ParseUint(port, 10, 16)
		if err == nil && number > 0 && consists(port, 1, 5, isDigit) && port[0] != '0' {
			return address{"tcp", host + ":" + port}, nil
		}
	}
	return address{}, misuse("expected the path of a UNIX socket, http://127.0.0.1:PORT or http://[::1]:PORT")
}

// Between two tries to connect to a listener that has no room.
const (
	shortestPause = 2 * time.Millisecond
	longestPause  = 64 * time.Millisecond
)

func longer(pause time.Duration) time.Duration {
	if pause *= 2; pause > longestPause {
		return longestPause
	}
	return pause
}

// connect dials until the context is over where the listener has no room for one more. Not all of those who wait look at the same time.
func (a address) connect(ctx context.Context) (*connection, error) {
	// Without keep-alive probes: an idle connection is closed before they would begin.
	dialer := net.Dialer{KeepAlive: -1}
	for pause := shortestPause; ; pause = longer(pause) {
		socket, err := dialer.DialContext(ctx, a.network, a.place)
		switch {
		case err == nil:
			return &connection{socket: socket}, nil
		case errors.Is(err, syscall.EAGAIN):
			select {
			case <-ctx.Done():
			case <-time.After(pause/2 + time.Duration(rand.Int63n(int64(pause/2)))):
				continue
			}
			return nil, over(ctx)
		case ctx.Err() != nil || os.IsTimeout(err):
			return nil, over(ctx)
		}
		why := "for no reason that the system gives"
		var number syscall.Errno
		if errors.As(err, &number) {
			why, err = number.Error(), number
		}
		return nil, noAnswer("cannot connect ("+why+"); check the address, and whether mediatokend runs", err)
	}
}

// over says that the time of a call is over, or that its caller has ended it.
func over(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return noAnswer("the caller ended the call", context.Canceled)
	}
	return noAnswer("none came in time", context.DeadlineExceeded)
}
