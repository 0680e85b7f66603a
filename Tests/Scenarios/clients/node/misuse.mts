/** Each line that ends with a comment is an error for tsc, and the comment is what it says. */
import { Client, NotValid, ValidToken } from "mediatoken";
import { http, validToken } from "mediatoken/middleware";

const daemon = new Client("mediatokend.sock");
const question = { requestor: "REF30", resource: "TNT" };
const play = (): void => undefined;
await daemon.verify("token"); // Expected 2 arguments
await daemon.verify("token", { requestor: "REF30" }); // Property 'resource' is missing
await daemon.verify("token", { requestor: "REF30", resource: null }); // Type 'null' is not assignable
await daemon.verify(null, question); // not assignable to parameter of type 'string | Uint8Array'
await daemon.verify("token", { ...question, ressource: "TNT" }); // 'ressource' does not exist
await daemon.verify("token", { ...question, requestor: Symbol("mine") }); // not assignable
if (daemon.verify("token", question)) play(); // always return true
new ValidToken(); // is private
new NotValid("mine"); // abstract class
class Mine extends ValidToken {} // Cannot extend a class
const made: ValidToken = { identity: "", use: "first" } as const; // missing the following properties
const token = await daemon.verify("token", question);
const copied: ValidToken = { ...token }; // missing
token.use = "first"; // read-only
token.mayPlay; // does not exist
token.unknownFields.push("x"); // does not exist
daemon.verify("token", question).identity; // does not exist on type 'Promise<ValidToken>'
http(daemon, { requestor: "REF30" }, play); // Property 'resource' is missing
http(daemon, { requestor: "REF30", resource: (): undefined => undefined }, play); // not assignable
validToken("request"); // not assignable
export { Mine, copied, made };
