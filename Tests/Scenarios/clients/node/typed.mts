/** A program as its types have it, compiled and run: typed.mjs SOCKET TOKEN TOKEN. Prints the members of a valid token. */
import { CONFIGURED, Channel, Client, Document, Fault, NotValid, Refused, ValidToken } from "mediatoken";
import type { Settings } from "mediatoken";
import { express, fastify, http, validToken } from "mediatoken/middleware";
import { FakeDaemon } from "mediatoken/testing";

await FakeDaemon.start({ requestIDHeader: FakeDaemon.fault("X") }).then((fake: FakeDaemon): Promise<void> => fake.close());
declare const process: { argv: string[] };
declare const console: { log(...values: unknown[]): void };
declare class AbortController {
  readonly signal: { readonly aborted: boolean; addEventListener(type: "abort", listener: () => void): void;
    removeEventListener(type: "abort", listener: () => void): void };
}

const [address = "", first = "", second = ""] = process.argv.slice(2);
const settings: Settings = { timeout: 300_000, idleConnections: 2 };
const daemon = new Client(address, settings);
const { signal } = new AbortController();
const token: ValidToken = await daemon.verify(first, { requestor: "REF30", resource: new Channel("TNT"), signal });
const texts: string[] = [token.identity, token.requestorID, token.resourceID, token.mvpdId, token.sessionGUID, token.keyFingerprint,
  token.use, token.requestID, ...token.unknownFields];
const optional: (string | undefined)[] = [token.proxyMvpdId, token.viewerTag, token.handover];
const times: number[] = [token.issueTime.getTime(), token.expiresAt.getTime(), token.ttlMilliseconds];
const document = new Document("<rss version='2.0'><channel><title>TNT</title></channel></rss>");
const configured: ValidToken = await daemon.verify(second, { requestor: CONFIGURED, resource: "TNT" });
let refused = "";
try {
  await daemon.verify(new Uint8Array(3), { requestor: "REF30", resource: document });
} catch (problem: unknown) {
  if (problem instanceof Refused) refused = `${problem.verdict ?? ""} ${problem.reason} ${problem.adobeCode} ${problem.action}`;
  else if (problem instanceof Fault) refused = `${problem.code} ${problem.status.toFixed()}`;
  else if (problem instanceof NotValid) refused = problem.action;
}
const options = { requestor: "REF30", resource: (): string => "TNT" };
const kinds = [express(daemon, options), http(daemon, options, (request) => validToken(request)), fastify(daemon, options)];
await daemon.checkReady();
daemon.close();
const { use } = configured;
console.log(JSON.stringify({ texts, optional, times, use, refused, kinds: kinds.map((each) => typeof each) }));
