/** The nouns of what tools may do: permissions, grants, secrets, storage, windows and the audit. */

import type { AskRecord, Json, Lineage, Revision, TaskID, ToolID } from './nouns.js';

export type PermissionAnswer =
  /** These asks. */
  | 'once'
  /** Until this engine ends. */
  | 'session'
  /** Until it is revoked. */
  | 'always'
  | 'deny';

/**
 * A question to the user. Every text is bounded, one line and fit to be shown; `tool`, `method`, `credentials` and `need` are nevertheless words of the
 * tool: show them as text, never as markup.
 */
export interface PermissionRequest {
  readonly tool: string;
  readonly revision: ToolID;
  /** The node of the chat that defines the tool, if one does. */
  readonly node?: TaskID;
  readonly capability: string;
  /** For fetch the origin, in A-labels: show this in any case. */
  readonly scope: string;
  /** The same for people, to be shown beside it. */
  readonly readable: string;
  readonly class?: 'read' | 'write';
  readonly method?: string;
  /** Names of headers by which the tool identifies itself. */
  readonly credentials?: readonly string[];
  /** What a yes lets out, in our words. */
  readonly leak: string;
  readonly need: Need;
  /** Whether the tool declares this very scope; else it may ask for any. */
  readonly declared: boolean;
  /** How many asks wait for this answer: `once` is for them. */
  readonly asks: number;
  /** What may be said. */
  readonly answers: readonly PermissionAnswer[];
}

export type PermissionHandler = (
  request: PermissionRequest,
  options: { readonly signal: AbortSignal },
) => PermissionAnswer | Promise<PermissionAnswer>;

/** One thing that a revision declares. */
export interface Need {
  readonly capability: string;
  /** `*`: the user may be asked for any. */
  readonly scope: string;
  readonly readable?: string;
  readonly class?: 'read' | 'write';
  /** The author's words. */
  readonly reason?: string;
}

export interface Forecast extends Need {
  /** Whether the user decides at its first use. */
  readonly asks: boolean;
  readonly leak?: string;
}

export interface Grant {
  readonly id: string;
  readonly revision: ToolID;
  readonly node?: TaskID;
  /** The tool's name when the user decided. */
  readonly tool: string;
  readonly capability: string;
  readonly scope: string;
  readonly class?: 'read' | 'write';
  readonly lifetime: 'session' | 'always';
  readonly active: boolean;
  readonly credentials?: readonly string[];
  /** The oldest first. */
  readonly history: readonly { readonly at: string; readonly what: 'granted' | 'revoked' | 'carried'; readonly from?: ToolID }[];
}

export interface GrantPlan {
  readonly id: string;
  readonly tool: string;
  readonly from: ToolID;
  readonly to: ToolID;
  /** Grants that the second revision will have. */
  readonly carry: readonly Grant[];
  /** Grants that it does not declare. */
  readonly leave: readonly Grant[];
  readonly added: readonly Need[];
  readonly removed: readonly Need[];
  readonly changed: readonly { readonly before: Need; readonly after: Need }[];
}

/** What may be known of a secret. */
export interface SecretInfo {
  readonly name: string;
  readonly origins: readonly string[];
  readonly at: string;
  /** Whether it is still there after this engine has ended. */
  readonly lasting: boolean;
}

export interface StorageUsage {
  readonly revision: ToolID;
  readonly bytes: number;
  readonly keys: number;
}

export interface StoredValue {
  readonly partition: string;
  readonly node?: TaskID;
  readonly key: string;
  readonly value: unknown;
  readonly bytes: number;
}

export interface AuditQuery {
  readonly revision?: ToolID | Revision;
  readonly task?: Lineage;
  readonly capability?: string;
  readonly decision?: AskRecord['decision'];
  /** From this time on, RFC 3339. */
  readonly since?: string;
  /** Before this time. */
  readonly until?: string;
  /** At most so many. */
  readonly limit?: number;
}

export interface AuditRow extends AskRecord {
  /** When its call ended. */
  readonly at: string;
  readonly task?: TaskID;
  readonly tool?: ToolID;
  readonly partition?: string;
}

/** What a function of the page wants to show in a window. */
export type PopupRequest =
  /** Its own html, at most `popupBytes`, in a frame that reaches nothing: see docs/writing-tools.md. */
  | { readonly kind: 'custom-html'; readonly html: string }
  /**
   * A page at an exact https origin, at its address without the part behind `#`. It has no opener and gets no referrer; so your page cannot close it, and
   * it stays, silent, until the user does. With `messages` that page knows its opener, so that they can talk; it could then lead your page elsewhere
   * (`opener.location`), so ask for them only where you trust it.
   */
  | { readonly kind: 'origin'; readonly url: string; readonly messages?: boolean };

/** A window that is open. */
export interface Popup {
  /** What the page in it says, as JSON: html by `parent.postMessage(value, '*')`, another origin by `opener.postMessage`. Ends with the window. */
  readonly messages: AsyncIterable<Json>;
  /** Nothing is heard any more. */
  readonly closed: Promise<PopupEnd>;
  /** Says something to the page in it, which hears a `message` event: JSON of at most 262,144 letters. */
  post(message: Json): void;
  close(): void;
}

/** Who has closed a window. `flood`: its page said more than 200 things in a second, or 256 that were not read. */
export type PopupEnd = 'user' | 'tool' | 'call' | 'flood' | 'failed';

/** Why there is no window. */
export interface PopupError extends Error {
  readonly name: 'PopupError';
  /**
   * A reason of the policy (such as `scheme`, `host_name`, `address`, `self`), `undeclared`, `not_granted`, `too_many_prompts`, `denied`; `blocked` by the
   * browser; `dismissed` by the user; `too_many`, `too_large`, `unavailable`, `aborted`, `invalid_request`.
   */
  readonly code: string;
}

/** A window that may be opened, and waits for a gesture of the user. */
export interface PopupNotice {
  readonly tool: string;
  readonly revision: ToolID;
  readonly kind: PopupRequest['kind'];
  /** `custom-html`, or the origin in A-labels. */
  readonly scope: string;
}

/**
 * Shows the user something to click. Call `open` in the click's own handler; it tells whether a window has opened. The signal aborts when it is settled,
 * or nobody waits any more.
 */
export type PopupHandler = (
  notice: PopupNotice,
  options: { open(): boolean; dismiss(): void; readonly signal: AbortSignal },
) => void;
