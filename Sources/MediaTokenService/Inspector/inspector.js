"use strict";
// Asks POST /v1/explain and shows what the daemon says. All text of an answer may come from a token: it gets into the page as text nodes, never
// as markup, and what cannot be seen in it is written out.

const form = document.getElementById("question");
const [given, requestor, resource, kind, statusLine, answerPart] = ["token", "requestor", "resource", "kind", "status", "answer"].map(
  (id) => document.getElementById(id));
const foreign = "The answer is not one of the daemon's. Look at what is between this page and the daemon.";
const next = {
  "none": "Nothing: the video may start.",
  "new-token": "The app gets a new token, and tries once more with that.",
  "retry": "The app waits a moment, and tries the same token again.",
  "report": "Trying again does not help. Give the details below to those who run the service.",
};

// The question that is under way: a later one, or a change of what is asked, ends it.
let asking = null;

function forget() {
  asking?.abort();
  asking = null;
  statusLine.textContent = "";
  answerPart.hidden = true;
  answerPart.replaceChildren();
}

// An answer is not shown under a question that it does not answer.
form.addEventListener("input", forget);
form.addEventListener("reset", () => { forget(); given.focus(); });
// A document may have lines, which an input would lose; Enter asks there all the same.
resource.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault(), form.requestSubmit();
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  forget();
  const question = asking = new AbortController();
  statusLine.textContent = "Asking the daemon …";
  const limit = setTimeout(() => question.abort(), 30_000);  // Longer than the daemon takes for anything.
  const outcome = await ask(question.signal);
  clearTimeout(limit);
  if (asking !== question) return;
  try {
    if (outcome.explanation) show(outcome.explanation);
    if (outcome.noToken) showNoToken(outcome.noToken);
    statusLine.textContent = outcome.problem ?? "";
  } catch { statusLine.textContent = foreign; }
});

async function ask(signal) {
  const { body, problem } = questionBody(given.value);
  if (problem) return { problem };
  let response, answer;
  try {
    response = await fetch("/v1/explain", {
      method: "POST", headers: { "Content-Type": "application/json" }, body, signal,
      cache: "no-store", credentials: "omit", redirect: "error",
    });
    answer = await response.json();
  } catch {
    return { problem: response ? foreign : "The daemon does not answer. Ask those who run it whether it is running." };
  }
  // The one thing that is compared: a verdict comes with the status 200, and with no other.
  if (answer?.verdict !== undefined && response.status !== 200) return { problem: foreign };
  if (answer && response.status === 200 || answer?.steps !== undefined) return { explanation: answer };
  if (answer?.error === "no-token-in-decision") return { noToken: answer };
  if (isText(answer?.error)) return { problem: `There is no explanation: ${written(isText(answer.detail) ? answer.detail : answer.error)}.` };
  if (isText(answer?.fault)) {
    return { problem: `The daemon cannot tell (${written(answer.fault)}). This says nothing about the token. Try again in a moment; if it goes on, tell those who run the daemon.` };
  }
  return { problem: foreign };
}

// The names go in the body as well: no address is long enough for a document. A decision is sent as it was pasted, so that the daemon sees a
// member that is there twice.
function questionBody(text) {
  const names = { ...(requestor.value && { requestor: requestor.value }), ...(resource.value && { [kind.value]: resource.value }) };
  if (!text.trimStart().startsWith("{")) return { body: JSON.stringify({ token: text, ...names }) };
  let document;
  try { document = JSON.parse(text); } catch {
    return { problem: "This begins with { as a decision document does, but it is not one JSON object. Copy the whole answer of decisions/authorize." };
  }
  if (isText(document.serializedToken) && document.decisions === undefined) {
    return { problem: "This is an answer of REST API v1 and not a decision document: paste the value of its serializedToken alone." };
  }
  const more = JSON.stringify(names).slice(1, -1);
  return { body: `{"decision":${text}${more && `,${more}`}}` };
}

// MARK: writing

function isText(value) { return typeof value === "string"; }
// Milliseconds since 1970. The daemon writes a year after 9999 with five digits; here it has a sign and six.
function instant(text) { return Date.parse(text.replace(/^\d{5,6}(?=-)/, (year) => `+${year.padStart(6, "0")}`)); }
function note(step, name) { return step.notes.find((each) => each.name === name)?.value; }

// Text in which nothing hides: control characters, what is drawn as nothing, unusual spaces, and spaces at its ends.
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}|^ | $/gu;

function codePoint(character) { return `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`; }
function written(text) { return text.replace(unseen, codePoint); }

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
function element(name, attributes, ...children) { return filled(document.createElement(name), attributes, children); }
function drawing(name, attributes, ...children) { return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children); }

