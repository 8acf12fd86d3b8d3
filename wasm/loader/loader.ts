import type { EnvironmentFact, ImportReport, LoadOptions, SandboxInfo, Taskyon } from './taskyon.js';
import { Engine } from './engine.js';
import { TaskyonError } from './errors.js';
import { jsonText } from './json.js';
import { pageOf } from './kind.js';
import { audit, grants, secrets, storage } from './kept.js';
import { Natives, type Bounds } from './natives.js';
import { checkOptions } from './options.js';
import { idOf, isTaskID, isToolID } from './place.js';
import { askFor } from './permissions.js';
import { Popups } from './popups.js';
import { settings } from './settings.js';
import { tasks } from './tasks.js';
import { tools } from './tools.js';

export { TaskyonError, isTaskID, isToolID };

export async function loadTaskyon(options: LoadOptions = {}): Promise<Taskyon> {
  if (typeof options !== 'object' || options === null) throw new TaskyonError('invalid_request', 'loadTaskyon: want an object of options');
  const { wasmURL = new URL('./taskyon.wasm', import.meta.url), sandbox, onPermission, onPopup, popupURL = new URL('./popup.html', import.meta.url), ...rest } = options;
  for (const [name, handler] of Object.entries({ onPermission, onPopup })) {
    if (handler !== undefined && typeof handler !== 'function') throw new TaskyonError('invalid_request', `loadTaskyon: ${name} must be a function`);
  }
  if (!URL.canParse(String(popupURL), document.baseURI)) throw new TaskyonError('invalid_request', 'loadTaskyon: popupURL is no address');
  if (Object.hasOwn(rest, 'page')) throw new TaskyonError('invalid_request', 'loadTaskyon: the page is an option of sandbox: { page }');
  const page = pageOf(sandbox);
  const open = jsonText(rest, 'invalid_request');
  const engine = await Engine.start(wasmURL);
  const { store, bounds } = await engine.request<Opened>('open', { ...(JSON.parse(open) as object), page });
  if (onPermission) await askFor(engine, onPermission);
  return surface(engine, store, new Natives(engine, bounds, new Popups(engine, popupURL, onPopup)));
}

type Opened = Pick<Taskyon, 'store'> & { readonly bounds: Bounds };

function surface(engine: Engine, store: Taskyon['store'], natives: Natives): Taskyon {
  return {
    store,
    tools: tools(engine),
    natives: { register: async (definition, fn, options) => natives.register(definition, fn, options) },
    settings: settings(engine),
    tasks: tasks(engine),
    grants: grants(engine),
    secrets: secrets(engine),
    storage: storage(engine),
    audit: audit(engine),
    sandboxes: {
      list: async () => engine.request<SandboxInfo[]>('sandboxes.list', {}),
      warm: async () => engine.request<number>('sandboxes.warm', {}),
      terminate: async (revision, options) => {
        const { partition = '' } = checkOptions('terminate', options, { partition: 'string' });
        await engine.request('sandboxes.terminate', { revision: idOf(revision), partition });
      },
      clear: async () => void (await engine.request('sandboxes.clear', {})),
    },
    diagnostics: { environment: async () => engine.request<EnvironmentFact[]>('diagnostics.environment', {}) },
    import: async (text) => {
      if (typeof text !== 'string') throw new TaskyonError('invalid_request', 'import: want the text of the file, a string');
      return engine.request<ImportReport>('import', {}, jsonText(text, 'invalid_request'));
    },
    clear: async () => void (await engine.request('clear', {})),
    close: async () => engine.close(),
  };
}
