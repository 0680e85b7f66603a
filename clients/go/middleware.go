package mediatoken

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"strconv"
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
			token, refusal := g.decide(r)
			if refusal != nil {
				refusal.write(w)
				return
			}
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), tokenKey{}, token)))
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

// refusal is an answer that lets no one play.
type refusal struct {
	status      int
	body        any
	name, value string
}

// problem is the body of a refusal that the daemon has no part in.
type problem struct {
	Error  string `json:"error"`
	Action Action `json:"action"`
}

// decide is the valid token of a request that has just one, or the answer to the viewer.
func (g *gate) decide(r *http.Request) (*ValidToken, *refusal) {
	switch r.Method {
	case http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
	default:
		// No token is used up for a method that is not among those that may start playback, byte for byte.
		return nil, &refusal{405, problem{"method-not-allowed", ActionReport}, "Allow", "GET, POST, PUT, PATCH, DELETE"}
	}
	tokens := r.Header.Values(g.header)
	isThere := false
	for _, each := range tokens {
		isThere = isThere || each != ""
	}
	if !isThere {
		return nil, &refusal{401, problem{"no-token", ActionNewToken}, "WWW-Authenticate", "MediaToken"}
	}
	if len(tokens) > 1 {
		return nil, &refusal{status: 403, body: problem{"ambiguous", ActionNewToken}}
	}
	token, err := g.client.Verify(r.Context(), tokens[0], g.requestor, g.resource(r))
	if err != nil {
		return nil, refusalOf(r, err)
	}
	return token, nil
}

func refusalOf(r *http.Request, err error) *refusal {
	type fault struct {
		Fault  string `json:"fault"`
		Action Action `json:"action"`
	}
	switch err := err.(type) {
	case *Refused:
		return &refusal{status: 403, body: struct {
			Verdict   string `json:"verdict"`
			Reason    string `json:"reason"`
			Action    Action `json:"action"`
			AdobeCode string `json:"adobeCode"`
		}{err.Verdict(), err.Reason(), err.Action(), err.AdobeCode()}}
	case *Fault:
		answer := &refusal{status: 503, body: fault{err.Name(), err.Action()}}
		if after, isThere := err.RetryAfter(); isThere {
			answer.name, answer.value = "Retry-After", strconv.Itoa(int(after/time.Second))
		}
		return answer
	case *NoAnswer:
		return &refusal{status: 503, body: fault{"NO_ANSWER", err.Action()}}
	case *ForeignAnswer:
		return &refusal{status: 503, body: fault{"FOREIGN_ANSWER", err.Action()}}
	}
	// The application's function gave what cannot be asked about: its operator reads why, and the viewer does not.
	if server, isThere := r.Context().Value(http.ServerContextKey).(*http.Server); isThere && server.ErrorLog != nil {
		server.ErrorLog.Print(err)
	} else {
		log.Print(err)
	}
	return &refusal{status: 500, body: problem{"no-question", ActionReport}}
}

func (r *refusal) write(w http.ResponseWriter) {
	// Structures of texts have no error.
	body, _ := json.Marshal(r.body)
	fields := w.Header()
	if r.name != "" {
		fields.Set(r.name, r.value)
	}
	fields.Set("Content-Type", "application/json")
	fields.Set("Content-Length", strconv.Itoa(len(body)))
	fields.Set("Cache-Control", "no-store")
	w.WriteHeader(r.status)
	w.Write(body)
}
