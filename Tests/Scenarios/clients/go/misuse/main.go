// Each line that ends with a comment is an error for the compiler, and the comment is what it says.
package main

import (
	"context"

	"mediatoken.invalid/mediatoken"
)

type mine struct{}

func (mine) Error() string             { return "mine" }
func (mine) Action() mediatoken.Action { return mediatoken.ActionRetry }

func main() {
	ctx := context.Background()
	daemon, _ := mediatoken.NewClient("mediatokend.sock")
	requestor, resource := mediatoken.RequestorID("REF30"), mediatoken.ResourceID("TNT")
	daemon.Verify(ctx, "token")                          // not enough arguments
	daemon.Verify(ctx, "token", requestor)               // not enough arguments
	daemon.Verify(ctx, "token", resource, requestor)     // cannot use resource
	daemon.Verify(ctx, "token", "REF30", "TNT")          // cannot use "REF30"
	daemon.Verify(ctx, "token", nil, resource)           // cannot use nil
	daemon.Verify("token", requestor, resource)          // not enough arguments
	token := daemon.Verify(ctx, "", requestor, resource) // assignment mismatch
	valid, _ := daemon.Verify(ctx, "token", requestor, resource)
	if valid { // non-boolean condition
	}
	valid.ResourceID() = "TBS"               // cannot assign
	valid.said = nil                         // said undefined
	_ = mediatoken.ValidToken{said: nil}     // said
	_ = mediatoken.ValidToken{nil}           // said
	_ = mediatoken.Refused{action: "retry"}  // action
	_ = mediatoken.Requestor{"REF30"}        // condition
	_ = *valid == mediatoken.ValidToken{}    // cannot
	var problem mediatoken.NotValid = mine{} // notValid
}
