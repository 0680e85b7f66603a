// Server has the middleware in front of a player: server SOCKET DAEMON. It says who plays.
package main

import (
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
	daemon, err := mediatoken.NewClient(os.Args[2], mediatoken.WithTimeout(300*time.Second))
	if err != nil {
		log.Fatal(err)
	}
	channelOf := func(r *http.Request) mediatoken.Resource { return mediatoken.ResourceID(channels[r.URL.Path]) }
	player := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _ := mediatoken.TokenFromContext(r.Context())
		fmt.Fprintln(w, token.Identity(), os.Getpid())
	})
	http.Handle("/", mediatoken.Middleware(daemon, mediatoken.RequestorID("REF30"), channelOf)(player))
	listener, err := net.Listen("unix", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.Serve(listener, nil))
}
