import type { Settings, SettingsRow, Taskyon } from './taskyon.js';
import type { Engine } from './engine.js';
import { jsonText } from './json.js';
import { idOf } from './place.js';

export function settings(engine: Engine): Taskyon['settings'] {
  return {
    set: async (revision, values) => engine.request<Settings>('settings.set', { revision: idOf(revision) }, jsonText(values, 'invalid_settings')),
    get: async (revision) => (await engine.request<Settings | null>('settings.get', { revision: idOf(revision) })) ?? undefined,
    lookup: async (settings) => engine.request<Settings>('settings.lookup', { settings }),
    history: async (revision) => engine.request<SettingsRow[]>('settings.history', { revision: idOf(revision) }),
    remove: async (revision) => void (await engine.request('settings.remove', { revision: idOf(revision) })),
  };
}
