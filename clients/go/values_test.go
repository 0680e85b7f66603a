package mediatoken

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"text/template"
)

func TestAZeroTokenLetsNoOneIn(t *testing.T) {
	printing := map[string]bool{"String": true, "Format": true, "MarshalText": true}
	value := reflect.ValueOf(ValidToken{})
	for index := 0; index < value.NumMethod(); index++ {
		name := value.Type().Method(index).Name
		if printing[name] {
			continue
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("expected %s to panic", name)
				}
			}()
			value.Method(index).Call(nil)
		}()
	}
	if text := fmt.Sprint(ValidToken{}); text != "ValidToken(none)" {
		t.Errorf("expected a text of no token, found %s", text)
	}
	if ActionOf(&Refused{}) != ActionReport || ActionOf(&Fault{}) != ActionReport || (&Refused{}).Error() == "" {
		t.Error("expected zero errors to be errors")
	}
}

func TestNothingPrintsASecret(t *testing.T) {
	client := clientOf(t, serve(t, saysValid))
	token, err := ask(context.Background(), client, rawToken("A"))
	if err != nil || token.SessionGUID() != secret {
		t.Fatal(err)
	}
	type exported struct {
		Token  *ValidToken
		Copy   ValidToken
		Reason error
	}
	type unexported struct {
		token  *ValidToken
		copied ValidToken
		reason error
		client *Client
	}
	refused := &Refused{message: message{"A: b"}, detail: hide(secret), decisionError: hide(secret)}
	values := []any{
		token, *token, exported{token, *token, refused}, unexported{token, *token, refused, client},
		&Fault{detail: hide(secret)}, &NotReady{detail: hide(secret), cure: hide(secret)}, *refused, client,
	}
	for _, value := range values {
		var text bytes.Buffer
		for _, verb := range "vTtbcdoOqxXUeEfFgGsp" {
			for _, flags := range []string{"", "+", "#", " ", "-20.3"} {
				for _, each := range []any{value, &value, []any{value}, map[string]any{"x": value}, struct{ x any }{value}} {
					fmt.Fprintf(&text, "%"+flags+string(verb), each)
				}
			}
		}
		if written, err := json.Marshal(value); err == nil {
			text.Write(written)
		}
		if written, err := xml.Marshal(value); err == nil {
			text.Write(written)
		}
		// Errors are what is expected of these.
		_ = gob.NewEncoder(&text).Encode(value)
		_ = template.Must(template.New("").Parse("{{.}}{{printf `%d` .}}")).Execute(&text, value)
		if strings.Contains(text.String(), secret) || strings.Contains(text.String(), fmt.Sprintf("%x", secret)) {
			t.Errorf("%T shows a secret", value)
		}
	}
}

func TestTokensCannotBeReadBack(t *testing.T) {
	token, err := ask(context.Background(), clientOf(t, serve(t, saysValid)), rawToken("A"))
	if err != nil {
		t.Fatal(err)
	}
	written, err := json.Marshal(token)
	if err != nil {
		t.Fatal(err)
	}
	var again *ValidToken
	if err := json.Unmarshal(written, &again); err == nil {
		t.Errorf("expected nothing to be read, found %v", again)
	}
}

func TestErrorsAreFoundByTheirTypes(t *testing.T) {
	wrapped := fmt.Errorf("playing: %w", &Refused{action: ActionNewToken})
	var problem NotValid
	var refused *Refused
	if !errors.As(wrapped, &problem) || problem.Action() != ActionNewToken || !errors.As(wrapped, &refused) {
		t.Error("expected a refusal")
	}
	if ActionOf(wrapped) != ActionNewToken || ActionOf(errors.New("x")) != ActionReport || errors.As(misuse("x"), &problem) {
		t.Error("expected an action of refusals alone")
	}
}
