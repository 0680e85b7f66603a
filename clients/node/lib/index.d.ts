/** In place of a requestor or resource: the one of the daemon's configuration. */
export const CONFIGURED: unique symbol;
/** A Media RSS document that the token's resource must be the same as, however it is spelled. */
export class Document { constructor(text: string); readonly text: string }
/** A channel: the token's resource must be this id, or a document whose channel has this title. */
export class Channel { constructor(id: string); readonly id: string }
export type Requestor = string | typeof CONFIGURED;
export type Resource = string | Document | Channel | typeof CONFIGURED;

/** For whom the token must be, and what is about to be played: never what the viewer or the token says. */
export interface VerifyOptions {
  requestor: Requestor;
  resource: Resource;
  /** An id of yours, a new one for each playback that cannot be guessed; without it the client makes one. */
  requestID?: string | undefined;
  /** An AbortSignal, which ends the wait early. The token may be used up. */
  signal?: { readonly aborted: boolean } | undefined;
}

export interface Settings {
  /** Milliseconds for a whole call; 5000 if it is left out. */
  timeout?: number | undefined;
  /** The daemon's setting `requestIDHeader`. Each question then has an id, which must come back. */
  requestIDHeader?: string | undefined;
  /** The most connections; 64 if it is left out. Further questions wait for their turn until their deadline. */
  connections?: number | undefined;
}

/** Asks one daemon by its UNIX socket. Make one for the program: any number of calls may use it at once. */
export class Client {
  #private;
  constructor(address: string, settings?: Settings);
  /** Asks about a token as it was received, and uses it up. Await it: a promise is not a valid token. Rejects with Refused or Unavailable. */
  verify(token: string | Uint8Array, question: VerifyOptions): Promise<ValidToken>;
  /** The same with a whole answer of `decisions/authorize` of Adobe's REST API v2, as it came. */
  verifyDecision(decision: string | Uint8Array, question: VerifyOptions): Promise<ValidToken>;
  /** Closes the connections. The client can be used again. */
  close(): void;
}

/**
 * A token that may play, now. It is used up. Only verify makes one; its text and its JSON have what may be logged: `identity` (its SHA-256),
 * `use`, `requestID` (yours, or the daemon's). Keep `sessionGUID`, which names the account, and `handover`, a credential for the segments,
 * out of your logs. `viewerTag` is a pseudonym of the account that may be there.
 */
export class ValidToken {
  #private;
  private constructor();
  readonly identity: string; readonly use: "first" | "retry" | "not-enforced"; readonly requestID: string;
  readonly requestorID: string; readonly resourceID: string; readonly mvpdId: string; readonly proxyMvpdId: string | undefined;
  readonly sessionGUID: string; readonly issueTime: Date; readonly expiresAt: Date; readonly ttlMilliseconds: number;
  readonly keyFingerprint: string; readonly unknownFields: readonly string[];
  readonly viewerTag: string | undefined; readonly handover: string | undefined;
}

/** Do not play. `action` is what the player does next; `detail` is for people, and not printed. */
export abstract class NotValid extends Error {
  readonly action: "new-token" | "retry" | "report" | (string & {}); readonly detail: string; readonly requestID: string | undefined;
}
/** The daemon says no. `verdict` is null of a decision that has no token; its reason is `no-token-in-decision`. */
export class Refused extends NotValid { readonly verdict: string | null; readonly reason: string; readonly adobeCode: string }
/** There is no verdict: no answer, a fault, or a wrong question. `code` names it, `retryAfter` is in seconds. The token may be used up. */
export class Unavailable extends NotValid { readonly code: string; readonly status?: number; readonly retryAfter?: number }
