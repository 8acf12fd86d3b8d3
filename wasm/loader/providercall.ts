import type { Lineage } from './taskyon.js';
import { TaskyonError } from './errors.js';

/** A provider's call, whatever its form. */
interface Call {
  readonly name: string;
  /** Text as the model wrote it, or what the provider's client has read. */
  readonly arguments?: unknown;
  readonly parent?: Lineage;
  /** The provider's id of the call. */
  readonly id?: string;
}

/** Where the forms keep the call itself: `function` of OpenAI chat, `functionCall` of Gemini, `params` of MCP. */
const inner = ['function', 'functionCall', 'params'] as const;

/** Reads a call in our form, or as a provider gives it: a tool call of OpenAI, a tool_use block, a functionCall part, a tools/call. */
export function readCall(call: unknown): Call {
  const outer = fields(call);
  const key = inner.find((name) => typeof outer[name] === 'object' && outer[name] !== null);
  const { name, arguments: given, input, args } = key ? fields(outer[key]) : outer;
  if (typeof name !== 'string') throw refused();
  // A responses item has an id of its own beside the one that its output names.
  const id = [outer['call_id'], outer['id']].find((value) => typeof value === 'string') as string | undefined;
  return { name, arguments: given ?? input ?? args, parent: outer['parent'] as Lineage, ...(id === undefined ? {} : { id }) };
}

function fields(value: unknown): { readonly [name: string]: unknown } {
  if (typeof value !== 'object' || value === null) throw refused();
  return value as { readonly [name: string]: unknown };
}

function refused(): TaskyonError {
  return new TaskyonError('invalid_request', "draft: want { name, arguments, parent? }, or the provider's own call with a parent beside it");
}
