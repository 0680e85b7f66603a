/** Each line that ends with a comment is an error for tsc, and the comment is what it says. All else is right. */
import { CONFIGURED, Channel, Client, NotValid, Refused, Unavailable, ValidToken } from "mediatoken";
import { express, validToken } from "mediatoken/middleware";
import { FakeClient } from "mediatoken/testing";

const daemon = new Client("mediatokend.sock", { timeout: 300_000, connections: 2 });
const question = { requestor: "REF30", resource: "TNT" };
const token: ValidToken = await daemon.verify(new Uint8Array(3), { requestor: CONFIGURED, resource: new Channel("TNT"), requestID: "mine" });
const texts: string[] = [token.identity, token.handover ?? "", ...token.unknownFields, token.expiresAt.toISOString()];
const why = (problem: unknown): string | undefined => (problem instanceof Refused ? problem.verdict ?? problem.reason
  : problem instanceof Unavailable ? problem.code : problem instanceof NotValid ? problem.action : undefined);
express(new FakeClient(), { requestor: "REF30", resource: (): string => "TNT" });
await daemon.verify("token", { requestor: "REF30" }); // Property 'resource' is missing
await daemon.verify("token", { requestor: "REF30", resource: null }); // Type 'null' is not assignable
await daemon.verify(null, question); // not assignable to parameter of type 'string | Uint8Array'
await daemon.verify("token", { ...question, ressource: "TNT" }); // 'ressource' does not exist
if (daemon.verify("token", question)) texts.pop(); // always return true
new ValidToken(); // is private
class Mine extends ValidToken {} // Cannot extend a class
const copied: ValidToken = { ...token }; // missing
token.use = "first"; // read-only
daemon.verify("token", question).identity; // does not exist on type 'Promise<ValidToken>'
validToken("request"); // not assignable
export { Mine, copied, why };
