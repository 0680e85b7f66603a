package mediatoken

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// Requestor is whom a token must be for: RequestorID, or ConfiguredRequestor. Its zero value is no one, and cannot be asked about.
type Requestor struct{ condition condition }

// RequestorID is a requestor's id, as Adobe has it.
func RequestorID(id string) Requestor { return Requestor{condition{"requestor", id}} }

// ConfiguredRequestor is the one requestor of the daemon's configuration.
func ConfiguredRequestor() Requestor { return Requestor{condition{member: configured}} }

// Resource is what is about to be played: ResourceID, Document, Channel, or ConfiguredResource. Its zero value is nothing, and cannot be
// asked about.
type Resource struct{ condition condition }

// ResourceID is a text that the token's resource must equal, byte for byte.
func ResourceID(id string) Resource { return Resource{condition{"resource", id}} }

// Document is a Media RSS document that the token's resource must be the same as, however it is spelled.
func Document(text string) Resource { return Resource{condition{"resourceDocument", text}} }

// Channel is a channel: the token's resource must be this id, or a document whose channel has this title.
func Channel(id string) Resource { return Resource{condition{"resourceChannel", id}} }

// ConfiguredResource is the resource of the tenant's configuration.
func ConfiguredResource() Resource { return Resource{condition{member: configured}} }

// condition is a member of a question and its text.
type condition struct{ member, text string }

// configured is the member of a condition that is left to the daemon.
const configured = "configured"

func (c condition) problem(what string) error {
	switch {
	case c.member == configured:
		return nil
	case c.member == "":
		return misuse("expected a " + what + ", found a zero value; what the daemon is configured for has a function of its own")
	case c.text == "":
		return misuse("expected a " + what + ", found an empty text; what the daemon is configured for has a function of its own")
	case !utf8.ValidString(c.text):
		return misuse("expected a " + what + " in UTF-8")
	}
	return nil
}

// admits says whether a valid token may have this text. Documents and channels are compared by the daemon alone.
func (c condition) admits(text string) bool {
	return c.member != "requestor" && c.member != "resource" || c.text == text
}

// asked is a question as it is sent, and what its answer must be about.
type asked struct {
	kind string
	body []byte
	// identities are the names of what was sent, one of which the answer has; what is no token has no name.
	identities          []string
	requestor, resource condition
	isDecision          bool
}

func conditions(requestor Requestor, resource Resource) ([]condition, error) {
	if err := requestor.condition.problem("requestor"); err != nil {
		return nil, err
	}
	if err := resource.condition.problem("resource"); err != nil {
		return nil, err
	}
	var sent []condition
	for _, each := range []condition{requestor.condition, resource.condition} {
		if each.member != configured {
			sent = append(sent, each)
		}
	}
	return sent, nil
}

// aboutToken writes a form, which carries every byte of a token.
func aboutToken(token string, requestor Requestor, resource Resource) (*asked, error) {
	sent, err := conditions(requestor, resource)
	if err != nil {
		return nil, err
	}
	received := receivedBytes(token)
	body := appendEscaped(append(make([]byte, 0, len(received)+128), "token="...), received)
	for _, each := range sent {
		body = append(append(append(body, '&'), each.member...), '=')
		body = appendEscaped(body, []byte(each.text))
	}
	return &asked{kind: "application/x-www-form-urlencoded", body: body, identities: named(identityOf(received)),
		requestor: requestor.condition, resource: resource.condition}, nil
}

// aboutDecision writes the decision's own bytes inside an object of ours, if they are one object and nothing else: what is sent around
// them could be read in another way otherwise.
func aboutDecision(decision []byte, requestor Requestor, resource Resource) (*asked, error) {
	sent, err := conditions(requestor, resource)
	if err != nil {
		return nil, err
	}
	identities, err := identitiesInDecision(decision)
	if err != nil {
		return nil, &Fault{message: message{"no verdict: bad-decision (400)"}, name: "bad-decision", status: 400, action: ActionReport,
			detail: hide("expected one JSON object, as Adobe sent it")}
	}
	var body bytes.Buffer
	body.WriteString("{")
	for _, each := range sent {
		fmt.Fprintf(&body, "%q: %s, ", each.member, jsonText(each.text))
	}
	body.WriteString(`"decision": `)
	body.Write(decision)
	body.WriteString("}")
	return &asked{kind: "application/json", body: body.Bytes(), identities: identities,
		requestor: requestor.condition, resource: resource.condition, isDecision: true}, nil
}

// receivedBytes are those that are sent. An empty token is sent as one space, which the daemon trims: a form has no empty values.
func receivedBytes(token string) []byte {
	if token == "" {
		return []byte(" ")
	}
	return []byte(token)
}

func named(identity string) []string {
	if identity == "" {
		return nil
	}
	return []string{identity}
}

// jsonText is a text in UTF-8 as JSON. Such a text has no error.
func jsonText(text string) []byte {
	written, _ := json.Marshal(text)
	return written
}

const digits = "0123456789ABCDEF"

func appendEscaped(form, value []byte) []byte {
	for _, each := range value {
		if isUpper(each) || isLower(each) || isDigit(each) || each == '-' || each == '.' || each == '_' || each == '~' {
			form = append(form, each)
		} else {
			form = append(form, '%', digits[each>>4], digits[each&15])
		}
	}
	return form
}
