package mediatoken

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// Action is what the player does next. A newer daemon may name others.
type Action string

const (
	// ActionNewToken asks for a new token.
	ActionNewToken Action = "new-token"
	// ActionRetry asks again with the same token.
	ActionRetry Action = "retry"
	// ActionReport tells people: a new token would not help.
	ActionReport Action = "report"
)

// NotValid is what the errors about a token have in common: *Refused, *Fault, *NoAnswer and *ForeignAnswer. Do not play.
//
//	var problem mediatoken.NotValid
//	if errors.As(err, &problem) { … problem.Action() … }
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

// hidden is a text that is in no log, whatever prints the structure that has it. A function, as fmt shows its address alone; it follows
// pointers for some verbs.
type hidden func() string

func hide(text string) hidden { return func() string { return text } }

// seen is the text, and empty where nothing is hidden.
func (h hidden) seen() string {
	if h == nil {
		return ""
	}
	return h()
}

// Refused says that the daemon has refused the token.
type Refused struct {
	message
	verdict, reason, adobeCode, identity, requestID string
	action                                          Action
	detail, decisionError                           hidden
}

func (*Refused) notValid() {}

// Verdict is a name as in the article Verdicts, for example TOKEN_REPLAYED; empty for a decision without a token.
func (r *Refused) Verdict() string { return r.verdict }

// Reason is more precise than the verdict, for example already-used.
func (r *Refused) Reason() string { return r.reason }

// Detail is a sentence for people. Error does not have it.
func (r *Refused) Detail() string { return r.detail.seen() }

// Action is what the player does next.
func (r *Refused) Action() Action { return orReport(r.action) }

// AdobeCode is what Adobe's verifier would say.
func (r *Refused) AdobeCode() string { return r.adobeCode }

// Identity is the token's name, SHA-256 in hexadecimal digits; empty if it has none.
func (r *Refused) Identity() string { return r.identity }

// DecisionError is why a decision has no token; empty if it does not say, or has one. Error does not have it.
func (r *Refused) DecisionError() string { return r.decisionError.seen() }

// RequestID is the caller's, or the daemon's, whose log has it too; empty for a decision without a token.
func (r *Refused) RequestID() string { return r.requestID }

// Fault says that the daemon has no verdict: something is wrong on its side, or with the question.
type Fault struct {
	message
	name, requestID string
	status          int
	action          Action
	detail          hidden
	retryAfter      *time.Duration
}

func (*Fault) notValid() {}

// Name is a fault such as REPLAY_MEMORY_FULL, or an error such as bad-parameter.
func (f *Fault) Name() string { return f.name }

// Status is that of HTTP.
func (f *Fault) Status() int { return f.status }

// Detail is a sentence for people, or empty. Error does not have it.
func (f *Fault) Detail() string { return f.detail.seen() }

// Action is what the player does next.
func (f *Fault) Action() Action { return orReport(f.action) }

// RetryAfter is when to ask again, if the daemon said so.
func (f *Fault) RetryAfter() (time.Duration, bool) { return orNone(f.retryAfter) }

// RequestID is the caller's, or the daemon's, whose log has it too; empty if the daemon has not said one.
func (f *Fault) RequestID() string { return f.requestID }

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

// NotReady says that the daemon would not play the next good token.
type NotReady struct {
	message
	reason       string
	detail, cure hidden
	retryAfter   *time.Duration
}

// Reason is for programs, for example replay-memory-full.
func (n *NotReady) Reason() string { return n.reason }

// Detail is a sentence for people. Error does not have it.
func (n *NotReady) Detail() string { return n.detail.seen() }

// Cure is what people do about it. Error does not have it.
func (n *NotReady) Cure() string { return n.cure.seen() }

// RetryAfter is when to ask again, if the daemon said so.
func (n *NotReady) RetryAfter() (time.Duration, bool) { return orNone(n.retryAfter) }

// Misuse says that the caller asks for what cannot be asked, or set. Nothing was sent.
type Misuse struct{ message }

func noAnswer(what string, cause error) error { return &NoAnswer{message{"no answer: " + what}, cause} }

func foreign(what string) error { return &ForeignAnswer{message{"foreign answer: " + what}} }

func misuse(what string) error { return &Misuse{message{"mediatoken: " + what}} }

func orReport(action Action) Action {
	if action == "" {
		return ActionReport
	}
	return action
}

func orNone(duration *time.Duration) (time.Duration, bool) {
	if duration == nil {
		return 0, false
	}
	return *duration, true
}
