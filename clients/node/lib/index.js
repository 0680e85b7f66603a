export { CONFIGURED, Channel, Client, Document, NotValid, Refused, Unavailable, ValidToken } from './client.js';
