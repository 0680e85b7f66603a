/** Texts as bytes. */
import { isWellFormed } from './json.js';

/** UTF-8; and where halves of surrogate pairs are, the bytes that they would be. The platform would put other characters there. */
export function bytesOf(text) {
  if (isWellFormed(text)) return Buffer.from(text, 'utf8');
  return Buffer.concat(Array.from(text, (character) => {
    const code = character.codePointAt(0);
    if (code < 0xd800 || code > 0xdfff) return Buffer.from(character, 'utf8');
    return Buffer.from([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]);
  }));
}
