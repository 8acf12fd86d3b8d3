// Identities in JavaScript, written from RFC 8785 and docs alone: nothing here is of the product.
import { blake3 } from '@noble/hashes/blake3.js';

/** The order of RFC 8785: that of UTF-16 code units, which is JavaScript's own. */
export const byUnits = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** The order of UTF-8 bytes, which is a mistake that others made. */
export const byBytes = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** RFC 8785 of what JSON.parse gave. */
export function canonical(value, order = byUnits) {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, order)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value).sort(order);
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name], order)}`).join(',')}}`;
}

const utf8 = new TextEncoder();

const hex = (bytes) => Buffer.from(bytes).toString('hex');

/** `tool:b3:…` of canonical text: BLAKE3 in derive-key mode. */
export const toolID = (text) => `tool:b3:${hex(blake3(utf8.encode(text), { context: utf8.encode('taskyon 2026 tool revision v1') }))}`;

/** As toolID, but of the plain hash, which is a mistake. */
export const plainID = (text) => `tool:b3:${hex(blake3(utf8.encode(text)))}`;
