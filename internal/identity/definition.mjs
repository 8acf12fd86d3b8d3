/**
 * The normal form of a definition: the short form becomes the full one, absent parameters are those that take any object, and what
 * is present but empty in an optional field is left out. Schemas are data: nothing in them is empty.
 */
export function normal(definition) {
  const { code, ...d } = definition;
  if (code !== undefined) d.implementation = { class: 'sandboxed-code', language: 'javascript', code };
  d.parameters ??= { type: 'object' };
  if (d.longDescription === '') delete d.longDescription;
  d.implementation = without(d.implementation, '');
  for (const field of ['needs', 'limits']) {
    if (d[field] === undefined) continue;
    d[field] = without(d[field], false, 0);
    if (Object.keys(d[field]).length === 0) delete d[field];
  }
  return d;
}

function without(fields, ...empty) {
  return Object.fromEntries(Object.entries(fields).filter(([, v]) => !empty.includes(v) && !(Array.isArray(v) && v.length === 0)));
}
