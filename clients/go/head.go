package mediatoken

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// head is what the head of an answer says.
type head struct {
	status, length int
	contentType    string
	retryAfter     *time.Duration
	hasConnection  bool
}

// headIn reads a head without its last line's end.
func headIn(text []byte) (head, error) {
	lines := bytes.Split(text, []byte("\r\n"))
	status, isStatus := statusIn(string(lines[0]))
	if !isStatus {
		return head{}, foreign("no status line of HTTP/1.1")
	}
	fields := map[string]string{}
	for _, line := range lines[1:] {
		name, value, isField := fieldIn(string(line))
		if !isField {
			return head{}, foreign("a broken field in its head")
		}
		switch name {
		case "transfer-encoding", "content-encoding":
			return head{}, foreign("its head can be read in two ways")
		case "content-length", "content-type", "connection", "retry-after":
			if _, isThere := fields[name]; isThere {
				return head{}, foreign("its head can be read in two ways")
			}
			fields[name] = value
		}
	}
	if status < 200 || !consists(fields["content-length"], 1, 9, isDigit) {
		return head{}, foreign("expected one with a Content-Length")
	}
	length, _ := strconv.Atoi(fields["content-length"])
	_, hasConnection := fields["connection"]
	return head{status, length, fields["content-type"], secondsIn(fields["retry-after"]), hasConnection}, nil
}

// statusIn reads HTTP/1.1, a space, three digits, a space and any text.
func statusIn(line string) (int, bool) {
	const start = "HTTP/1.1 "
	if len(line) < len(start)+4 || line[:len(start)] != start || line[len(start)+3] != ' ' {
		return 0, false
	}
	digits := line[len(start) : len(start)+3]
	status, _ := strconv.Atoi(digits)
	return status, consists(digits, 3, 3, isDigit) && isVisible(line)
}

// fieldIn reads a name of token characters in lower case, a colon right after it, and a value without the space around it.
func fieldIn(line string) (name, value string, isField bool) {
	colon := strings.IndexByte(line, ':')
	if colon < 1 || !isToken(line[:colon]) || !isVisible(line) {
		return "", "", false
	}
	return lower(line[:colon]), trimmed(line[colon+1:]), true
}

// Characters of HTTP (RFC 9110, 5.6.2 and 5.5).

func isToken(text string) bool {
	return consists(text, 1, headBytes, func(each byte) bool {
		return isUpper(each) || isLower(each) || isDigit(each) || strings.IndexByte("!#$%&'*+-.^_`|~", each) >= 0
	})
}

// isVisible says that there are no control characters but tabs. Bytes above 127 are Latin-1.
func isVisible(text string) bool {
	return consists(text, 0, headBytes, func(each byte) bool { return each == '\t' || ' ' <= each && each != 0x7f })
}

func trimmed(text string) string { return strings.Trim(text, " \t") }

// lower is of a token.
func lower(text string) string { return strings.ToLower(text) }
