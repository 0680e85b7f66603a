package mediatoken

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestWhatCanBeReadInTwoWaysIsNotRead(t *testing.T) {
	// encoding/json takes every one of these.
	for _, text := range []string{`{"a":1,"a":1}`, `{"a":{"b":1,"\u0062":1}}`, `{"a":"\ud800"}`, `{"a":"\udc00\ud800"}`,
		`{"a":"\ud800\ud800"}`, "{\"a\":\"\xff\"}", "{\"\xed\xa0\x80\":1}", `{"a":` + strings.Repeat("[", 16) + strings.Repeat("]", 16) + `}`} {
		if !json.Valid([]byte(text)) {
			t.Errorf("expected what encoding/json reads, found %q", text)
		}
		if found, err := oneObject([]byte(text), answerLevels); err == nil || found != nil {
			t.Errorf("expected nothing of %q, found %v", text, found)
		}
	}
}

// What is read here is JSON for encoding/json too, and means the same.
func FuzzOneObject(f *testing.F) {
	for _, text := range []string{`{}`, ` {"a" : [1, -0, 2.5e3, 1E+2, true, false, null, {"b":"\ud83d\ude00\"\\\/\b\f\n\r\t"}]} `, `{"":""}`,
		`{"a":01}`, `{"a":+1}`, `{"a":1.}`, `{"a":.5}`, `{"a":NaN}`, `{"a":tru}`, `{"a":"\u00e"}`,
		`{"a":"\u+0a1"}`, `{"a":"\x41"}`, "{\"a\":\"\t\"}",
		`{"a" 1}`, `{"a":1,}`, `{,}`, `[{}]`, `{}{}`, `{"a":[1,]}`, `{"a":[}]`,
		"\ufeff{}", "{}\x00", `{"a":"é\u00e9"}`, `{"a`, `{"a":"\`, `{"a":-}`, `{"a":"\ud83d\u`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		found, err := oneObject(text, answerLevels)
		if err != nil {
			return
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		var wanted map[string]any
		if !json.Valid(text) || decoder.Decode(&wanted) != nil || !reflect.DeepEqual(plain(found), any(wanted)) {
			t.Errorf("expected %v, found %v", wanted, found)
		}
	})
}

// plain is a value as encoding/json has it.
func plain(value any) any {
	switch value := value.(type) {
	case object:
		members := map[string]any{}
		for name, each := range value {
			members[name] = plain(each)
		}
		return members
	case []any:
		elements := make([]any, len(value))
		for index, each := range value {
			elements[index] = plain(each)
		}
		return elements
	case number:
		return json.Number(value)
	}
	return value
}
