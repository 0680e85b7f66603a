// Server has the middleware in front of a player, who says who plays: server SOCKET DAEMON. Without SOCKET, as /dev/null, it prints a line for
// each thing that holds.
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

func says(what string, holds bool) {
	if !holds {
		log.Fatal("not so: ", what)
	}
	fmt.Println(what)
}

func double() {
	fake, client := mediatoken.NewDouble()
	ask := func(token string) (*mediatoken.ValidToken, error) {
		return client.Verify(context.Background(), token, mediatoken.Question{Requestor: "REF30", Resource: "TNT"})
	}
	token := fake.Valid(map[string]any{"mvpdId": "Other_MVPD"})
	valid, err := ask(token)
	says("a double's token plays", err == nil && valid.Claims().ResourceID == "TNT" && valid.Claims().MvpdID == "Other_MVPD")
	for token, text := range map[string]string{token: "TOKEN_REPLAYED: already-used", "x": "INVALID_TOKEN_FORMAT: unknown-form",
		fake.Refused("TOKEN_EXPIRED", "too-old", "new-token"): "TOKEN_EXPIRED: too-old", fake.Unavailable("OUT_OF_MEMORY", "retry"): "no verdict: OUT_OF_MEMORY (503)"} {
		_, err := ask(token)
		says("a double's token is "+text, err != nil && err.Error() == text)
	}
}

func cancelled(daemon *mediatoken.Client) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	token, err := daemon.Verify(ctx, "x", mediatoken.Question{Requestor: "REF30", Resource: "TNT"})
	says("a cancelled call asks nothing", token == nil && errors.Is(err, context.Canceled) && mediatoken.ActionOf(err) == "retry")
}

func main() {
	daemon := mediatoken.NewClient(os.Args[2])
	daemon.Timeout = 300 * time.Second
	if os.Args[1] == "/dev/null" {
		double()
		cancelled(daemon)
		return
	}
	question := func(r *http.Request) mediatoken.Question {
		return mediatoken.Question{Requestor: "REF30", Resource: channels[r.URL.Path]}
	}
	player := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, mediatoken.TokenFromContext(r.Context()).Claims().Identity, os.Getpid())
	})
	http.Handle("/", mediatoken.Middleware(daemon, "X-Media-Token", question)(player))
	listener, err := net.Listen("unix", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.Serve(listener, nil))
}
