package mediatoken

import (
	"strconv"
	"time"
)

// What an answer means, read by the letter ("How an answer is read" in the README of the kits). What is not so is a ForeignAnswer.

const (
	inDoubt       = "a verdict that its status or number contradicts"
	faultInDoubt  = "a fault that its status or number contradicts"
	actionInDoubt = "a verdict that its action contradicts"
)

// tokenOf is the valid token, or *Refused, *Fault or *ForeignAnswer. The request id is the one that was sent, and empty if the daemon
// chooses one.
func tokenOf(a *answer, q *asked, requestID string) (*ValidToken, error) {
	m, kind := outcomeOf(a)
	if kind == "error" {
		return nil, errorOf(m, a, q.isDecision)
	}
	found := m.text("requestID", isRequestID)
	m.expect(requestID == "" || found == requestID, "another request id; is the header the daemon's requestIDHeader?")
	if kind == "fault" {
		m.expect(a.status == 503 && m.isBetween("number", 64, 127), faultInDoubt)
		return nil, faultOf(m, a, found)
	}
	identity := m.identity(q.identities)
	if m.text("verdict", nil) != "VALID_TOKEN" {
		m.expect(a.status == 403 && m.isBetween("number", 1, 63), inDoubt)
		return nil, refusedOf(m, identity, found)
	}
	m.expect(a.status == 200 && m.isBetween("number", 0, 0), inDoubt)
	read := &said{
		identity: identity, use: useOf(m, identity), requestID: found,
		requestorID: m.text("requestorID", nil), resourceID: m.text("resourceID", nil), mvpdID: m.text("mvpdId", nil),
		sessionGUID: m.text("sessionGUID", nil), keyFingerprint: m.text("keyFingerprint", isDigest),
		issueTime: m.time("issueTime"), expiresAt: m.time("expiresAt"), ttl: m.milliseconds("ttlMilliseconds"),
		unknownFields: m.texts("unknownFields"), proxyMvpdID: m.optionalText("proxyMvpdId"),
		viewerTag: m.optionalText("viewerTag"), handover: m.optionalText("handover"),
	}
	m.expect(q.requestor.admits(read.requestorID), "a valid token for another requestor")
	m.expect(q.resource.admits(read.resourceID), "a valid token for another resource")
	if err := m.err(); err != nil {
		return nil, err
	}
	return &ValidToken{func() *said { return read }}, nil
}

// readinessOf is nil if the daemon is ready, and else *NotReady, *Fault or *ForeignAnswer.
func readinessOf(a *answer) error {
	m := membersOf(a)
	if !m.has("status") {
		kind := m.kind()
		m.expect(kind == "error", "no status")
		return errorOf(m, a, false)
	}
	m.expect(!m.has("verdict") && !m.has("fault") && !m.has("error"), "two outcomes")
	if m.text("status", nil) == "not-ready" {
		m.expect(a.status == 503, "a status that the member contradicts")
		reason := m.text("reason", isWord)
		return unless(m, &NotReady{message: message{"not ready: " + reason}, reason: reason, detail: hide(m.text("detail", nil)),
			cure: hide(m.text("cure", nil)), retryAfter: a.retryAfter})
	}
	m.expect(m.object["status"] == "ready" && a.status == 200, "no status")
	return m.err()
}

// membersOf reads the object that an answer's body is.
func membersOf(a *answer) *members {
	if a.contentType != "application/json" {
		return &members{wrong: "another content type"}
	}
	found, err := oneObject(a.body, answerLevels)
	if err != nil {
		return &members{wrong: errJSON.Error()}
	}
	return &members{object: found}
}

// outcomeOf also says which one of verdict, fault and error it has.
func outcomeOf(a *answer) (*members, string) {
	m := membersOf(a)
	return m, m.kind()
}

func (m *members) kind() string {
	kind, count := "", 0
	for _, name := range []string{"verdict", "fault", "error"} {
		if m.has(name) {
			kind, count = name, count+1
		}
	}
	m.expect(count == 1, "neither one verdict nor one fault nor one error")
	return kind
}

func useOf(m *members, identity string) Use {
	m.expect(identity != "", "a valid token without a name")
	m.expect(m.object["action"] == "none" && m.object["adobeCode"] == "VALID_TOKEN", actionInDoubt)
	use := Use(m.text("use", nil))
	m.expect(use == UseFirst || use == UseRetry || use == UseNotEnforced, "an unknown use")
	return use
}

func refusedOf(m *members, identity, requestID string) error {
	verdict, reason := m.text("verdict", isName), m.text("reason", isWord)
	action, code := m.text("action", isWord), m.text("adobeCode", isName)
	m.expect(action != "none" && code != "VALID_TOKEN", actionInDoubt)
	return unless(m, &Refused{message: message{verdict + ": " + reason}, verdict: verdict, reason: reason,
		detail: hide(m.text("detail", nil)), action: Action(action), adobeCode: code, identity: identity, requestID: requestID})
}

func faultOf(m *members, a *answer, requestID string) error {
	name, action := m.text("fault", isName), m.text("action", isWord)
	m.expect(action != "none", "a fault that its action contradicts")
	return unless(m, &Fault{message: message{"no verdict: " + name}, name: name, status: a.status, action: Action(action),
		retryAfter: a.retryAfter, requestID: requestID})
}

func errorOf(m *members, a *answer, isDecision bool) error {
	name, detail, action := m.text("error", isWord), m.text("detail", nil), string(ActionReport)
	m.expect(400 <= a.status && a.status <= 599, "an error that its status contradicts")
	if m.has("action") {
		action = m.text("action", isWord)
	}
	m.expect(action != "none", "an error that its action contradicts")
	if name != "no-token-in-decision" {
		return unless(m, &Fault{message: message{"no verdict: " + name + " (" + strconv.Itoa(a.status) + ")"}, name: name,
			status: a.status, detail: hide(detail), action: Action(action), retryAfter: a.retryAfter})
	}
	m.expect(isDecision && a.status == 403, "about a decision that was not sent")
	refused := &Refused{message: message{name}, reason: name, detail: hide(detail), action: Action(action), adobeCode: "ERROR_UNKNOWN"}
	if text := m.optionalText("decisionError"); text != nil {
		refused.decisionError = hide(*text)
	}
	return unless(m, refused)
}

// unless is the outcome, if the members that it was made of are as they must be.
func unless(m *members, outcome error) error {
	if err := m.err(); err != nil {
		return err
	}
	return outcome
}

// secondsIn reads a Retry-After of 1 to 5 digits, and is nil of any other.
func secondsIn(value string) *time.Duration {
	if !consists(value, 1, 5, isDigit) {
		return nil
	}
	seconds, _ := strconv.Atoi(value)
	after := time.Duration(seconds) * time.Second
	return &after
}
