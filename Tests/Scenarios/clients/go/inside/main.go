// Inside runs where the kit is installed: inside SOCKET < tokens. It prints a line for each thing that holds, or fails.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"sync"
	"time"

	"mediatoken.invalid/mediatoken"
)

var (
	requestor = mediatoken.RequestorID("REF30")
	resource  = mediatoken.ResourceID("TNT")
	tokens    = bufio.NewScanner(os.Stdin)
	ctx       = context.Background()
)

func next() string {
	if !tokens.Scan() {
		log.Fatal("expected more tokens")
	}
	return tokens.Text()
}

func says(text string, holds bool) {
	if !holds {
		log.Fatalf("not so: %s", text)
	}
	fmt.Println(text)
}

// verify asks again where the daemon is undecided and nothing is spent, as it is after a wait for a processor.
func verify(daemon *mediatoken.Client, text string) (*mediatoken.ValidToken, error) {
	for attempt := 0; ; attempt++ {
		token, err := daemon.Verify(ctx, text, requestor, resource)
		var fault *mediatoken.Fault
		if !errors.As(err, &fault) || fault.Action() != mediatoken.ActionRetry || attempt == 20 {
			return token, err
		}
	}
}

func main() {
	daemon, err := mediatoken.NewClient(os.Args[1], mediatoken.WithTimeout(time.Minute))
	if err != nil {
		log.Fatal(err)
	}
	says("the daemon is ready", daemon.CheckReady(ctx) == nil)
	tokensOf(daemon)
	goroutines(daemon)
	cancelled(daemon)
}

func tokensOf(daemon *mediatoken.Client) {
	text := next()
	token, err := verify(daemon, text)
	if err != nil {
		log.Fatal(err)
	}
	printed := fmt.Sprintf("%v %+v %#v %s %d", token, token, *token, token, token)
	says("a valid token is printed without the account", token.SessionGUID() != "" && !strings.Contains(printed, token.SessionGUID()))
	again, err := verify(daemon, text)
	var refused *mediatoken.Refused
	says("with an error there is no token", again == nil && errors.As(err, &refused))
	says("a refusal has what the daemon says", refused.Verdict() == "TOKEN_REPLAYED" && refused.Action() == mediatoken.ActionNewToken &&
		refused.Identity() == token.Identity() && refused.Detail() != "")
	none, err := verify(daemon, "")
	says("an empty token is refused", none == nil && errors.As(err, &refused) && refused.Reason() == "empty")
}

// goroutines play each token once, and get the answers to their own questions.
func goroutines(daemon *mediatoken.Client) {
	var group sync.WaitGroup
	for worker := 0; worker < 16; worker++ {
		var mine []string
		for number := 0; number < 25; number++ {
			mine = append(mine, next())
		}
		group.Add(1)
		go func() {
			defer group.Done()
			for _, text := range mine {
				token, err := verify(daemon, text)
				if err != nil || token.Use() != mediatoken.UseFirst {
					log.Fatal(err)
				}
				again, err := verify(daemon, text)
				if again != nil || mediatoken.ActionOf(err) != mediatoken.ActionNewToken {
					log.Fatal(err)
				}
			}
		}()
	}
	group.Wait()
	fmt.Println("16 goroutines share a client")
}

// cancelled calls end at any moment, and spoil no one's connection.
func cancelled(daemon *mediatoken.Client) {
	for number := 0; number < 100; number++ {
		short, cancel := context.WithCancel(ctx)
		go cancel()
		if _, err := daemon.Verify(short, next(), requestor, resource); err != nil && !errors.Is(err, context.Canceled) &&
			mediatoken.ActionOf(err) != mediatoken.ActionRetry {
			log.Fatal(err)
		}
		if _, err := verify(daemon, next()); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println("calls that end early leave the others alone")
}
