package mediatoken

import (
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"time"
	"unicode/utf8"
)

// object is what a JSON object has, as package json gives it.
type object = map[string]any

var (
	errJSON = errors.New("not one JSON object that can be read in one way only")

	name      = regexp.MustCompile(`^[A-Z_]{1,64}$`)
	word      = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)
	digest    = regexp.MustCompile(`^[0-9a-f]{64}$`)
	requestID = regexp.MustCompile(`^[A-Za-z0-9._:+/=@-]{1,128}$`)
	// instant is looked at first, as time.Parse takes a comma for the point, and hours of one digit.
	instant = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$`)
	seconds = regexp.MustCompile(`^[0-9]{1,5}$`)
	// forms are those of texts; others may be anything.
	forms = map[string]*regexp.Regexp{"verdict": name, "fault": name, "adobeCode": name, "reason": word, "action": word, "error": word,
		"identity": digest, "keyFingerprint": digest, "requestID": requestID, "issueTime": instant, "expiresAt": instant}
)

// oneObject reads the object that all of these bytes are. Package json takes bytes that are not UTF-8, and of members that come twice the
// last one: outside of texts each member has its colon.
func oneObject(data []byte) (object, error) {
	var found object
	if !utf8.Valid(data) || json.Unmarshal(data, &found) != nil || found == nil {
		return nil, errJSON
	}
	colons, isText := 0, false
	for at := 0; at < len(data); at++ {
		switch {
		case isText && data[at] == '\\':
			at++
		case data[at] == '"':
			isText = !isText
		case data[at] == ':' && !isText:
			colons++
		}
	}
	if colons != members(found) {
		return nil, errJSON
	}
	return found, nil
}

// members is how many a value has, and the values in it.
func members(value any) int {
	count := 0
	switch value := value.(type) {
	case object:
		count = len(value)
		for _, each := range value {
			count += members(each)
		}
	case []any:
		for _, each := range value {
			count += members(each)
		}
	}
	return count
}

// reading is an answer that is read by the letter ("How an answer is read" in the README of the kits): what it has, the members that were
// looked at and have their form, and what was wrong first.
type reading struct {
	*answer
	has, said object
	wrong     string
}

// outcomeOf also says which one of these members there is.
func outcomeOf(a *answer, kinds ...string) (r *reading, kind string) {
	r = &reading{answer: a, said: object{}}
	r.expect(a.fields.Get("Content-Type") == "application/json" && len(a.fields["Content-Type"]) == 1, "another content type")
	var err error
	r.has, err = oneObject(a.body)
	r.expect(err == nil, errJSON.Error())
	count := 0
	for _, each := range kinds {
		if r.has[each] != nil {
			kind = each
		}
		if _, isThere := r.has[each]; isThere {
			count++
		}
	}
	r.expect(count == 1, "not one outcome")
	return r, kind
}

func (r *reading) expect(holds bool, otherwise string) {
	if !holds && r.wrong == "" {
		r.wrong = otherwise
	}
}

// text is a member in its form.
func (r *reading) text(name string) string {
	text, isText := r.has[name].(string)
	form, hasForm := forms[name]
	r.expect(isText && (!hasForm || form.MatchString(text)), "without a member "+name+" of its form")
	r.said[name] = text
	return text
}

func (r *reading) texts(names ...string) {
	for _, name := range names {
		r.text(name)
	}
}

// optional are texts that may be missing.
func (r *reading) optional(names ...string) {
	for _, name := range names {
		if _, isThere := r.has[name]; isThere {
			r.text(name)
		}
	}
}

// is says that the status is this, and the number within a range.
func (r *reading) is(status int, least, most int64) {
	r.expect(r.status == status && r.integer("number", least, most), "an outcome that its status or number contradicts")
}

func (r *reading) integer(name string, least, most int64) bool {
	value, isNumber := r.has[name].(float64)
	number := int64(value)
	r.said[name] = number
	return isNumber && float64(number) == value && least <= number && number <= most
}

func (r *reading) time(name string) {
	found, err := time.Parse("2006-01-02T15:04:05.000Z", r.text(name))
	r.expect(err == nil && found.Year() > 0, "without a member "+name+" of its form")
	r.said[name] = found
}

// told is what an error has of the answer.
func (r *reading) told(text string) told {
	said, problem := r.said, told{message: message{text}, status: r.status}
	problem.said = func() object { return said }
	if value := r.fields.Get("Retry-After"); seconds.MatchString(value) {
		number, _ := strconv.Atoi(value)
		after := time.Duration(number) * time.Second
		problem.after = &after
	}
	return problem
}

// instead is an error, or a *ForeignAnswer if something was wrong.
func (r *reading) instead(err error) error {
	if r.wrong != "" {
		return foreign(r.wrong)
	}
	return err
}

// tokenOf is the valid token, or *Refused, *Fault or *ForeignAnswer.
func tokenOf(a *answer, q question) (*ValidToken, error) {
	r, kind := outcomeOf(a, "verdict", "fault", "error")
	if kind == "error" {
		return nil, errorOf(r, q.isDecision)
	}
	requestID, action := r.text("requestID"), r.text("action")
	r.expect(requestID == q.requestID || q.requestID == "", "another request id; is the header the daemon's requestIDHeader?")
	if kind == "fault" {
		r.is(503, 64, 127)
		r.expect(action != "none", "a fault that its action contradicts")
		return nil, r.instead(&Fault{r.told("no verdict: " + r.text("fault"))})
	}
	r.optional("identity")
	_, isNamed := r.has["identity"]
	isOurs := false
	for _, each := range q.identities {
		isOurs = isOurs || each == r.has["identity"]
	}
	verdict, code := r.text("verdict"), r.text("adobeCode")
	isValid := verdict == "VALID_TOKEN"
	r.expect(isOurs || !isNamed && !isValid, "about a different token from the one that was sent")
	r.expect((action == "none") == isValid && (code == "VALID_TOKEN") == isValid, "a verdict that its action contradicts")
	if !isValid {
		r.is(403, 1, 63)
		r.text("detail")
		return nil, r.instead(&Refused{r.told(verdict + ": " + r.text("reason"))})
	}
	r.is(200, 0, 0)
	r.texts("requestorID", "resourceID", "mvpdId", "sessionGUID", "keyFingerprint")
	r.optional("proxyMvpdId", "viewerTag", "handover")
	r.time("issueTime")
	r.time("expiresAt")
	for _, each := range q.conditions {
		// Documents and channels are compared by the daemon alone.
		if each.member == "requestor" || each.member == "resource" {
			r.expect(r.said[each.member+"ID"] == each.text, "a valid token for another "+each.member)
		}
	}
	use := Use(r.text("use"))
	r.expect(use == UseFirst || use == UseRetry || use == UseNotEnforced, "an unknown use")
	r.expect(r.integer("ttlMilliseconds", 0, 999_999_999_999), "without a member ttlMilliseconds of its form")
	fields, isArray := r.has["unknownFields"].([]any)
	for _, each := range fields {
		_, isText := each.(string)
		isArray = isArray && isText
	}
	r.expect(isArray, "without a member unknownFields of its form")
	r.said["unknownFields"] = fields
	if err := r.instead(nil); err != nil {
		return nil, err
	}
	return &ValidToken{func() object { return r.said }}, nil
}

// readinessOf is nil if the daemon is ready, and else *NotReady, *Fault or *ForeignAnswer.
func readinessOf(a *answer) error {
	r, kind := outcomeOf(a, "status", "verdict", "fault", "error")
	if kind == "error" {
		return errorOf(r, false)
	}
	if r.text("status") == "not-ready" {
		r.expect(a.status == 503, "a status that the member contradicts")
		r.texts("detail", "cure")
		return r.instead(&NotReady{r.told("not ready: " + r.text("reason"))})
	}
	r.expect(r.has["status"] == "ready" && a.status == 200, "no status")
	return r.instead(nil)
}

func errorOf(r *reading, isDecision bool) error {
	name := r.text("error")
	r.text("detail")
	r.optional("action")
	r.expect(400 <= r.status && r.status <= 599 && r.has["action"] != "none", "an error that its status or action contradicts")
	if name == "no-token-in-decision" {
		r.expect(isDecision && r.status == 403, "about a decision that was not sent")
		r.optional("decisionError")
		return r.instead(&Refused{r.told(name)})
	}
	return r.instead(&Fault{r.told("no verdict: " + name + " (" + strconv.Itoa(r.status) + ")")})
}
