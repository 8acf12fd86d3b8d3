/** What a page, the window that it opens for a tool (popup.html) and the frame in it (popup-frame.html) say to one another. */

/** Window → page: it is there. Its port comes along. The id is in its address, and another window knows none. */
export interface Hello {
  readonly taskyonPopup: string;
}

/** Frame → window: it is there, and its origin is opaque. */
export const frameHello = 'taskyon-popup-frame';

/** Page → window, once: what to show. */
export type Order = Html | Address;

export interface Html {
  readonly kind: 'custom-html';
  readonly html: string;
  readonly tool: string;
  readonly revision: string;
}

export interface Address {
  readonly kind: 'origin';
  readonly url: string;
  /** Whether the page there may know who has opened it. */
  readonly messages: boolean;
}

/** Page → window later: JSON for the html. */
export interface Post {
  readonly kind: 'post';
  readonly text: string;
}

/** Window → page: JSON of the html; what went wrong; or that its document goes. */
export type Word = { readonly kind: 'shown' } | { readonly kind: 'message'; readonly text: string } | { readonly kind: 'failed' | 'flood' | 'gone' };

/** The most letters of one message, as JSON. */
export const maxPopupMessage = 262144;

/** A message as JSON; undefined for what is none, or too long. */
export function messageText(data: unknown): string | undefined {
  try {
    const text = JSON.stringify(data) as string | undefined;
    return text !== undefined && text.length <= maxPopupMessage ? text : undefined;
  } catch {
    return undefined;
  }
}
