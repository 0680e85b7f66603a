package mediatoken

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
)

// A token's name, by which the answer to another question is noticed: SHA-256 of the bytes that are signed. Nothing is verified here, and
// spellings that the daemon refuses are read too: it gives those tokens no name.

const (
	opening = "<signatureInfo>"
	closing = "</signatureInfo>"
	// base64Opening is what the first marker begins with in base64, whatever follows it.
	base64Opening = "PHNpZ25hdHVyZUluZm8"
	space         = " \t\r\n"
	// decisionLevels is how deep the daemon reads a decision.
	decisionLevels = 32
)

// identityOf is the name, and empty for what is no token.
func identityOf(received []byte) string {
	token := withoutArmor(received)
	if !bytes.HasPrefix(token, []byte(opening)) {
		return ""
	}
	rest := token[len(opening):]
	end := bytes.IndexByte(rest, '<')
	if end < 1 {
		return ""
	}
	rest = rest[end:]
	for _, marker := range []string{opening, closing} {
		if signed := bytes.TrimPrefix(rest, []byte(marker)); len(signed) < len(rest) && len(signed) > 0 {
			digest := sha256.Sum256(signed)
			return hex.EncodeToString(digest[:])
		}
	}
	return ""
}

// identitiesInDecision are the names of all tokens in an answer of decisions/authorize.
func identitiesInDecision(decision []byte) ([]string, error) {
	document, err := oneObject(decision, decisionLevels)
	if err != nil {
		return nil, err
	}
	var found []string
	decisions, _ := document["decisions"].([]any)
	for _, each := range decisions {
		each, _ := each.(object)
		token, _ := each["token"].(object)
		text, _ := token["serializedToken"].(string)
		if identity := identityOf([]byte(text)); identity != "" {
			found = append(found, identity)
		}
	}
	return found, nil
}

// withoutArmor is the raw token, and nil for what has no armor that is known.
func withoutArmor(received []byte) []byte {
	text := bytes.Trim(received, space)
	switch {
	case bytes.HasPrefix(text, []byte(opening)):
		return text
	case bytes.HasPrefix(text, []byte("%3C")), bytes.HasPrefix(text, []byte("%3c")):
		return percentDecoded(bytes.ReplaceAll(text, []byte("+"), []byte(" ")), func(byte) bool { return true })
	case bytes.HasPrefix(text, []byte(base64Opening)):
		return base64Decoded(text, received)
	}
	return nil
}

func base64Decoded(text, received []byte) []byte {
	// A form turns + into a space; one at the end was then trimmed.
	tail := bytes.TrimLeft(received, space)[len(text):]
	wasTrimmed := len(text)%4 == 3 && bytes.IndexByte(text, '%') < 0 && bytes.HasPrefix(tail, []byte(" "))
	text = percentDecoded(text, func(decoded byte) bool { return decoded == '+' || decoded == '/' || decoded == '=' })
	if wasTrimmed {
		text = append(text, '+')
	}
	for index, each := range text {
		switch each {
		case '-', ' ':
			text[index] = '+'
		case '_':
			text[index] = '/'
		}
	}
	text = bytes.TrimRight(text, "=")
	token := make([]byte, base64.RawStdEncoding.DecodedLen(len(text)))
	count, err := base64.RawStdEncoding.Decode(token, text)
	if err != nil {
		return nil
	}
	return token[:count]
}

// percentDecoded is a copy in which the escapes of these bytes are decoded, and others are left as they are.
func percentDecoded(text []byte, isDecoded func(byte) bool) []byte {
	decoded := make([]byte, 0, len(text))
	for len(text) > 0 {
		var one [1]byte
		if text[0] == '%' && len(text) > 2 {
			if _, err := hex.Decode(one[:], text[1:3]); err == nil && isDecoded(one[0]) {
				decoded, text = append(decoded, one[0]), text[3:]
				continue
			}
		}
		decoded, text = append(decoded, text[0]), text[1:]
	}
	return decoded
}
