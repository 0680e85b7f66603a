package mediatoken

import "context"

const (
	localConnections = 64
	// tcpConnections is what a client has over TCP, where the daemon takes 64 from all of its callers, and closes the others unread.
	tcpConnections = 32
)

// turns has a place for each question that may be on the way at once.
type turns chan struct{}

// take waits for a turn, which give ends.
func (t turns) take(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	default:
	}
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return over(ctx)
	}
}

func (t turns) give() { <-t }
