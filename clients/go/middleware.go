package mediatoken

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// GateOption is a setting of Middleware.
type GateOption func(*gate)

// FromHeader is where the player sends its token: X-Media-Token unless it is set.
func FromHeader(name string) GateOption { return func(g *gate) { g.header = name } }

// Middleware lets through requests that have a valid token, and answers the others itself. The handler finds the token with
// TokenFromContext.
//
//	http.Handle("/play/", mediatoken.Middleware(daemon, requestor, channelOf)(player))
//
// Place it around what starts playback, and around nothing else: each request that it lets through uses a token up. The function says
// what a request is about to play, never what the viewer says that it is.
func Middleware(
	client *Client, requestor Requestor, resource func(*http.Request) Resource, options ...GateOption,
) func(http.Handler) http.Handler {
	if client == nil || resource == nil {
		panic("mediatoken: expected a client, and a function that says what a request plays")
	}
	g := gate{client: client, requestor: requestor, resource: resource, header: "X-Media-Token"}
	for _, option := range options {
		option(&g)
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if token := g.decide(w, r); token != nil {
				next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), tokenKey{}, token)))
			}
		})
	}
}

// TokenFromContext is the valid token of a request that Middleware let through, and nil and false of any other.
func TokenFromContext(ctx context.Context) (*ValidToken, bool) {
	token, isThere := ctx.Value(tokenKey{}).(*ValidToken)
	return token, isThere
}

type tokenKey struct{}

type gate struct {
	client    *Client
	requestor Requestor
	resource  func(*http.Request) Resource
	header    string
}

// plays has the methods that may start playback, byte for byte. No token is used up for another.
var plays = map[string]bool{"GET": true, "POST": true, "PUT": true, "PATCH": true, "DELETE": true}

// decide is the valid token of a request that has just one; else it answers.
func (g *gate) decide(w http.ResponseWriter, r *http.Request) *ValidToken {
	tokens := r.Header.Values(g.header)
	switch {
	case !plays[r.Method]:
		w.Header().Set("Allow", "GET, POST, PUT, PATCH, DELETE")
		refuse(w, 405, "error", "method-not-allowed", "action", ActionReport)
	case strings.Join(tokens, "") == "":
		w.Header().Set("WWW-Authenticate", "MediaToken")
		refuse(w, 401, "error", "no-token", "action", ActionNewToken)
	case len(tokens) > 1:
		refuse(w, 403, "error", "ambiguous", "action", ActionNewToken)
	default:
		token, err := g.client.Verify(r.Context(), tokens[0], g.requestor, g.resource(r))
		if err == nil {
			return token
		}
		explain(w, r, err)
	}
	return nil
}

func explain(w http.ResponseWriter, r *http.Request, err error) {
	switch err := err.(type) {
	case *Refused:
		refuse(w, 403, "verdict", err.Verdict(), "reason", err.Reason(), "action", err.Action(), "adobeCode", err.AdobeCode())
	case *Fault:
		if after, isThere := err.RetryAfter(); isThere {
			w.Header().Set("Retry-After", strconv.Itoa(int(after/time.Second)))
		}
		refuse(w, 503, "fault", err.Name(), "action", err.Action())
	case *NoAnswer:
		refuse(w, 503, "fault", "NO_ANSWER", "action", err.Action())
	case *ForeignAnswer:
		refuse(w, 503, "fault", "FOREIGN_ANSWER", "action", err.Action())
	default:
		// The application's function gave what cannot be asked about: its operator reads why, and the viewer does not.
		if server, isThere := r.Context().Value(http.ServerContextKey).(*http.Server); isThere && server.ErrorLog != nil {
			server.ErrorLog.Print(err)
		} else {
			log.Print(err)
		}
		refuse(w, 500, "error", "no-question", "action", ActionReport)
	}
}

// refuse answers with an object of these members, names and texts in turn, whose characters are no syntax.
func refuse(w http.ResponseWriter, status int, members ...any) {
	body := fmt.Sprintf(`{"%s":"%s"`+strings.Repeat(`,"%s":"%s"`, len(members)/2-1)+"}", members...)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	io.WriteString(w, body)
}
