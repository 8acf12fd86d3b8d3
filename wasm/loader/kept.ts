import type { AuditRow, Grant, GrantPlan, SecretInfo, StorageUsage, StoredValue, Taskyon } from './taskyon.js';
import { decodeValue } from '../../sandboxhost/bootstrap/src/values.js';
import type { Engine } from './engine.js';
import { TaskyonError } from './errors.js';
import { endOf, idOf } from './place.js';

/** What is kept of what users have allowed, and of what tools have asked. */
export function grants(engine: Engine): Taskyon['grants'] {
  return {
    list: async (revision) => engine.request<Grant[]>('grants.list', revision === undefined ? {} : { revision: idOf(revision) }),
    revoke: async (grant) => void (await engine.request('grants.revoke', { grant: typeof grant === 'string' ? grant : grant.id })),
    plan: async (from, to) => engine.request<GrantPlan>('grants.plan', { from: idOf(from), to: idOf(to) }),
    accept: async ({ id, from, to }) => void (await engine.request('grants.accept', { id, from, to })),
  };
}

export function secrets(engine: Engine): Taskyon['secrets'] {
  return {
    set: async (revision, name, value, options) => {
      if (typeof name !== 'string') throw new TaskyonError('invalid_request', 'secrets.set: want a name');
      if (typeof value !== 'string') throw new TaskyonError('invalid_request', 'secrets.set: want the value, a string');
      const origins: unknown = options?.origins;
      if (!Array.isArray(origins) || !origins.every((origin) => typeof origin === 'string')) {
        throw new TaskyonError('invalid_request', 'secrets.set: want { origins: [the https origins that may have it] }');
      }
      await engine.request('secrets.set', { revision: idOf(revision), name, origins }, value);
    },
    forget: async (revision, name) => void (await engine.request('secrets.forget', { revision: idOf(revision), name })),
    list: async (revision) => engine.request<SecretInfo[]>('secrets.list', { revision: idOf(revision) }),
  };
}

export function storage(engine: Engine): Taskyon['storage'] {
  return {
    list: async () => engine.request<StorageUsage[]>('storage.list', {}),
    read: async (revision) => {
      const rows = await engine.request<StoredValue[]>('storage.read', { revision: idOf(revision) });
      return rows.map((row) => ({ ...row, value: decodeValue(row.value) }));
    },
    clear: async (revision) => void (await engine.request('storage.clear', { revision: idOf(revision) })),
    carry: async (from, to) => void (await engine.request('storage.carry', { from: idOf(from), to: idOf(to) })),
  };
}

export function audit(engine: Engine): Taskyon['audit'] {
  return {
    query: async (query = {}) => {
      const { revision, task, ...rest } = query;
      return engine.request<AuditRow[]>('audit.query', {
        ...rest, ...(revision === undefined ? {} : { revision: idOf(revision) }), ...(task === undefined ? {} : { task: endOf(task) }),
      });
    },
  };
}
