import Glibc

/// Lets others run for a moment, 20 us at least.
///
/// It sleeps and does not yield: who yields falls behind every program that keeps a processor busy, for a whole turn each time
/// (sched_yield(2)), and a race among sixteen threads takes minutes for seconds then.
public func waitAMoment() { usleep(20) }
