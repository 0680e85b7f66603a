package mediatoken

import (
	"strconv"
	"time"
)

const (
	answerLevels = 16
	// longestLife is that of a token, whose ttl has at most twelve digits.
	longestLife = 999_999_999_999
)

// members reads what an answer has, and remembers the first thing that is not as it must be, which err says at the end.
type members struct {
	object object
	wrong  string
}

func (m *members) err() error {
	if m.wrong == "" {
		return nil
	}
	return foreign(m.wrong)
}

func (m *members) expect(holds bool, otherwise string) {
	if !holds && m.wrong == "" {
		m.wrong = otherwise
	}
}

func (m *members) has(name string) bool {
	_, isThere := m.object[name]
	return isThere
}

// text is a text of this form; a nil form is any.
func (m *members) text(name string, isForm func(string) bool) string {
	text, isText := m.object[name].(string)
	m.expect(isText && (isForm == nil || isForm(text)), "without a member "+name+" of its form")
	return text
}

// optionalText is nil if there is no such member.
func (m *members) optionalText(name string) *string {
	if !m.has(name) {
		return nil
	}
	text := m.text(name, nil)
	return &text
}

// isBetween says whether a member is an integer of this range.
func (m *members) isBetween(name string, least, most int64) bool {
	value, isInteger := integer(m.object[name])
	return isInteger && least <= value && value <= most
}

func integer(value any) (int64, bool) {
	text, isNumber := value.(number)
	found, err := strconv.ParseInt(string(text), 10, 64)
	return found, isNumber && err == nil
}

func (m *members) milliseconds(name string) time.Duration {
	m.expect(m.isBetween(name, 0, longestLife), "a member "+name+" of another type")
	value, _ := integer(m.object[name])
	return time.Duration(value) * time.Millisecond
}

func (m *members) time(name string) time.Time {
	// The form first: time.Parse takes a comma for the point, and hours of one digit.
	text := m.text(name, isTime)
	instant, err := time.Parse("2006-01-02T15:04:05.000Z", text)
	m.expect(err == nil, "without a member "+name+" of its form")
	return instant
}

func (m *members) texts(name string) []string {
	values, isArray := m.object[name].([]any)
	m.expect(isArray, "a member "+name+" of another type")
	texts := make([]string, 0, len(values))
	for _, each := range values {
		text, isText := each.(string)
		m.expect(isText, "a member "+name+" of another type")
		texts = append(texts, text)
	}
	return texts
}

// identity is a name among those that were sent, and empty if the answer has no name.
func (m *members) identity(sent []string) string {
	if !m.has("identity") {
		return ""
	}
	identity := m.text("identity", isDigest)
	for _, each := range sent {
		if each == identity && each != "" {
			return identity
		}
	}
	m.expect(false, "about a different token from the one that was sent")
	return ""
}

func isUpper(each byte) bool { return 'A' <= each && each <= 'Z' }
func isLower(each byte) bool { return 'a' <= each && each <= 'z' }
func isDigit(each byte) bool { return '0' <= each && each <= '9' }

func consists(text string, least, most int, of func(byte) bool) bool {
	for index := 0; index < len(text); index++ {
		if !of(text[index]) {
			return false
		}
	}
	return least <= len(text) && len(text) <= most
}

// isName is of a verdict, a fault or a code.
func isName(text string) bool {
	return consists(text, 1, 64, func(each byte) bool { return isUpper(each) || each == '_' })
}

// isWord is of a reason, an action or an error.
func isWord(text string) bool {
	return consists(text, 1, 64, func(each byte) bool { return isLower(each) || isDigit(each) || each == '-' })
}

func isDigest(text string) bool {
	return consists(text, 64, 64, func(each byte) bool { return isDigit(each) || 'a' <= each && each <= 'f' })
}

func isRequestID(text string) bool {
	return consists(text, 1, 128, func(each byte) bool {
		switch each {
		case '.', '_', '-', ':', '+', '/', '=', '@':
			return true
		}
		return isUpper(each) || isLower(each) || isDigit(each)
	})
}

// isTime is YYYY-MM-DDTHH:MM:SS.mmmZ from the year 1.
func isTime(text string) bool {
	const form = "0000-00-00T00:00:00.000Z"
	if len(text) != len(form) {
		return false
	}
	for index := range form {
		if isDigit(form[index]) && !isDigit(text[index]) || !isDigit(form[index]) && form[index] != text[index] {
			return false
		}
	}
	return text[:4] != "0000"
}
