package mediatoken

import (
	"sync"
	"time"
)

// pool has the connections that wait for the next question. The youngest is used first, so that the others grow old. A Go program is not
// forked, and what it starts inherits no connection.
type pool struct {
	most int
	lock sync.Mutex
	idle []*connection
}

// take is an idle connection that can be used, or nil.
func (p *pool) take() *connection {
	for {
		youngest := p.pop()
		if youngest == nil || youngest.isUsable() {
			return youngest
		}
		youngest.close()
	}
}

func (p *pool) pop() *connection {
	p.lock.Lock()
	defer p.lock.Unlock()
	last := len(p.idle) - 1
	if last < 0 {
		return nil
	}
	youngest := p.idle[last]
	p.idle[last], p.idle = nil, p.idle[:last]
	return youngest
}

// give takes a connection whose answer was read whole, and closes those that are too many or too old.
func (p *pool) give(c *connection) {
	if !c.rest() {
		c.close()
		return
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	p.idle = append(p.idle, c)
	for len(p.idle) > p.most || len(p.idle) > 0 && time.Since(p.idle[0].idleSince) > idleTime {
		p.idle[0].close()
		p.idle = append(p.idle[:0], p.idle[1:]...)
	}
}

// close closes those that are idle.
func (p *pool) close() {
	p.lock.Lock()
	defer p.lock.Unlock()
	for _, each := range p.idle {
		each.close()
	}
	p.idle = nil
}
