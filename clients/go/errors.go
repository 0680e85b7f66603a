package mediatoken

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// Action is what the player does next. A newer daemon may name others.
type Action string

// ActionNewToken asks for a new token, ActionRetry asks again with the same one, and ActionReport tells people, as a new one would not help.
const (
	ActionNewToken Action = "new-token"
	ActionRetry    Action = "retry"
	ActionReport   Action = "report"
)

// NotValid is what the errors about a token have in common: *Refused, *Fault, *NoAnswer and *ForeignAnswer. Do not play.
type NotValid interface {
	error
	// Action is what the player does next.
	Action() Action
	notValid()
}

// ActionOf is what the player does next after this error: its Action if it is a NotValid, and ActionReport otherwise.
func ActionOf(err error) Action {
	var problem NotValid
	if errors.As(err, &problem) {
		return problem.Action()
	}
	return ActionReport
}

// message is the text of an error, and all of it that fmt prints, whatever the verb. It never has a token, or a byte of a foreign answer.
type message struct{ text string }

// Error is a text for logs.
func (m *message) Error() string {
	if m.text == "" {
		return "not valid"
	}
	return m.text
}

// Format prints the text of Error for every verb.
func (m *message) Format(state fmt.State, _ rune) { io.WriteString(state, m.Error()) }

// told is an error that the daemon has told. Its members are in a function, as fmt shows the address of that alone.
type told struct {
	message
	said   func() object
	status int
	after  *time.Duration
}

// of is a member of the answer, or empty.
func (t *told) of(name string) string {
	if t.said == nil {
		return ""
	}
	text, _ := t.said()[name].(string)
	return text
}

// Action is what the player does next.
func (t *told) Action() Action {
	if action := t.of("action"); action != "" {
		return Action(action)
	}
	return ActionReport
}

// Reason is for programs, for example already-used.
func (t *told) Reason() string { return t.of("reason") + t.of("error") }

// Detail is a sentence for people, or empty. Error does not have it.
func (t *told) Detail() string { return t.of("detail") }

// RetryAfter is when to ask again, if the daemon said so.
func (t *told) RetryAfter() (time.Duration, bool) {
	if t.after == nil {
		return 0, false
	}
	return *t.after, true
}

// RequestID is the caller's, or the daemon's, whose log has it too; empty if the daemon has not said one.
func (t *told) RequestID() string { return t.of("requestID") }

// Refused says that the daemon has refused the token.
type Refused struct{ told }

func (*Refused) notValid() {}

// Verdict is a name such as TOKEN_REPLAYED; empty for a decision without a token.
func (r *Refused) Verdict() string { return r.of("verdict") }

// AdobeCode is what Adobe's verifier would say.
func (r *Refused) AdobeCode() string {
	if r.Verdict() == "" {
		return "ERROR_UNKNOWN"
	}
	return r.of("adobeCode")
}

// Identity is the token's name, SHA-256 in hexadecimal digits; empty if it has none.
func (r *Refused) Identity() string { return r.of("identity") }

// DecisionError is why a decision has no token; empty if it does not say, or has one. Error does not have it.
func (r *Refused) DecisionError() string { return r.of("decisionError") }

// Fault says that the daemon has no verdict: something is wrong on its side, or with the question.
type Fault struct{ told }

func (*Fault) notValid() {}

// Name is a fault such as REPLAY_MEMORY_FULL, or an error such as bad-parameter.
func (f *Fault) Name() string { return f.of("fault") + f.of("error") }

// Status is that of HTTP.
func (f *Fault) Status() int { return f.status }

// NotReady says that the daemon would not play the next good token.
type NotReady struct{ told }

// Cure is what people do about it. Error does not have it.
func (n *NotReady) Cure() string { return n.of("cure") }

// NoAnswer says that no one listens, or that no whole answer came in time. The token may be used up.
type NoAnswer struct {
	message
	cause error
}

func (*NoAnswer) notValid() {}

// Action is ActionRetry.
func (*NoAnswer) Action() Action { return ActionRetry }

// Unwrap is why: context.DeadlineExceeded, context.Canceled, or an error of the operating system; nil if the connection ended.
func (n *NoAnswer) Unwrap() error { return n.cause }

// ForeignAnswer says that what came is not an answer of mediatokend to this question. The token may be used up.
type ForeignAnswer struct{ message }

func (*ForeignAnswer) notValid() {}

// Action is ActionReport.
func (*ForeignAnswer) Action() Action { return ActionReport }

// Misuse says that the caller asks for what cannot be asked, or set. Nothing was sent.
type Misuse struct{ message }

func noAnswer(what string, cause error) error { return &NoAnswer{message{"no answer: " + what}, cause} }

func foreign(what string) error { return &ForeignAnswer{message{"foreign answer: " + what}} }

func misuse(what string) error { return &Misuse{message{"mediatoken: " + what}} }
