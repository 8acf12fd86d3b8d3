import type { Ears } from './types.js';

/** Lets the latest frame do its drill and gives what it tells; a frame that is gone tells nothing. */
export async function drillInFrame(id: string, ears: Ears): Promise<unknown> {
  const frame = [...document.querySelectorAll<HTMLIFrameElement>('iframe[data-taskyon]')].at(-1);
  if (!frame?.contentWindow) throw new Error('there is no frame');
  return drill(frame.contentWindow, id, ears);
}

/** Lets a window do its drill. One that may not have loaded yet is asked again and again. */
export async function drill(target: Window, id: string, ears: Ears, again?: { readonly everyMs: number }): Promise<unknown> {
  return new Promise((done) => {
    const ask = (): void => target.postMessage({ drill: id, to: ears }, '*');
    const asking = again && setInterval(ask, again.everyMs);
    const timer = setTimeout(() => end({ silent: true }), again ? 6000 : 2500);
    const hear = ({ source, data }: MessageEvent): void => {
      if (source === target && (data as { drilled?: unknown } | null)?.drilled === id) end((data as { value: unknown }).value);
    };
    const end = (value: unknown): void => {
      clearInterval(asking);
      clearTimeout(timer);
      removeEventListener('message', hear);
      done(value);
    };
    addEventListener('message', hear);
    ask();
  });
}
