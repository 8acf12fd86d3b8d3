/** Go's own loader script, taken from the Go distribution at build time. It sets globals; see before.ts. */
declare module 'taskyon:wasm_exec';
