import type { Client, ValidToken } from "./index.js";

/** Says about a token what the token was made to say; any other is INVALID_TOKEN_FORMAT. */
export class FakeClient implements Pick<Client, "verify" | "verifyDecision" | "close"> {
  #private;
  /** A token that plays once, for the requestor and resource that are asked for. */
  valid(members?: Partial<Record<Exclude<keyof ValidToken, symbol>, unknown>>): string;
  refused(verdict: string, reason: string, action?: string): string;
  unavailable(code: string, action?: string): string;
  verify: Client["verify"];
  verifyDecision: Client["verifyDecision"];
  close(): void;
}
