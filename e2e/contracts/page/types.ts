/** The suite as core/contracts writes it. */
export interface Suite {
  readonly group: string;
  readonly version: number;
  readonly guards: readonly Guard[];
  readonly contracts: readonly Contract[];
  readonly absent: readonly { readonly id: string; readonly reason: string }[];
}

export interface Guard {
  readonly name: string;
  readonly what: string;
  readonly kind: 'host' | 'core' | 'frame' | 'page' | 'served' | 'limits';
  readonly lifted?: { readonly [name: string]: number };
  readonly behind?: readonly string[];
}

export type HostName = 'chromium' | 'firefox' | 'webkit';

/** How frames are made. */
export type Kind = 'srcdoc' | 'page';

/** A host in every kind, a kind on every host, or one kind on one host. */
export type Place = HostName | Kind | `${HostName}/${Kind}`;

export interface Exception {
  readonly result: 'not applicable' | 'not observable';
  readonly reason: string;
}

export interface Contract {
  readonly id: string;
  readonly title: string;
  readonly guard: string;
  readonly guardOn?: { readonly [host in HostName]?: string };
  readonly unguarded?: string;
  readonly tools?: readonly Tool[];
  readonly steps: readonly Step[];
  readonly limits?: { readonly [name: string]: number };
  readonly drill?: string;
  readonly calmMs?: number;
  readonly bare?: { readonly [place in Place]?: string };
  readonly hears?: readonly string[];
  readonly served?: Served;
  readonly framed: boolean;
  readonly except?: { readonly [place in Place]?: Exception };
}

/** How the served page of a contract is sent, where that is not as documented. */
export interface Served {
  readonly off?: readonly string[];
  readonly body?: string;
  readonly status?: number;
  readonly elsewhere?: boolean;
}

export interface Tool {
  readonly code: string;
  readonly more?: object;
  readonly refused?: unknown;
  readonly padKiB?: number;
}

export interface Step {
  readonly tool: number;
  readonly args?: object;
  readonly partition?: string;
  readonly disposable?: boolean;
  readonly abortMs?: number;
  readonly permission?: string;
  readonly beside?: boolean;
  readonly withinMs?: number;
  readonly drill?: boolean;
  readonly probe?: string;
  readonly expect: unknown;
}

/** Where the canary of one contract listens. */
export interface Ears {
  readonly url: string;
  readonly https: string;
  readonly ws: string;
  readonly udp: number;
  /** The TCP port: names of the net lead to it too. */
  readonly port: number;
  /** A host name, with a port, that nobody may look up. */
  readonly name: string;
  /** The origin of the page itself, and a shared worker of it; the page adds them. */
  readonly host?: string;
  readonly shared?: string;
}

/** What the page found. */
export interface Verdict {
  readonly id: string;
  readonly result: 'pass' | 'fail';
  /** What was not as expected. */
  readonly why?: string;
  /** The runner itself went wrong: that says nothing about the contract. */
  readonly broken?: boolean;
  readonly ms: number;
}

/** What the page is to do: read from /assignment. */
export interface Assignment {
  readonly ids: readonly string[];
  readonly ears: { readonly [id: string]: Ears };
  readonly wasm: string;
  /** A frame script in the place of the shipped one. */
  readonly frame?: string;
  readonly guardsOff: readonly string[];
  readonly limits?: { readonly [name: string]: number };
  /** The address of the page that the frames of each contract show; without it they are given their text. The server adds it. */
  readonly pages?: { readonly [id: string]: string };
}
