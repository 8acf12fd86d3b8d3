import { first, warm } from '/calls.js';
import { compile } from '/compile.js';
import { large, policy, small, stream } from '/fetch.js';
import { lineage } from '/lineage.js';
import { lookup } from '/lookup.js';
import { fillRevisions, start, startStored } from '/start.js';

globalThis.bench = { warm, first, start, fillRevisions, startStored, compile, lookup, lineage, small, large, stream, policy };
