import { newQuickJSWASMModuleFromVariant, shouldInterruptAfterDeadline } from 'quickjs-emscripten-core';
import variant from '@jitl/quickjs-wasmfile-release-sync';

/** An interpreter on the page's own thread: a place is a runtime and a context. The module is loaded once, before anything is measured. */
export async function quickjs() {
  const module = await newQuickJSWASMModuleFromVariant(variant);
  const open = () => {
    const runtime = module.newRuntime();
    const context = runtime.newContext();
    return { context, runtime, close: () => (context.dispose(), runtime.dispose()) };
  };
  const call = ({ context }, code) => {
    const value = context.unwrapResult(context.evalCode(`(${code})()`));
    const result = context.dump(value);
    value.dispose();
    return result;
  };
  const within = ({ context, runtime }, code, ms) => {
    runtime.setInterruptHandler(shouldInterruptAfterDeadline(Date.now() + ms));
    const result = context.evalCode(`(${code})()`);
    if (!result.error) return 'ok';
    const { message } = context.dump(result.error);
    result.error.dispose();
    return message;
  };
  const kept = [];
  return {
    cold: async (code) => {
      const place = open();
      const result = call(place, code);
      place.close();
      return result;
    },
    warm: async (code) => {
      const place = open();
      kept.push(place);
      const f = place.context.unwrapResult(place.context.evalCode(`(${code})`));
      place.close = ((close) => () => (f.dispose(), close()))(place.close);
      return async () => {
        const value = place.context.unwrapResult(place.context.callFunction(f, place.context.undefined));
        const result = place.context.dump(value);
        value.dispose();
        return result;
      };
    },
    endless: async (code, ms) => {
      const place = open();
      const ended = within(place, code, ms);
      place.close();
      return ended;
    },
    flood: async (ms) => {
      const place = open();
      const x = place.context.newFunction('x', () => place.context.undefined);
      place.context.setProp(place.context.global, 'x', x);
      x.dispose();
      const ended = within(place, '() => { for (;;) x() }', ms);
      place.close();
      return ended;
    },
    close: async () => kept.forEach((place) => place.close()),
  };
}
