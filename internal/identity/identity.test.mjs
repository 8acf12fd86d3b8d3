// One identity everywhere: native Go, Go as wasm, and an implementation in JavaScript that shares no code with them.
// TASKYON_SEED=<number> repeats a run.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { byBytes, byUnits, canonical, plainID, toolID } from './canonical.mjs';
import { normal } from './definition.mjs';

const COUNT = 10_000;
const root = join(import.meta.dirname, '..', '..');
const out = join(root, 'build', 'identity');
const seed = process.env.TASKYON_SEED || String(randomInt(2 ** 47));

const go = (args, target = {}) => execFileSync('go', args, { cwd: root, env: { ...process.env, ...target }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** Builds the command for both targets; gives how each is called. */
function build() {
  mkdirSync(out, { recursive: true });
  const native = join(out, 'identity');
  const wasm = join(out, 'identity.wasm');
  go(['build', '-o', native, './internal/identity']);
  go(['build', '-o', wasm, './internal/identity'], { GOOS: 'js', GOARCH: 'wasm' });
  const runner = join(go(['env', 'GOROOT']).trim(), 'lib', 'wasm', 'go_js_wasm_exec');
  return { native: [native], wasm: [runner, wasm] };
}

function run([file, ...first], ...args) {
  execFileSync(file, [...first, ...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** The parts of a file, each of which byte 0 ends. */
const parts = (file) => readFileSync(file, 'utf8').split('\0').slice(0, -1);

function frozen(command, name, texts) {
  const file = join(out, `${name}.ids`);
  run(command, 'freeze', texts, file);
  return parts(file);
}

/** What JavaScript makes of a text, as the command answers it. */
function answer(text, { order = byUnits, id = toolID, form = normal } = {}) {
  const bytes = canonical(form(JSON.parse(text)), order);
  return `${id(bytes)}\n${bytes}`;
}

/** The first definition of which two do not say the same, as a message; undefined where there is none. */
function difference(texts, sides) {
  const [[first, one], ...others] = Object.entries(sides);
  for (const [i, text] of texts.entries()) {
    for (const [name, other] of others) {
      if (one[i] !== other[i] || !/^tool:b3:[0-9a-f]{64}\n/.test(one[i])) {
        return `seed ${seed}, text ${i} of ${texts.length}: TASKYON_SEED=${seed} repeats this\n${text}\n${first}: ${one[i]}\n${name}: ${other[i]}`;
      }
    }
  }
  for (const [name, other] of others) if (other.length !== one.length) return `seed ${seed}: ${name} answered ${other.length} of ${one.length}`;
  return undefined;
}

const commands = build();
const file = join(out, 'definitions');
run(commands.native, 'generate', seed, String(COUNT), file);
const texts = parts(file);
const native = frozen(commands.native, 'native', file);

test('a definition has one identity in native Go, in the wasm build and in JavaScript, however it is spelled', (t) => {
  t.diagnostic(`seed ${seed}`);
  assert.equal(texts.length, 2 * COUNT, 'each definition in two spellings');
  const wasm = frozen(commands.wasm, 'wasm', file);
  const javascript = texts.map((text) => answer(text));
  assert.equal(difference(texts, { native, wasm, javascript }), undefined);
  t.diagnostic(`${COUNT} definitions, ${texts.reduce((sum, text) => sum + text.length, 0)} characters`);
});

test('two spellings of a definition are one revision, and two definitions are two', () => {
  const [one, other] = [0, 1].map((odd) => native.filter((_, i) => i % 2 === odd));
  assert.equal(difference(texts.filter((_, i) => i % 2 === 0), { one, other }), undefined);
  assert.ok(new Set(native).size > 0.99 * COUNT, `${new Set(native).size} revisions`);
});

test('the wasm build generates the same definitions from a seed', () => {
  const again = join(out, 'definitions.wasm');
  run(commands.wasm, 'generate', seed, '250', again);
  assert.deepEqual(parts(again), texts.slice(0, 500));
});

// Positive controls: each of these mistakes is found, and the message says how to see it again.
for (const [mistake, wrong] of Object.entries({
  'keys sorted by their UTF-8 bytes': { order: byBytes },
  'a plain hash in place of derive-key mode': { id: plainID },
  'a short form that is not normalised': { form: (d) => d },
})) {
  test(`${mistake} would be another identity, and is noticed`, () => {
    const found = difference(texts, { native, wrong: texts.map((text) => answer(text, wrong)) });
    assert.match(found ?? 'no difference', new RegExp(`^seed ${seed}, text \\d+ of ${2 * COUNT}: TASKYON_SEED=${seed} repeats this\n`));
  });
}

// The same file is held against package canon, natively and as wasm, by its own tests.
test('the checked-in vectors hold in JavaScript', () => {
  const vectors = JSON.parse(readFileSync(join(root, 'core', 'canon', 'testdata', 'identity.json'), 'utf8'));
  assert.ok(vectors.length >= 20);
  for (const v of vectors) {
    const bytes = canonical(JSON.parse(v.text.replace('FILL', () => v.fill.repeat(v.times))));
    if (v.canonical !== undefined) assert.equal(bytes, v.canonical, v.title);
    assert.equal(new TextEncoder().encode(bytes).length, v.bytes, v.title);
    assert.equal(toolID(bytes), v.id, v.title);
  }
});
