/** Asks mediatokend whether an Adobe Pass short media token may play. */

/** In place of a requestor or resource: the one of the daemon's configuration. */
export const CONFIGURED: unique symbol;

/** A Media RSS document that the token's resource must be the same as, however it is spelled. */
export class Document {
  #private;
  constructor(text: string);
  get text(): string;
}

/** A channel: the token's resource must be this id, or a document whose channel has this title. */
export class Channel {
  #private;
  constructor(id: string);
  get id(): string;
}

export type Requestor = string | typeof CONFIGURED;
/** A text must equal the token's resource byte for byte. */
export type Resource = string | Document | Channel | typeof CONFIGURED;

/** What this package uses of an AbortSignal. */
export interface Signal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

export interface CallOptions {
  /** Ends the wait early, as NoAnswer. The token may be used up. */
  signal?: Signal | undefined;
}

/** For whom the token must be, and what is about to be played: never what the viewer or the token says. */
export interface VerifyOptions extends CallOptions {
  requestor: Requestor;
  resource: Resource;
  /** An id of yours, a new one for each playback that no one can guess; without it the client makes one. */
  requestID?: string | undefined;
}

export interface Settings {
  /** Milliseconds for a whole call; 5000 if it is left out. */
  timeout?: number | undefined;
  /** The daemon's setting `requestIDHeader`. Each question then has an id, which must come back. */
  requestIDHeader?: string | undefined;
  /**
   * The daemon's `replay.retryWindowMilliseconds`. A question whose answer was lost is asked once more with the same id within that
   * time. Only with `requestIDHeader`, at a UNIX socket.
   */
  retryWindow?: number | undefined;
  /** The most connections that are kept open between questions; 8 if it is left out. */
  idleConnections?: number | undefined;
  /**
   * The most questions that are on the way at once, each on a connection of its own; 64, or 32 over TCP, if it is left out. Others wait
   * for their turn until their deadline.
   */
  connections?: number | undefined;
}

/** Asks one daemon. Make one for the program: any number of calls may use it at once. */
export class Client {
  #private;
  /** `address`: path of the daemon's UNIX socket, or `http://127.0.0.1:PORT` or `http://[::1]:PORT`. */
  constructor(address: string, settings?: Settings);
  /**
   * Asks about a token as it was received, and uses it up. Await it: a promise is not a valid token.
   *
   * Rejects with Refused, Fault, NoAnswer or ForeignAnswer, each of them a NotValid.
   */
  verify(token: string | Uint8Array, question: VerifyOptions): Promise<ValidToken>;
  /** The same with a whole answer of `decisions/authorize` of Adobe's REST API v2, as it came. */
  verifyDecision(decision: string | Uint8Array, question: VerifyOptions): Promise<ValidToken>;
  /** Resolves if the daemon would play the next good token. Rejects with NotReady, Fault, NoAnswer or ForeignAnswer. */
  checkReady(options?: CallOptions): Promise<void>;
  /** Closes the connections that are idle. The client can be used again. */
  close(): void;
}

/** `first`; `retry`, a request of yours again; `not-enforced`, where uses are not counted. */
export type Use = "first" | "retry" | "not-enforced";

/** A token that may play, now. It is used up. Only a Client makes one. */
export class ValidToken {
  #private;
  private constructor();
  /** SHA-256 of the token, 64 hexadecimal digits: its name in logs. */
  get identity(): string;
  /** What was signed. */
  get requestorID(): string;
  get resourceID(): string;
  get mvpdId(): string;
  get proxyMvpdId(): string | undefined;
  /** Names the viewer's account. Keep it out of your logs. */
  get sessionGUID(): string;
  get issueTime(): Date;
  get expiresAt(): Date;
  /** The life that is granted. */
  get ttlMilliseconds(): number;
  /** The key that signed it. */
  get keyFingerprint(): string;
  /** Names of signed fields that the daemon does not know. */
  get unknownFields(): readonly string[];
  get use(): Use;
  /** A pseudonym of the account that may be logged, if the daemon gives one. */
  get viewerTag(): string | undefined;
  /** A credential with which the player gets its segments, if the tenant has that. Keep it out of your logs. */
  get handover(): string | undefined;
  /** Yours, or the daemon's; its log has it too. */
  get requestID(): string;
  toJSON(): { identity: string; use: Use; requestID: string };
}

/** What the player does next: the first three, or a newer one of the daemon's. */
export type Action = "new-token" | "retry" | "report" | (string & {});
type Members<Problem, Names extends keyof Problem> = { [Name in Names]?: Problem[Name] | undefined };

/** There is no valid token: do not play. */
export abstract class NotValid extends Error {
  #private;
  get action(): Action;
  toJSON(): object;
}

/** The daemon says no. */
export class Refused extends NotValid {
  constructor(message: string, members?: Members<
    Refused, "verdict" | "reason" | "detail" | "action" | "adobeCode" | "identity" | "decisionError" | "requestID">);
  /** null of a decision that has no token; its reason is `no-token-in-decision`. */
  get verdict(): string | null;
  get reason(): string;
  /** For people, not for logs: it may repeat what the token says. */
  get detail(): string;
  get adobeCode(): string;
  get identity(): string | undefined;
  get decisionError(): string | undefined;
  get requestID(): string | undefined;
}

/** The daemon has no verdict: something is wrong on its side, or with the question. */
export class Fault extends NotValid {
  constructor(message: string, members?: Members<Fault, "code" | "status" | "detail" | "action" | "retryAfter" | "requestID">);
  /** `REPLAY_MEMORY_FULL`, `bad-parameter`, …; an Error's `name` is that of its class. */
  get code(): string;
  get status(): number;
  get detail(): string;
  /** In seconds. */
  get retryAfter(): number | undefined;
  get requestID(): string | undefined;
}

/** No one listens, or no whole answer came in time. The token may be used up. */
export class NoAnswer extends NotValid {
  constructor(message: string);
}

/** What came is not an answer of mediatokend to this question. The token may be used up. */
export class ForeignAnswer extends NotValid {
  constructor(message: string);
}

/** The daemon would not play the next good token. `reason` is for programs, `detail` and `cure` for people, `retryAfter` in seconds. */
export class NotReady extends Error {
  #private;
  constructor(message: string, members?: Members<NotReady, "reason" | "detail" | "cure" | "retryAfter">);
  get reason(): string;
  get detail(): string;
  get cure(): string;
  get retryAfter(): number | undefined;
  toJSON(): object;
}
