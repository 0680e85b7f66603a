// Server has the README's middleware: server SOCKET DAEMON.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"mediatoken.invalid/mediatoken"
)

var channels = map[string]string{"/TNT": "TNT", "/TBS": "TBS"}

func main() {
	daemon := mediatoken.NewClient(os.Args[2])
	daemon.Timeout = 300 * time.Second
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := daemon.Verify(ctx, "x", mediatoken.Question{Requestor: "REF30", Resource: "TNT"}); !errors.Is(err, context.Canceled) {
		log.Fatal("a cancelled call asks: ", err)
	}
	// The README's middleware is put here.
	listener, err := net.Listen("unix", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.Serve(listener, nil))
}
