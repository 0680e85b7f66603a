// Package mediatoken asks mediatokend whether an Adobe Pass short media token may play.
//
//	daemon, err := mediatoken.NewClient("/run/mediatokend/mediatokend.sock")
//	…
//	token, err := daemon.Verify(ctx, received, mediatoken.RequestorID("REF30"), mediatoken.ResourceID("TNT"))
//	if err != nil {
//		// Do not play. mediatoken.ActionOf(err) is what the player does next.
//	}
//
// A ValidToken is made by Client.Verify alone, of a whole answer that says so and is about the token that was sent. Everything else is
// an error, and the token is nil.
package mediatoken
