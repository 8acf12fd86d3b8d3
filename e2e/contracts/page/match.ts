/**
 * Compares a value with a pattern. An object matches when every field of the pattern matches, an array item by item, anything else
 * when it is the same. An object whose only field begins with `$` is an operator. Gives what differs first, undefined if nothing.
 */
export function mismatch(value: unknown, pattern: unknown, path = '$'): string | undefined {
  if (Array.isArray(pattern)) {
    if (!Array.isArray(value) || value.length !== pattern.length) return differs(path, value, pattern);
    return first(pattern.map((item, i) => mismatch(value[i], item, `${path}[${i}]`)));
  }
  if (typeof pattern !== 'object' || pattern === null) return Object.is(value, pattern) ? undefined : differs(path, value, pattern);
  const entries = Object.entries(pattern);
  const [name, operand] = entries[0] ?? [];
  if (entries.length === 1 && name?.startsWith('$')) return operator(name, operand, value, path) ? undefined : differs(path, value, pattern);
  if (typeof value !== 'object' || value === null) return differs(path, value, pattern);
  return first(entries.map(([key, item]) => mismatch(Object.hasOwn(value, key) ? (value as { [key: string]: unknown })[key] : undefined, item, `${path}.${key}`)));
}

function operator(name: string, operand: unknown, value: unknown, path: string): boolean {
  const is = (v: unknown, p: unknown): boolean => mismatch(v, p, path) === undefined;
  switch (name) {
    case '$any':
      return value !== undefined;
    case '$absent':
      return value === undefined;
    case '$not':
      return !is(value, operand);
    case '$in':
      return (operand as unknown[]).some((p) => is(value, p));
    case '$re':
      return typeof value === 'string' && new RegExp(operand as string).test(value);
    case '$lte':
      return typeof value === 'number' && value <= (operand as number);
    case '$gte':
      return typeof value === 'number' && value >= (operand as number);
    case '$every':
      return typeof value === 'object' && value !== null && Object.values(value).every((v) => is(v, operand));
    case '$some':
      return typeof value === 'object' && value !== null && Object.values(value).some((v) => is(v, operand));
    case '$text':
      return is(JSON.stringify(value, plain) ?? '', operand);
    case '$length':
      return is((value as { length?: unknown } | null | undefined)?.length, operand);
    case '$all':
      return (operand as unknown[]).every((p) => is(value, p));
  }
  throw new Error(`no operator ${name}`);
}

const first = (all: (string | undefined)[]): string | undefined => all.find((why) => why !== undefined);

function differs(path: string, value: unknown, pattern: unknown): string {
  return `${path}: ${short(value)}, want ${short(pattern)}`;
}

const plain = (_key: string, v: unknown): unknown => (typeof v === 'bigint' ? `${v}n` : v);

export function short(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value, plain);
  } catch {
    text = String(value);
  }
  return text === undefined ? 'undefined' : text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
