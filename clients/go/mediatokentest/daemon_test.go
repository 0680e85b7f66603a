package mediatokentest

import (
	"context"
	"errors"
	"testing"

	"mediatoken.invalid/mediatoken"
)

func TestDaemon(t *testing.T) {
	fake := NewDaemon("X-Request-ID")
	defer fake.Close()
	client, err := mediatoken.NewClient(fake.URL, mediatoken.WithRequestIDHeader("X-Request-ID"))
	if err != nil {
		t.Fatal(err)
	}
	verify := func(token string) (*mediatoken.ValidToken, error) {
		return client.Verify(context.Background(), token, mediatoken.RequestorID("REF30"), mediatoken.ResourceID("TNT"))
	}
	token := Valid(map[string]any{"mvpdId": "Other_MVPD"})
	valid, err := verify(token)
	if err != nil || valid.RequestorID() != "REF30" || valid.ResourceID() != "TNT" || valid.MvpdID() != "Other_MVPD" {
		t.Fatal(valid, err)
	}
	for token, reason := range map[string]string{
		token: "already-used", "PHNpZ25hdHVyZUluZm8+": "unknown-form", Refused("TOKEN_EXPIRED", "too-old", "new-token"): "too-old"} {
		var refused *mediatoken.Refused
		if _, err := verify(token); !errors.As(err, &refused) || refused.Reason() != reason {
			t.Error(reason, err)
		}
	}
	var fault *mediatoken.Fault
	if _, err := verify(Fault("REPLAY_MEMORY_FULL", "retry")); !errors.As(err, &fault) || fault.Name() != "REPLAY_MEMORY_FULL" {
		t.Error(err)
	}
	if err := client.CheckReady(context.Background()); err != nil {
		t.Error(err)
	}
}