// What a token or a configuration says.
function value(text, label) {
  const made = element("code", { dir: "ltr" });
  let end = 0;
  for (const found of text.matchAll(unseen)) {
    made.append(text.slice(end, found.index), element("span", { class: "escape" }, codePoint(found[0])));
    end = found.index + found[0].length;
  }
  made.append(text === "" ? element("span", { class: "escape" }, "empty") : text.slice(end));
  if (text.length <= 600) return made;
  // It scrolls, so keys must get there.
  return element("div", { class: "long", tabindex: "0", role: "group", "aria-label": label }, made);
}

function outcome(word) { return element("span", { class: `outcome ${word}` }, word.replace("-", " ")); }
function list(pairs) { return element("dl", {}, ...pairs.flatMap(([term, description]) => [element("dt", {}, term), element("dd", {}, description)])); }
// In UTC, as the log has it, and as the clock on the wall has it.
function time(text) {
  const local = new Date(instant(text));
  const here = local.getTimezoneOffset() === 0 ? "" : ` (here ${local.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" })})`;
  return element("time", { datetime: text }, text.replace("T", " ").replace("Z", " UTC") + here);
}

// The two largest units next to each other, rounded down: 1 day 3 hours, 4 minutes, 9 seconds 20 ms.
function duration(milliseconds) {
  const units = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000], ["second", 1000], ["ms", 1]];
  const index = units.findIndex(([, size]) => milliseconds >= size);
  if (index < 0) return "0 ms";
  const words = [];
  for (const [name, size] of units.slice(index, index + 2)) {
    const count = Math.floor(milliseconds / size);
    milliseconds -= count * size;
    if (count > 0) words.push(`${count} ${name}${count === 1 || name === "ms" ? "" : "s"}`);
  }
  return words.join(" ");
}

// MARK: showing

function show(answer) {
  const failed = answer.steps.find((each) => each.outcome === "failed");
  // What was not named is compared with nothing: a token for another video is not refused for that here.
  const open = answer.notChecked ?? [];
  const isUnserved = answer.reason === "unserved-requestor";
  const lines = report(answer);
  const [kind, title, lead] = answer.fault !== undefined
    ? ["not-checked", "No verdict", `The daemon cannot tell (${written(answer.fault)}). This says nothing about the token. If it goes on, tell those who run the daemon.`]
    : open.length > 0
      ? ["not-checked", `Not refused, but not checked: ${open.join(" and ")}`,
        `Compare the ${open.join(" and the ")} below with what the app wants to play, or fill that in above: a token for anything else is refused.`]
      : isUnserved ? ["not-checked", requestor.value === "" ? "The token's requestor is not served here" : "The requestor in the form is not served here",
        "The token may be good: it was compared with nothing. Write the requestor as the daemon's configuration does, where upper case matters."]
      : answer.verdict !== "VALID_TOKEN" ? ["failed", `Refused: ${sentence(answer.detail, false)}`, /^other-/.test(answer.reason)
          ? "The token is for something that the form does not name. Look which of the two is wrong: both are below." : "What is wrong is in the token, or in how it was sent."]
        : ["passed", "This token would be accepted", "Every check passes at this moment. This is no promise: the token may be used a moment later."];
  const heading = element("h2", { id: "verdict", tabindex: "-1", class: kind }, title);
  answerPart.replaceChildren(
    heading, element("p", {}, lead),
    element("h3", {}, "Tell the viewer"), open.length > 0 ? element("p", {}, "First compare the names below.")
      : isUnserved ? element("p", {}, "First correct the form.") : element("blockquote", {}, answer.viewer),
    element("h3", {}, "What comes next"), ...comesNext(answer, failed, open.length > 0),
    ...(failed && note(failed, "next") ? [element("p", {}, `For those who run the service: ${sentence(note(failed, "next"), false)}`)] : []),
    ...section("Life", life(answer)), ...section("Made for", bindings(answer)), ...section("Use", use(answer)),
    ...(answer.decision ? [element("h3", {}, "Decision around the token"), ...decision(answer.decision)] : []),
    element("h3", {}, "The seven steps"), element("ol", {}, ...answer.steps.map(step)),
    ...(answer.inside ? inside({ ...answer.inside, now: answer.now }) : []),
    element("h3", {}, "For a report"), lines, copyButton(lines));
  answerPart.hidden = false;
  // The text box shows its start again: a token's fields are after it.
  given.scrollTop = 0;
  heading.focus();
}

// What does not apply is left out.
function section(title, parts) { return parts.length === 0 ? [] : [element("h3", {}, title), ...parts]; }

