import type { Binding, Block, Change, Draft, Forecast, HistoryRow, Manifest, Revision, Signatures, Taskyon, ToolID } from './taskyon.js';
import type { Engine } from './engine.js';
import { reading } from './errors.js';
import { jsonText } from './json.js';
import { checkOptions } from './options.js';
import { endOf, idOf } from './place.js';
import { readCall } from './providercall.js';

export function tools(engine: Engine): Taskyon['tools'] {
  return {
    install: async (definition, options) => {
      const { activate = false } = checkOptions('install', options, { activate: 'boolean' });
      return engine.request<Revision>('tools.install', { activate }, jsonText(definition, 'invalid_definition'));
    },
    forecast: async (definition) => engine.request<Forecast[]>('tools.forecast', {}, jsonText(definition, 'invalid_definition')),
    lookup: async (revision) => engine.request<Revision>('tools.lookup', { name: idOf(revision) }),
    list: async () => engine.request<Binding[]>('tools.list', {}),
    history: async (name) => engine.request<HistoryRow[]>('tools.history', { name }),
    revisions: async (name) => engine.request<ToolID[]>('tools.revisions', { name }),
    activate: async (revision) => engine.request<Revision>('tools.activate', { revision: idOf(revision) }),
    remove: async (name) => void (await engine.request('tools.remove', { name })),
    erase: async (revision) => void (await engine.request('tools.erase', { revision: idOf(revision) })),
    eraseUnpinned: async () => engine.request<ToolID[]>('tools.eraseUnpinned', {}),
    manifest: async (revision) => engine.request<Manifest>('tools.manifest', { name: idOf(revision) }),
    manifests: async () => engine.request<Manifest[]>('tools.manifests', {}),
    diff: async (before, after) => engine.request<Change[]>('tools.diff', { before: idOf(before), after: idOf(after) }),
    export: async (revision) => engine.request<string>('tools.export', { revision: idOf(revision) }),
    block: async (revision, reason) => void (await engine.request('tools.block', { revision: idOf(revision), reason })),
    unblock: async (revision) => void (await engine.request('tools.unblock', { revision: idOf(revision) })),
    blocks: async () => engine.request<Block[]>('tools.blocks', {}),
    signatures: async (format, lineage) => engine.request<Signatures>('tools.signatures', { format, parent: endOf(lineage) }),
    draft: async (format, call) => {
      const { name, arguments: given, parent, id } = reading('invalid_request', () => readCall(call));
      // The text of a model is no JSON until the engine has looked at it; an object is what a provider's client has read.
      const text = given === undefined ? '' : jsonText(given, 'invalid_arguments');
      return engine.request<Draft>('tools.draft', { format, name, parent: endOf(parent), call: id }, text);
    },
  };
}
