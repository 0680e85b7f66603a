/** Asks mediatokend whether an Adobe Pass short media token may play. index.d.ts says what everything means. */
export { Client } from './client.js';
export { Fault, ForeignAnswer, NoAnswer, NotReady, NotValid, Refused } from './errors.js';
export { CONFIGURED, Channel, Document } from './question.js';
export { ValidToken } from './tokens.js';
