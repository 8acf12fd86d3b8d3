import type { PermissionAnswer, PermissionHandler, PermissionRequest } from './taskyon.js';
import type { Engine } from './engine.js';

/**
 * The application's word about what tools may do. The engine asks one question at a time and is answered by its number. A handler that throws,
 * or gives anything but one of the answers, has said no.
 */
export async function askFor(engine: Engine, handler: PermissionHandler): Promise<void> {
  const open = new Map<number, AbortController>();
  const answer = async (question: number, request: PermissionRequest, signal: AbortSignal): Promise<void> => {
    let said: PermissionAnswer = 'deny';
    try {
      const given = await handler(request, { signal });
      if (request.answers.includes(given)) said = given;
      else if (!signal.aborted) console.warn(`taskyon: onPermission gave ${String(given)}, want one of ${request.answers.join(', ')}: the answer is no`);
    } catch (reason) {
      if (!signal.aborted) console.warn('taskyon: onPermission failed, the answer is no:', reason);
    }
    open.delete(question);
    // An engine that has closed in the meantime wants to know nothing any more.
    await engine.request('permissions.answer', { question, answer: said }).catch(() => {});
  };
  // Called by the engine, in the middle of its work: the page's code runs later.
  const hear = (kind: string, text: string): void => {
    const { question, request } = JSON.parse(text) as { question: number; request: PermissionRequest };
    if (kind === 'question') {
      const controller = new AbortController();
      open.set(question, controller);
      queueMicrotask(() => void answer(question, request, controller.signal));
    } else if (kind === 'withdrawn') {
      const controller = open.get(question);
      open.delete(question);
      queueMicrotask(() => controller?.abort());
    }
  };
  await engine.request('permissions.listen', {}, '', undefined, hear);
  engine.atEnd(() => {
    for (const controller of open.values()) controller.abort();
    open.clear();
  });
}
