package mediatoken_test

import (
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"mediatoken.invalid/mediatoken"
)

// The daemon of this example is not there: that is no answer, and no one plays.
func ExampleMiddleware() {
	daemon, err := mediatoken.NewClient("/nowhere/mediatokend.sock")
	if err != nil {
		log.Fatal(err)
	}
	channels := map[string]string{"/TNT": "TNT"}
	channelOf := func(r *http.Request) mediatoken.Resource { return mediatoken.ResourceID(channels[r.URL.Path]) }
	player := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _ := mediatoken.TokenFromContext(r.Context())
		fmt.Fprintln(w, "playing", token.ResourceID())
	})
	http.Handle("/", mediatoken.Middleware(daemon, mediatoken.RequestorID("REF30"), channelOf)(player))

	request, err := http.NewRequest("GET", "/TNT", nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("X-Media-Token", "PHNpZ25hdHVyZUluZm8+")
	answer := httptest.NewRecorder()
	http.DefaultServeMux.ServeHTTP(answer, request)
	fmt.Println(answer.Code, answer.Body)
	// Output: 503 {"fault":"NO_ANSWER","action":"retry"}
}

func ExampleNotValid() {
	var err error = new(mediatoken.NoAnswer)
	var problem mediatoken.NotValid
	if errors.As(fmt.Errorf("starting playback: %w", err), &problem) {
		fmt.Println(problem.Action())
	}
	// Output: retry
}
