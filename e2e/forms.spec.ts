import { readFileSync } from 'node:fs';
import { test, expect } from './fixtures.js';

interface Form {
  readonly name: string;
  readonly source: string;
  readonly form?: string;
  readonly calls?: readonly { readonly args: unknown; readonly result: unknown }[];
  readonly throws?: { readonly args: unknown; readonly line: number; readonly column: number };
  readonly error?: { readonly message: string; readonly line: number; readonly column: number };
}

/** The corpus that the native judge is tested with too: same verdict, same text. */
const corpus = JSON.parse(readFileSync('sandboxhost/bootstrap/testdata/forms.json', 'utf8')) as readonly Form[];

test('the page judges every form of tool code as the command line does, and accepted forms give their results', async ({ host }) => {
  test.setTimeout(240_000);
  expect(corpus.length).toBeGreaterThan(60);
  for (const form of corpus) {
    const seen = await host.evaluate(async (form) => {
      const definition = { name: 'form', description: '', parameters: { type: 'object' as const }, code: form.source };
      if (form.error) return { refusal: await harness.refusal(() => ty.tools.install(definition)) };
      const revision = await ty.tools.install(definition);
      const results: unknown[] = [];
      for (const call of form.calls ?? []) {
        const record = await harness.runRevision(revision, call.args);
        results.push(record.outcome === 'ok' ? record.result : record.error);
      }
      const thrown = form.throws && (await harness.runRevision(revision, form.throws.args)).error;
      await ty.sandboxes.terminate(revision);
      return { results, thrown };
    }, form);
    expect.soft(seen, `${form.name}: ${JSON.stringify(form.source)}`).toMatchObject(
      form.error
        ? { refusal: form.source === '' ? { code: 'invalid_definition', message: expect.stringContaining('empty') } : { code: 'invalid_code', message: expect.stringContaining(form.error.message) } }
        : { results: form.calls?.map((call) => call.result) ?? [] },
    );
    if (form.throws) {
      const { line, column } = form.throws;
      expect.soft(seen.thrown, form.name).toMatchObject({ code: 'tool_error', line, column });
    }
    if (form.error && form.source !== '') {
      const { line = 0, column = 0 } = seen.refusal!;
      expect.soft({ line, column }, form.name).toEqual({ line: form.error.line, column: form.error.column });
    }
  }
});
