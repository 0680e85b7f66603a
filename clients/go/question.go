package mediatoken

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
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

// condition is a member of a question and its text, or the member configured where it is left to the daemon.
type condition struct{ member, text string }

const configured = "configured"

// question is what is asked about, and what the answer must be about: identities has the names of what was sent, if it has any.
type question struct {
	token, requestID     string
	isDecision, hasOwnID bool
	conditions           []condition
	identities           []string
}

// body writes a form, which carries every byte of a token, or the decision's own bytes inside an object of ours.
func (q *question) body(fields http.Header) ([]byte, error) {
	form, members := url.Values{}, map[string]string{}
	for _, each := range q.conditions {
		if each.member == configured {
			continue
		}
		if each.member == "" || each.text == "" || !utf8.ValidString(each.text) {
			return nil, misuse("expected a requestor and a resource in UTF-8, found a zero value or a text that is empty or not UTF-8; " +
				"what the daemon is configured for has functions of its own")
		}
		form.Set(each.member, each.text)
		members[each.member] = each.text
	}
	if !q.isDecision {
		q.addIdentity(q.token)
		if q.token == "" {
			// The daemon trims it: a form has no empty values.
			q.token = " "
		}
		form.Set("token", q.token)
		fields.Set("Content-Type", "application/x-www-form-urlencoded")
		return []byte(form.Encode()), nil
	}
	// What is not one object and nothing else would mean something else to the daemon, between members of ours.
	document, err := oneObject([]byte(q.token))
	if err != nil {
		said := object{"error": "bad-decision", "detail": "expected one JSON object, as Adobe sent it"}
		return nil, &Fault{told{message{"no verdict: bad-decision (400)"}, func() object { return said }, 400, nil}}
	}
	decisions, _ := document["decisions"].([]any)
	for _, each := range decisions {
		each, _ := each.(object)
		token, _ := each["token"].(object)
		text, _ := token["serializedToken"].(string)
		q.addIdentity(text)
	}
	fields.Set("Content-Type", "application/json")
	members["decision"] = ""
	// Texts have no error. The first member is the decision, as they are in the order of their names.
	written, _ := json.Marshal(members)
	return []byte(strings.Replace(string(written), `""`, q.token, 1)), nil
}

// fromForm is base64 as it was before it came through forms and addresses.
var fromForm = strings.NewReplacer(
	"%2B", "+", "%2b", "+", "%2F", "/", "%2f", "/", "%3D", "=", "%3d", "=", "-", "+", " ", "+", "_", "/")

// addIdentity adds a token's name, by which the answer to another question is noticed: SHA-256 of the bytes that are signed. What is
// no token has none. Nothing is verified here, and spellings that the daemon refuses are read too: it gives those tokens no name.
func (q *question) addIdentity(received string) {
	const opening, space = "<signatureInfo>", " \t\r\n"
	token := strings.Trim(received, space)
	if strings.HasPrefix(token, "%3C") || strings.HasPrefix(token, "%3c") {
		token, _ = url.QueryUnescape(token)
	} else if strings.HasPrefix(token, "PHNpZ25hdHVyZUluZm8") {
		// A form turns + into a space; one at the end was then trimmed.
		tail := strings.TrimLeft(received, space)[len(token):]
		if len(token)%4 == 3 && !strings.Contains(token, "%") && strings.HasPrefix(tail, " ") {
			token += "+"
		}
		decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(fromForm.Replace(token), "="))
		if err != nil {
			return
		}
		token = string(decoded)
	}
	rest := strings.TrimPrefix(token, opening)
	if end := strings.IndexByte(rest, '<'); len(rest) < len(token) && end > 0 {
		for _, marker := range []string{opening, "</signatureInfo>"} {
			if signed := strings.TrimPrefix(rest[end:], marker); len(signed) < len(rest)-end && signed != "" {
				digest := sha256.Sum256([]byte(signed))
				q.identities = append(q.identities, hex.EncodeToString(digest[:]))
				return
			}
		}
	}
}
