"use strict";
// Whether an answer of POST /v1/explain is whole, and agrees with itself: nothing else is shown as an explanation.

const steps = ["armor", "envelope", "signature", "fields", "lifetime", "binding", "one use"];
const next = {
  "none": "Nothing: the video may start.",
  "new-token": "The app gets a new token, and tries once more with that.",
  "retry": "The app waits a moment, and tries the same token again.",
  "report": "Trying again does not help. Give the details below to those who run the service.",
};

function isText(value) { return typeof value === "string"; }

// Milliseconds since 1970, or NaN. The daemon writes a year after 9999 with five digits; here it has a sign and six.
function instant(text) { return Date.parse(text.replace(/^\d{5,6}(?=-)/, (year) => `+${year.padStart(6, "0")}`)); }

const isOneOf = (...values) => (value) => values.includes(value);
const isOutcome = isOneOf("passed", "failed", "not-checked", "no-answer");
const isNever = (value) => value === undefined;
const isAction = (value) => Object.hasOwn(next, value);

function isTime(value) { return isText(value) && !Number.isNaN(instant(value)); }

function has(object, rules) {
  return typeof object === "object" && object !== null && Object.entries(rules).every(([name, rule]) => rule(object[name]));
}

function isArrayOf(rules) { return (value) => Array.isArray(value) && value.every((each) => has(each, rules)); }

// Only a whole explanation that does not contradict itself is shown: half of one could look like a better verdict.
function isExplanation(answer, isFault) {
  const isShaped = has(answer, {
    notice: isText, now: isTime, steps: isArrayOf({ step: isText, outcome: isOutcome, notes: isArrayOf({ name: isText, value: isText }) }),
    binding: isArrayOf({ name: isOneOf("requestor", "resource"), outcome: isOutcome, expected: isText, found: isText }),
    use: (value) => has(value, { state: isOneOf("unused", "used", "unknown", "not-enforced") }),
  });
  const isPartShaped = (name, rules) => answer[name] === undefined || has(answer[name], rules);
  if (!isShaped || answer.steps.length !== steps.length || answer.steps.some((each, index) => each.step !== steps[index])
    || !isPartShaped("life", { issued: isTime, ends: isTime, acceptedFrom: isTime, acceptedUntil: isTime, skewMilliseconds: Number.isInteger })
    || !isPartShaped("decision", {
      outcome: isOneOf("agrees", "differs", "not-checked"), differences: isArrayOf({ member: isText, signed: isText, unsigned: isText }),
    })) return false;
  const isConcluded = has(answer, { number: Number.isInteger, action: isAction, adobeCode: isText, viewer: isText });
  if (isFault) return isConcluded && isUndecided(answer);
  if (answer.notChecked !== undefined) return isOpen(answer);
  return isConcluded && answer.fault === undefined && (answer.verdict === "VALID_TOKEN" ? isValid(answer) : isRefused(answer));
}

function isNoToken(answer) {
  return has(answer, { error: (value) => value === "no-token-in-decision", action: (value) => value === "new-token", viewer: isText, verdict: isNever })
    && (answer.decisionError === undefined || isText(answer.decisionError));
}

// What of the two names was compared with nothing.
function openNames(answer) { return answer.binding.filter((each) => each.outcome === "not-checked").map((each) => each.name); }

// Whether the steps before this one let a token on: step 6 may be left out where a name is open.
function passedBefore(answer, end) {
  return end >= 0 && answer.steps.slice(0, end).every(
    ({ outcome }, index) => outcome === (index === 5 && openNames(answer).length > 0 ? "not-checked" : "passed"));
}

function isPlayable(answer) {
  const { outcome } = answer.steps[6];
  return passedBefore(answer, 6) && answer.life !== undefined && answer.reason === undefined
    && answer.binding.map((each) => each.name).join() === "requestor,resource"
    && answer.binding.every((each) => each.outcome === "not-checked" || each.outcome === "passed")
    && (answer.binding[0].outcome === "not-checked" || answer.binding[0].expected === answer.binding[0].found)
    && (outcome === "passed" && answer.use.state === "unused" || outcome === "not-checked" && answer.use.state === "not-enforced");
}

function isValid(answer) {
  return isPlayable(answer) && openNames(answer).length === 0 && answer.number === 0 && answer.action === "none";
}

// No rule is broken, but not all was compared: then there is no verdict, and nothing that reads like one.
function isOpen(answer) {
  return isPlayable(answer) && openNames(answer).length > 0 && Array.isArray(answer.notChecked)
    && answer.notChecked.join() === openNames(answer).join()
    && has(answer, { verdict: isNever, fault: isNever, number: isNever, action: isNever, adobeCode: isNever, viewer: isNever });
}

function isRefused(answer) {
  const failed = answer.steps.findIndex((each) => each.outcome === "failed");
  return isText(answer.verdict) && passedBefore(answer, failed) && answer.number > 0 && answer.number < 64 && answer.action !== "none"
    && isText(answer.detail) && isText(answer.reason) && note(answer.steps[failed], "reason") === answer.reason;
}

function isUndecided(answer) {
  return isText(answer.fault) && passedBefore(answer, answer.steps.findIndex((each) => each.outcome === "no-answer"))
    && answer.steps.every((each) => each.outcome !== "failed") && answer.number >= 64 && answer.action === "retry"
    && has(answer, { verdict: isNever, reason: isNever, notChecked: isNever });
}

function note(step, name) { return step.notes.find((each) => each.name === name)?.value; }
