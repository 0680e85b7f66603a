package mediatoken;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Connections that wait for the next question. The youngest is used first, so that the others grow old. */
final class Pool {
  private final int most;
  private final Deque<Connection> idle = new ArrayDeque<>();

  Pool(int most) {
    this.most = most;
  }

  /** An idle connection that can be used, or a new one. */
  Connection take(Address address, Deadline deadline) throws NoAnswer {
    for (Connection youngest = last(); youngest != null; youngest = last()) {
      if (youngest.isUsable()) return youngest;
      youngest.close();
    }
    return Connection.to(address, deadline);
  }

  /** Takes a connection whose answer was read whole, and closes those that are too many or too old. */
  void give(Connection connection) {
    connection.rest();
    List<Connection> oldest = new ArrayList<>(1);
    synchronized (idle) {
      idle.addLast(connection);
      while (idle.size() > most || !idle.isEmpty() && idle.peekFirst().isOld()) oldest.add(idle.removeFirst());
    }
    oldest.forEach(Connection::close);
  }

  /** Closes those that are idle. */
  void close() {
    for (Connection connection = last(); connection != null; connection = last()) connection.close();
  }

  private Connection last() {
    synchronized (idle) {
      return idle.pollLast();
    }
  }
}
