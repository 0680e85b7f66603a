/** For the tests of an application: a daemon that says about each token what the token was made to say. A real one refuses them all. */
export class FakeDaemon {
  private constructor();
  /** Listens on the loopback interface until it is closed. `requestIDHeader` is the client's. */
  static start(settings?: { requestIDHeader?: string }): Promise<FakeDaemon>;
  /** For `new Client(fake.address)`. */
  readonly address: string;
  /** A token that plays once, for the requestor and resource that are asked for. Members are those of the daemon's answer. */
  static valid(members?: Record<string, unknown>): string;
  /** A token that is refused. */
  static refused(verdict: string, reason: string, action?: string): string;
  /** A token about which there is no verdict. */
  static fault(name: string, action?: string): string;
  close(): Promise<void>;
}