// A decision that denies playback: what Adobe's code says is unsigned, and no step was taken.
function showNoToken(answer) {
  const heading = element("h2", { id: "verdict", tabindex: "-1", class: "failed" },
    `Refused before there was a token${answer.decisionError === undefined ? "" : `: ${written(answer.decisionError)} (unsigned)`}`);
  answerPart.replaceChildren(
    heading, element("p", {}, "The decision has no token for this resource: Adobe Pass or the TV provider denied playback, or reported an error."),
    element("h3", {}, "Tell the viewer"), element("blockquote", {}, answer.viewer),
    element("h3", {}, "What comes next"), element("p", {}, next[answer.action]));
  answerPart.hidden = false;
  heading.focus();
}

function comesNext(answer, failed, isOpen) {
  const wait = answer.life ? instant(answer.life.acceptedFrom) - instant(answer.now) : 0;
  const said = [isOpen ? "Nothing, if they agree: the video may start. If not, the app gets a token for what it wants to play."
    : wait > 60_000 ? `The app waits a moment, which is not enough: the token is accepted in ${duration(wait)} at the earliest. Give the details below to those who run the service.`
    : next[answer.action]];
  if (["armor", "envelope", "signature"].includes(failed?.step)) {
    said.unshift("First look whether this is all that the app sent and nothing else: copying can cut it off, break its lines or add a quotation mark.");
  }
  if (failed?.step === "lifetime" && answer.steps[5].outcome === "failed") said.push("A new token like this one would be refused as well: step 6 says why.");
  return said.map((text) => element("p", {}, text));
}

// A number of milliseconds that is longer than a second is written as a duration.
function spelled(text) { return text.replace(/\b\d{4,} ms\b/g, (found) => duration(parseInt(found, 10))); }
function sentence(text, isStart = true) {
  const said = spelled(written(text));
  return (isStart ? said.slice(0, 1).toUpperCase() + said.slice(1) : said) + (said.endsWith(".") ? "" : ".");
}

function life(answer) {
  if (!answer.life) return [];
  const [issued, ends, from, until, now] = [
    answer.life.issued, answer.life.ends, answer.life.acceptedFrom, answer.life.acceptedUntil, answer.now].map(instant);
  let said = now >= until ? `It ended ${duration(now - ends)} ago.`
    : now >= from ? `It goes on for ${duration(until - now)}.`
    : `It begins in ${duration(from - now)}.`;
  if (issued > now) said += ` The issue time is ${duration(issued - now)} ahead of the daemon's clock; the daemon allows ${duration(issued - from)}.`;
  if (until > ends) said += ` The daemon allows ${duration(until - ends)} after the end.`;
  return [
    element("p", {}, said), bar({ issued, ends, from, until, now }, answer.steps.every((each) => each.outcome !== "failed")),
    list([["Issued", time(answer.life.issued)], ["Now", time(answer.now)], ["Ends", time(answer.life.ends)],
      ["Skew", answer.life.skewMilliseconds > 0 ? `${duration(answer.life.skewMilliseconds)} ahead of the daemon's clock` : "none"]])];
}

// From the first to the last of these instants; what is allowed before the issue time only where that matters, because it can be far longer
// than the life. The sentence before it and the list after it say the same.
function bar({ issued, ends, from, until, now }, isAlive) {
  const start = now < issued ? from : issued;
  const [first, last] = [Math.min(start, now), Math.max(until, now)];
  const share = (instant) => last > first ? 3 + 94 * (instant - first) / (last - first) : 50;
  const band = (name, begin, end) => drawing("rect", {
    class: name, x: `${share(begin)}%`, width: `${Math.max(share(end) - share(begin), 0.3)}%`, y: 32, height: 20 });
  const label = (text, x, y, anchor) => drawing("text", { x: `${x}%`, y, "text-anchor": anchor }, text);
  const side = (x) => x < 15 ? "start" : x > 85 ? "end" : "middle";
  const [left, right, mark] = [share(issued), share(ends), share(now)];
  const names = right - left > 40
    ? [label("issued", left, 74, side(left)), label("ends", right, 74, side(right))]
    : [label("issued – ends", (left + right) / 2, 74, side((left + right) / 2))];
  const line = (name) => drawing("line", { class: name, x1: `${mark}%`, x2: `${mark}%`, y1: 24, y2: 60 });
  return drawing("svg", { "aria-hidden": "true" },
    drawing("rect", { class: "span", x: "0.5%", width: "99%", y: 32, height: 20, rx: 4 }),
    band("tolerated", start, until), band(isAlive ? "alive" : "over", issued, ends),
    line("gap"), line("now"), label("now", mark, 16, side(mark)), ...names);
}

