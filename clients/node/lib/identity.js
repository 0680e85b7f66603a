/**
 * A token's name, by which the answer to another question is noticed: SHA-256 of the bytes that are signed.
 *
 * Nothing is verified here, and spellings that the daemon refuses are read too: it gives those tokens no name.
 */
import { createHash } from 'node:crypto';

import { oneObject } from './json.js';
import { bytesOf } from './text.js';

/** As many as the daemon reads of a decision. */
const DECISION_LEVELS = 32;
const SPACE = ' \t\r\n';
/** Opening marker, signature, second marker, signed bytes: in a text with a character for each byte. */
const TOKEN = /^<signatureInfo>[^<]+<\/?signatureInfo>([^]+)$/;

/** The name; undefined of what is no token. */
export function ofToken(received) {
  const parts = TOKEN.exec(withoutArmor(received.toString('latin1')));
  return parts === null ? undefined : createHash('sha256').update(parts[1], 'latin1').digest('hex');
}

/**
 * The names of all tokens in an answer of `decisions/authorize`.
 *
 * Throws NotJSON if it is not one JSON object, and nothing else, that can be read in one way only.
 */
export function ofDecision(received) {
  const found = new Set();
  const decisions = oneObject(received, DECISION_LEVELS).get('decisions');
  for (const decision of Array.isArray(decisions) ? decisions : []) {
    const text = own(own(decision, 'token'), 'serializedToken');
    if (typeof text === 'string') found.add(ofToken(bytesOf(text)));
  }
  return found;
}

const own = (value, name) => (typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? value[name] : undefined);

function withoutArmor(received) {
  let start = 0;
  let end = received.length;
  while (start < end && SPACE.includes(received[start])) start += 1;
  while (end > start && SPACE.includes(received[end - 1])) end -= 1;
  const text = received.slice(start, end);
  if (text.startsWith('<signatureInfo>')) return text;
  if (/^%3c/i.test(text)) return unescaped(text.replaceAll('+', ' '), /%([0-9A-Fa-f]{2})/g);
  if (!text.startsWith('PHNpZ25hdHVyZUluZm8')) return '';
  // A form turns `+` into a space; one at the end was then trimmed.
  const isCut = text.length % 4 === 3 && !text.includes('%') && received[end] === ' ';
  const armor = unescaped(isCut ? text + ' ' : text, /%(2[BbFf]|3[Dd])/g).replaceAll(' ', '+');
  return Buffer.from(armor, 'base64').toString('latin1');
}

const unescaped = (text, escapes) => text.replace(escapes, (_, digits) => String.fromCharCode(parseInt(digits, 16)));
