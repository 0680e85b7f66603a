// Example says whether a token may play: example SOCKET REQUESTOR RESOURCE < token
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"mediatoken.invalid/mediatoken"
)

func main() {
	daemon, err := mediatoken.NewClient(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	received, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	token, err := daemon.Verify(context.Background(), string(received), mediatoken.RequestorID(os.Args[2]), mediatoken.ResourceID(os.Args[3]))
	if err != nil {
		log.Fatalf("do not play: %v; then %s", err, mediatoken.ActionOf(err))
	}
	fmt.Printf("play %s until %s\n", token.ResourceID(), token.ExpiresAt().Format("15:04:05"))
}
