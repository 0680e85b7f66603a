"use strict";
// Asks POST /v1/explain and shows what the daemon says. All text of an answer may come from a token: it gets into the page as text nodes, never
// as markup, and what cannot be seen in it is written out.

const form = document.getElementById("question");
const [given, requestor, resource, kind, statusLine, answerPart] = ["token", "requestor", "resource", "kind", "status", "answer"].map(
  (id) => document.getElementById(id));
const foreign = "The answer is not one of the daemon's. Check the proxy between this page and the daemon.";

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
  // What is compared: a verdict comes with the status 200 and with no other, and in place of a fault and of what is open.
  if (answer?.verdict !== undefined && (response.status !== 200 || (answer.fault ?? answer.notChecked) !== undefined)) return { problem: foreign };
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

// MARK: showing

function show(answer) {
  // What was not named is compared with nothing: a token for another video is not refused for that here. Nor is one for a requestor that is not
  // served here: the question may be wrong.
  const isOpen = answer.verdict === undefined || answer.reason === "unserved-requestor";
  const kind = isOpen ? "not-checked" : answer.verdict === "VALID_TOKEN" ? "passed" : "failed";
  const lines = list(answer.report.map(({ name, value: text }) => [written(name), text === answer.now ? time(text) : value(text, written(name))]));
  const heading = element("h2", { id: "verdict", tabindex: "-1", class: kind }, written(answer.headline));
  answerPart.replaceChildren(
    heading, element("p", {}, written(answer.meaning)),
    ...(answer.notChecked || answer.reason === "unserved-requestor" ? [] : [element("h3", {}, "Tell the viewer"), element("blockquote", {}, answer.viewer)]),
    element("h3", {}, "What comes next"), ...sentences(answer.next),
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

function sentences(texts) { return texts.map((text) => element("p", {}, written(text))); }

// What does not apply is left out.
function section(title, parts) { return parts.length === 0 ? [] : [element("h3", {}, title), ...parts]; }

// A decision that denies playback: what Adobe's code says is unsigned, and no step was taken.
function showNoToken(answer) {
  const heading = element("h2", { id: "verdict", tabindex: "-1", class: "failed" },
    `Refused before there was a token${answer.decisionError === undefined ? "" : `: ${written(answer.decisionError)} (unsigned)`}`);
  answerPart.replaceChildren(
    heading, element("p", {}, "The decision has no token for this resource: Adobe Pass or the TV provider denied playback, or reported an error."),
    element("h3", {}, "Tell the viewer"), element("blockquote", {}, answer.viewer),
    element("h3", {}, "What comes next"), ...sentences(answer.next));
  answerPart.hidden = false;
  heading.focus();
}

function life(answer) {
  if (!answer.life) return [];
  const [issued, ends, from, until, now] = [
    answer.life.issued, answer.life.ends, answer.life.acceptedFrom, answer.life.acceptedUntil, answer.now].map(instant);
  return [
    element("p", {}, answer.life.summary), bar({ issued, ends, from, until, now }, answer.steps.every((each) => each.outcome !== "failed")),
    list([["Issued", time(answer.life.issued)], ["Now", time(answer.now)], ["Ends", time(answer.life.ends)]])];
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

function use({ useSummary, use: { firstUsed } }) {
  return useSummary === undefined ? [] : [element("p", {}, useSummary, ...(firstUsed ? [" First at ", time(firstUsed), "."] : []))];
}

function decision(said) {
  if (said.outcome === "not-checked") return [element("p", {}, "Not compared: no trusted key signed fields that can be read.")];
  if (said.outcome === "agrees") return [element("p", {}, "It agrees with the token.")];
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
    list(each.notes.map(({ name, value: text }) => [written(name), value(text, `${each.step}, ${name}`)]))));
}

// A token that was found inside of what was sent. It has no verdict.
function inside(found) {
  return [
    element("h3", {}, "The token inside"),
    element("p", {}, "It is explained by itself. What was sent is refused all the same: the app has to send this token alone."),
    ...life(found), ...bindings(found), ...use(found), element("ol", {}, ...found.steps.map(step))];
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
