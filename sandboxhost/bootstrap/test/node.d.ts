// The few faces of Node that the tests use, so that they type-check without a further package.

declare module 'node:test' {
  type Body = () => void | Promise<void>
  export function test(title: string, body: Body): Promise<void>
  export function test(title: string, options: { timeout?: number; skip?: boolean | string }, body: Body): Promise<void>
}

declare module 'node:assert/strict' {
  export function equal(actual: unknown, expected: unknown, message?: string): void
  export function deepEqual(actual: unknown, expected: unknown, message?: string): void
  export function ok(value: unknown, message?: string): asserts value
  export function fail(message: string): never
  export function match(text: string, pattern: RegExp, message?: string): void
  export function rejects(promise: Promise<unknown> | (() => Promise<unknown>), expected?: object, message?: string): Promise<void>
  export function throws(body: () => unknown, expected?: object, message?: string): void
}

declare module 'node:fs' {
  export function readFileSync(path: string, encoding: 'utf8'): string
  export function readdirSync(path: string): string[]
}

declare module 'node:vm' {
  export function createContext(global: object): object
  export function runInContext(code: string, context: object, options?: { filename?: string; timeout?: number }): unknown
}
