package mediatoken

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"strconv"
	"strings"
)

// plays has the methods that may start playback. No token is used up for another.
var plays = map[string]bool{"GET": true, "POST": true, "PUT": true, "PATCH": true, "DELETE": true}

type tokenKey struct{}

// TokenFromContext is the valid token of a request that Middleware let through, and nil of any other.
func TokenFromContext(ctx context.Context) *ValidToken {
	token, _ := ctx.Value(tokenKey{}).(*ValidToken)
	return token
}

// Middleware lets requests through that have a valid token in the header, and answers the others itself. The handler finds the token with
// TokenFromContext. Place it around what starts playback, and around nothing else: each request that it lets through uses a token up.
func Middleware(client *Client, header string, question func(*http.Request) Question) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			tokens := r.Header.Values(header)
			if !plays[r.Method] {
				w.Header().Set("Allow", "GET, POST, PUT, PATCH, DELETE")
				refuse(w, 405, json.RawMessage(`{"error":"method-not-allowed","action":"report"}`))
			} else if strings.Join(tokens, "") == "" {
				w.Header().Set("WWW-Authenticate", "MediaToken")
				refuse(w, 401, json.RawMessage(`{"error":"no-token","action":"new-token"}`))
			} else if len(tokens) > 1 {
				refuse(w, 403, json.RawMessage(`{"error":"ambiguous","action":"new-token"}`))
			} else if token, err := client.Verify(r.Context(), tokens[0], question(r)); err == nil {
				next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), tokenKey{}, token)))
			} else if no, isRefused := err.(*Refused); isRefused {
				refuse(w, 403, no)
			} else if no, isUnavailable := err.(*Unavailable); isUnavailable {
				if no.RetryAfter > 0 {
					w.Header().Set("Retry-After", strconv.Itoa(int(no.RetryAfter.Seconds())))
				}
				refuse(w, 503, no)
			} else {
				log.Print(err) // the application's function gave what cannot be asked about
				refuse(w, 500, json.RawMessage(`{"error":"no-question","action":"report"}`))
			}
		})
	}
}

func refuse(w http.ResponseWriter, status int, said any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	body, _ := json.Marshal(said)
	_, _ = w.Write(body)
}
