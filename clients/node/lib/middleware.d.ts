import type { Requestor, Resource, ValidToken, VerifyOptions } from "./index.js";

/** A request as of node:http, of which the middleware needs this. */
export interface Message { method?: string | undefined; rawHeaders: readonly string[] }
export interface Verifying { verify(token: Uint8Array, question: VerifyOptions): Promise<ValidToken> }
export interface Options<Request> {
  requestor: Requestor;
  /** What a request is about to play. What it throws goes to `next`: nothing plays. */
  resource: (request: Request) => Resource | Promise<Resource>;
  /** Where the player sends its token; `X-Media-Token` if it is left out. */
  header?: string | undefined;
}
/** The token of a request that was let through. Throws for any other, so that nothing plays without the middleware. */
export function validToken(request: object): ValidToken;
/**
 * For Express and Connect, around what starts playback: `app.get("/play/:channel", express(daemon, { … }), play)`. Each request that it
 * lets through uses a token up. For a server of node:http, call it with a function as `next`.
 */
export function express<Request extends Message>(client: Verifying, options: Options<Request>):
  (request: Request, response: { writeHead(status: number, fields: object): unknown; end(body: string): unknown },
    next: (error?: unknown) => unknown) => Promise<void>;
