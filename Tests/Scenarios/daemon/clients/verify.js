// Part of clients.sh: Node's http over a UNIX socket. Prints status and verdict.
const fs = require("node:fs");
const http = require("node:http");

const body = JSON.stringify({
  token: fs.readFileSync(process.argv[3], "utf8"), requestor: "REF30", resource: "TNT",
});
const request = http.request(
  {
    socketPath: process.argv[2], path: "/v1/verify", method: "POST", timeout: 60000,
    headers: { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) },
  },
  (response) => {
    let text = "";
    response.setEncoding("utf8");
    response.on("data", (piece) => { text += piece; });
    response.on("end", () => console.log(response.statusCode, JSON.parse(text).verdict));
  });
request.on("timeout", () => request.destroy(new Error("no answer in time")));
request.end(body);
