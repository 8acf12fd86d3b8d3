/** The nouns of what tools may do: permissions, grants, secrets, storage and the audit. */

import type { AskRecord, Lineage, Revision, TaskID, ToolID } from './nouns.js';

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
