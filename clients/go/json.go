package mediatoken

import (
	"bytes"
	"errors"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// What encoding/json lets through and this reader does not: members that come twice, halves of surrogate pairs, bytes that are not UTF-8.

// object is what a JSON object has: texts as string, numbers as number, true and false as bool, null as nil, arrays as []any.
type object map[string]any

// number is a number as it was written.
type number string

var errJSON = errors.New("not one JSON object that can be read in one way only")

// oneObject reads the object that all of these bytes are, with at most so many levels of objects and arrays.
func oneObject(data []byte, levels int) (object, error) {
	if !utf8.Valid(data) {
		return nil, errJSON
	}
	r := jsonReader{data: data}
	r.skipSpace()
	if r.next() != '{' {
		return nil, errJSON
	}
	found, err := r.object(levels)
	if err != nil {
		return nil, err
	}
	r.skipSpace()
	if r.at != len(data) {
		return nil, errJSON
	}
	return found, nil
}

type jsonReader struct {
	data []byte
	at   int
}

// next is the byte that comes next, and 0 at the end, which is no syntax.
func (r *jsonReader) next() byte {
	if r.at == len(r.data) {
		return 0
	}
	return r.data[r.at]
}

func (r *jsonReader) skipSpace() {
	for r.at < len(r.data) && (r.data[r.at] == ' ' || r.data[r.at] == '\t' || r.data[r.at] == '\r' || r.data[r.at] == '\n') {
		r.at++
	}
}

// takes skips this byte, and white space around it, if it comes next.
func (r *jsonReader) takes(wanted byte) bool {
	r.skipSpace()
	if r.next() != wanted {
		return false
	}
	r.at++
	r.skipSpace()
	return true
}

func (r *jsonReader) value(levels int) (any, error) {
	switch r.next() {
	case '{':
		return r.object(levels)
	case '[':
		return r.array(levels)
	case '"':
		return r.text()
	case 't':
		return true, r.word("true")
	case 'f':
		return false, r.word("false")
	case 'n':
		return nil, r.word("null")
	default:
		return r.number()
	}
}

func (r *jsonReader) object(levels int) (object, error) {
	if levels == 0 || !r.takes('{') {
		return nil, errJSON
	}
	found := object{}
	if r.takes('}') {
		return found, nil
	}
	for {
		name, err := r.text()
		if err != nil {
			return nil, err
		}
		if _, isThere := found[name]; isThere || !r.takes(':') {
			return nil, errJSON
		}
		if found[name], err = r.value(levels - 1); err != nil {
			return nil, err
		}
		if r.takes(',') {
			continue
		}
		return found, r.end('}')
	}
}

func (r *jsonReader) array(levels int) ([]any, error) {
	if levels == 0 || !r.takes('[') {
		return nil, errJSON
	}
	found := []any{}
	if r.takes(']') {
		return found, nil
	}
	for {
		element, err := r.value(levels - 1)
		if err != nil {
			return nil, err
		}
		found = append(found, element)
		if r.takes(',') {
			continue
		}
		return found, r.end(']')
	}
}

func (r *jsonReader) end(bracket byte) error {
	if !r.takes(bracket) {
		return errJSON
	}
	return nil
}

func (r *jsonReader) word(word string) error {
	if !bytes.HasPrefix(r.data[r.at:], []byte(word)) {
		return errJSON
	}
	r.at += len(word)
	return nil
}

func (r *jsonReader) number() (number, error) {
	start := r.at
	if r.next() == '-' {
		r.at++
	}
	if r.next() == '0' {
		r.at++
	} else if r.digits() == 0 {
		return "", errJSON
	}
	if r.next() == '.' {
		r.at++
		if r.digits() == 0 {
			return "", errJSON
		}
	}
	if r.next() == 'e' || r.next() == 'E' {
		r.at++
		if r.next() == '+' || r.next() == '-' {
			r.at++
		}
		if r.digits() == 0 {
			return "", errJSON
		}
	}
	return number(r.data[start:r.at]), nil
}

func (r *jsonReader) digits() int {
	start := r.at
	for '0' <= r.next() && r.next() <= '9' {
		r.at++
	}
	return r.at - start
}

func (r *jsonReader) text() (string, error) {
	if r.next() != '"' {
		return "", errJSON
	}
	r.at++
	var text []byte
	for start := r.at; r.at < len(r.data); {
		switch each := r.data[r.at]; {
		case each == '"':
			text = append(text, r.data[start:r.at]...)
			r.at++
			return string(text), nil
		case each < ' ':
			return "", errJSON
		case each == '\\':
			text = append(text, r.data[start:r.at]...)
			character, err := r.escape()
			if err != nil {
				return "", err
			}
			text = utf8.AppendRune(text, character)
			start = r.at
		default:
			r.at++
		}
	}
	return "", errJSON
}

var escapes = map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape reads from a backslash on.
func (r *jsonReader) escape() (rune, error) {
	r.at++
	if character, isShort := escapes[r.next()]; isShort {
		r.at++
		return character, nil
	}
	unit, err := r.unit()
	if err != nil || !utf16.IsSurrogate(unit) {
		return unit, err
	}
	if r.next() != '\\' {
		return 0, errJSON
	}
	r.at++
	second, err := r.unit()
	character := utf16.DecodeRune(unit, second)
	if err != nil || character == utf8.RuneError {
		return 0, errJSON
	}
	return character, nil
}

// unit reads a u and four hexadecimal digits.
func (r *jsonReader) unit() (rune, error) {
	if r.next() != 'u' || len(r.data)-r.at < 5 {
		return 0, errJSON
	}
	value, err := strconv.ParseUint(string(r.data[r.at+1:r.at+5]), 16, 16)
	if err != nil {
		return 0, errJSON
	}
	r.at += 5
	return rune(value), nil
}
