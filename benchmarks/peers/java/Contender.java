import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

/** The benchmarks' protocol, for programs in Java: see suite/measure/contender.py. */
final class Contender {
  interface Work {
    void doOnce() throws Exception;
  }

  /** Warms up, says that it is ready, then works as often as each line of standard input says. */
  static void contend(Work work, int warmUp) throws Exception {
    for (int i = 0; i < warmUp; i++) work.doOnce();
    System.out.println("ready");
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = input.readLine(); line != null; line = input.readLine()) run(work, Long.parseLong(line));
  }

  private static void run(Work work, long count) throws Exception {
    long processor = processorNanoseconds();
    long wall = System.nanoTime();
    for (long i = 0; i < count; i++) work.doOnce();
    wall = System.nanoTime() - wall;
    System.out.println(wall + " " + (processorNanoseconds() - processor));
  }

  /** Of all threads, the collector's and the compilers' too; in steps of 10 ms, so it is not what is compared. */
  private static long processorNanoseconds() {
    var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime();
  }
}
