import Glibc

/// Lets others run for a moment, 20 us at least.
///
/// It sleeps and does not yield: a thread that yields gives a whole turn to every program that keeps a processor busy
/// (sched_yield(2)), and a race among sixteen threads takes minutes in place of seconds then.
public func waitAMoment() { usleep(20) }
