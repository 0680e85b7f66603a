/** JSON that can be read in one way only. The platform's reader decides what JSON is; what it lets pass is looked for here. */

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Pairs are one character to this expression, and halves are not. */
const HALF_OF_A_PAIR = /\p{Surrogate}/u;

/** Anything that is not one object, in one reading. It says nothing of the text. */
export class NotJSON extends Error {}

export const isWellFormed = (text) => !HALF_OF_A_PAIR.test(text);

/**
 * The members of the object that all of these bytes are, as a Map, in which nothing is that was not in the text.
 *
 * Throws NotJSON for bytes that are not UTF-8, a member twice, half a surrogate pair, and more than `levels` objects and arrays
 * inside each other.
 */
export function oneObject(bytes, levels) {
  let value, noIntegers;
  try {
    const text = UTF8.decode(bytes);
    // Before the platform makes objects of every level: some decisions come from viewers.
    noIntegers = expectOneReading(text, levels);
    value = JSON.parse(text);
  } catch {
    // The platform's message may repeat the text.
    throw new NotJSON('no JSON in UTF-8 that can be read in one way');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new NotJSON('no object');
  const members = new Map(Object.entries(value));
  // 0.0 and 3e5 are no integers to others who read this, and to JavaScript they are.
  for (const name of noIntegers) members.set(name, NaN);
  return members;
}

/**
 * Looks at texts and brackets, and at what separates members: all that matters in what is JSON. What it makes of anything else does
 * not matter, as long as it comes to an end. Returns the names of the outermost members that are numbers with a fraction or an
 * exponent.
 */
function expectOneReading(text, levels) {
  /** For each object that is open the names of its members, for each array null. */
  const open = [];
  const noIntegers = new Set();
  let isName = false;
  let name;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{' || character === '[') {
      isName = character === '{';
      if (open.push(isName ? new Set() : null) > levels) throw new NotJSON('too many levels');
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === ',') {
      isName = open.at(-1) !== null;
    } else if (character === '"') {
      const start = at;
      at = lastOfString(text, start);
      const string = read(text.slice(start, at + 1));
      if (!isWellFormed(string)) throw new NotJSON('half a surrogate pair');
      if (isName && open.at(-1).size === open.at(-1).add(string).size) throw new NotJSON('a member twice');
      if (isName && open.length === 1) name = string;
      isName = false;
    } else if (open.length === 1 && (character === '.' || (/e/i.test(character) && /\d/.test(text[at - 1])))) {
      noIntegers.add(name);
    }
  }
  return noIntegers;
}

/** Where the string ends that starts here. An expression would run out of stack on a long one. */
function lastOfString(text, start) {
  let at = start + 1;
  for (; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
  return at;
}

const read = (string) => (string.includes('\\') ? JSON.parse(string) : string.slice(1, -1));
