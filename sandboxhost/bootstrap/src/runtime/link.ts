/** The runtime's way out. */
export interface Link {
  /** Says a message; the blobs go with it. */
  send(text: string, blobs?: readonly ArrayBuffer[]): void
  /** Asks the frame's cryptography; the blobs go with the ask. */
  crypto(text: string, blobs: readonly ArrayBuffer[]): void
  /** Says that a call's code is about to run. */
  begun(): void
  /** Says that the worker has come to rest after a call. */
  clean(): void
  /** Says that the tool floods; the supervisor ends it. */
  overrun(): void
  /** Says that code of a call that has ended goes on. */
  leftover(): void
}