function bindings(answer) {
  return answer.binding.map((each) => {
    const name = each.name === "requestor" ? "Requestor" : "Resource";
    const isOpen = each.outcome === "not-checked";
    return element("div", { class: "part" },
      element("p", {}, `${name}: `, outcome(each.outcome)),
      list([["Expected", isOpen ? each.expected : value(each.expected, `${name}, expected`)], ["In the token", value(each.found, `${name} in the token`)]]),
      ...(each.outcome === "failed" ? nearly(each.expected, each.found) : []));
  });
}

// People read over upper case, spaces and accents, and over letters of other scripts that look alike; bytes do not.
function nearly(expected, found) {
  const loose = (text) => text.normalize("NFKD").replace(/\p{M}|\s|\p{Cf}/gu, "").toLowerCase();
  const isNear = loose(expected) === loose(found);
  if (expected === found || !isNear && /^[\0-\x7f]*$/.test(expected + found)) return [];
  const [left, right] = [[...expected], [...found]];
  const index = left.findIndex((character, index) => character !== right[index]);
  const place = index < 0 ? left.length : index;
  const name = (character) => character === undefined ? "nothing" : /\p{L}|\p{N}|\p{P}|\p{S}/u.test(character) && written(character) === character ? `${character} (${codePoint(character)})` : codePoint(character);
  return [element("p", {}, `${isNear ? "They differ in upper case, spaces or accents" : "They differ, and not all of it is plain letters"}: character ${place + 1} is expected to be ${name(left[place])}, and is ${name(right[place])}.`)];
}

function use(answer) {
  const said = (...parts) => [element("p", {}, ...parts)];
  switch (answer.use.state) {
  case "unused": return said("Not used so far, as the daemon's replay memory has it.");
  case "used": return answer.use.firstUsed ? said("Used before: first at ", time(answer.use.firstUsed), ".") : said("Used before.");
  case "not-enforced": return said("One use is not enforced: this daemon has no replay memory.");
  // Only a token that passes the other steps is looked up.
  default: return ["failed", "no-answer"].includes(answer.steps[6].outcome) ? said("Not known: see step 7.") : [];
  }
}

function decision(said) {
  if (said.outcome === "not-checked") return [element("p", {}, "Not compared: no trusted key signed fields that can be read.")];
  if (said.outcome === "agrees") return [element("p", {}, "It says what the token says.")];
  return [
    element("p", {}, "It differs from the token. Only the token is signed, and only the token counts."),
    ...said.differences.map((each) => element("div", { class: "part" },
      element("p", {}, written(each.member)),
      list([["Signed", value(each.signed, "signed")], ["In the decision", value(each.unsigned, "in the decision")]])))];
}

function step(each, index) {
  const title = [element("span", { class: "name" }, `${index + 1}. ${each.step}`), ": ", outcome(each.outcome)];
  if (each.notes.length === 0) return element("li", { class: "part" }, element("p", {}, ...title));
  return element("li", { class: "part" }, element("details", ["failed", "no-answer"].includes(each.outcome) ? { open: "" } : {},
    element("summary", {}, ...title),
    list(each.notes.map(({ name, value: text }) => [written(name), value(spelled(text), `${each.step}, ${name}`)]))));
}

// A token that was found inside of what was sent. It has no verdict.
function inside(found) {
  return [
    element("h3", {}, "The token inside"),
    element("p", {}, "It is explained by itself. What was sent is refused all the same: the app has to send this token alone."),
    ...life(found), ...bindings(found), ...use(found), element("ol", {}, ...found.steps.map(step))];
}

function report(answer) {
  return list([
    ["Verdict", answer.verdict ? value(`${answer.verdict} (${answer.number})`) : "none"],
    ...(answer.fault ? [["Fault", value(`${answer.fault} (${answer.number})`)]] : []),
    ...(answer.reason ? [["Reason", value(answer.reason)]] : []),
    ...(answer.action ? [["Action", value(answer.action)], ["Adobe's code", value(answer.adobeCode)]] : []),
    ...(answer.identity ? [["Name in the log", value(answer.identity.slice(0, 16))], ["Whole name", value(answer.identity, "Whole name")]] : []),
    ["Daemon's clock", time(answer.now)]]);
}

// Puts the report on the clipboard, a line for each name. A page from another machine has no clipboard.
function copyButton(lines) {
  const button = element("button", { type: "button" }, "Copy the report");
  button.addEventListener("click", async () => {
    const text = [...lines.querySelectorAll("dt")].map((term) => `${term.textContent}: ${term.nextElementSibling.textContent}\n`).join("");
    const [done, failed] = ["Copied", "The browser does not let this page copy: select the lines above"];
    button.textContent = await (navigator.clipboard?.writeText(text).then(() => done, () => failed) ?? failed);
  });
  return element("p", { class: "buttons" }, button);
}
