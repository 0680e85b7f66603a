/**
 * Lets requests that start playback through to the application, with a valid token, and answers the others itself.
 *
 * Place it around what starts playback, and around nothing else: each request that it lets through uses a token up. Only shapes of
 * Express, Fastify and node:http are named here; none of them is needed.
 */
import type { Requestor, Resource, ValidToken, VerifyOptions } from "./index.js";

export interface Options<Request> {
  requestor: Requestor;
  /** What a request is about to play. What it throws is the application's own error: nothing plays. */
  resource: (request: Request) => Resource | Promise<Resource>;
  /** Where the player sends its token; `X-Media-Token` if it is left out. */
  header?: string | undefined;
}

/** A Client, or an object that asks one: nothing but a ValidToken that a Client made plays. */
export interface Verifying {
  verify(token: Uint8Array, question: VerifyOptions): Promise<ValidToken>;
}

/** As of node:http: names and values of headers in turn, as they came. */
export interface Message {
  method?: string | undefined;
  rawHeaders: readonly string[];
}

export interface Response {
  /** Whether it was answered meanwhile, by a time limit of the server's: then the middleware does nothing. */
  readonly headersSent?: boolean | undefined;
  readonly writableEnded?: boolean | undefined;
  writeHead(status: number, fields: Record<string, string>): unknown;
  end(body: Uint8Array): unknown;
}

export interface FastifyRequest {
  raw: Message;
}

export interface FastifyReply {
  code(status: number): FastifyReply;
  headers(fields: Record<string, string>): FastifyReply;
  send(body: Uint8Array): FastifyReply;
}

/**
 * The token of a request that was let through: the request that Express, Fastify or node:http gives to the application.
 *
 * Throws for any other, so that an application without the middleware before it plays nothing.
 */
export function validToken(request: object): ValidToken;

/**
 * For Express and Connect: `app.get("/play/:channel", express(client, { … }), play)`.
 *
 * What `resource` throws goes to `next`; what is no object becomes an Error, as `next()` would play.
 */
export function express<Request extends Message>(
  client: Verifying, options: Options<Request>,
): (request: Request, response: Response, next: (error?: unknown) => unknown) => Promise<unknown>;

/**
 * For a server of node:http: `createServer(http(client, { … }, play))`.
 *
 * If `resource` throws, the answer is 500, and the error is a warning of the process.
 */
export function http<Request extends Message, Reply extends Response>(
  client: Verifying, options: Options<Request>, application: (request: Request, response: Reply) => unknown,
): (request: Request, response: Reply) => Promise<unknown>;

/**
 * For Fastify: `app.get("/play/:channel", { preHandler: fastify(client, { … }) }, play)`.
 *
 * What `resource` throws goes to Fastify's error handler.
 */
export function fastify<Request extends FastifyRequest>(
  client: Verifying, options: Options<Request>,
): (request: Request, reply: FastifyReply) => Promise<unknown>;
