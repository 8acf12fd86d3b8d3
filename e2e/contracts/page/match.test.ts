import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mismatch } from './match.js';

const matches = (value: unknown, pattern: unknown): boolean => mismatch(value, pattern) === undefined;

test('an object matches in the fields that the pattern names, and in no inherited one', () => {
  assert.ok(matches({ a: 1, b: 2 }, { a: 1 }));
  assert.ok(!matches({ b: 2 }, { a: 1 }));
  assert.ok(!matches(Object.create({ a: 1 }), { a: 1 }));
  assert.equal(mismatch({ a: { b: 1 } }, { a: { b: 2 } }), '$.a.b: 1, want 2');
});

test('arrays match item by item, everything else when it is the same', () => {
  assert.ok(matches([1, 'x', null], [1, 'x', null]));
  assert.ok(!matches([1, 2], [1]));
  assert.ok(!matches('1', 1));
  assert.ok(!matches(undefined, null));
});

test('every operator accepts what it names and nothing else', () => {
  const cases: [unknown, unknown, unknown][] = [
    [{ $any: true }, 0, undefined],
    [{ $absent: true }, undefined, null],
    [{ $not: 'went' }, 'x', 'went'],
    [{ $in: ['a', { b: 1 }] }, { b: 1, c: 2 }, 'c'],
    [{ $re: '^a+$' }, 'aa', 'ab'],
    [{ $lte: 3 }, 3, 4],
    [{ $gte: 3 }, 3, 2],
    [{ $every: { $not: 'went' } }, { a: 'x', b: 'y' }, { a: 'x', b: 'went' }],
    [{ $text: '[1]' }, [1], [2]],
    [{ $length: { $lte: 2 } }, [1, 2], [1, 2, 3]],
    [{ $all: [{ $gte: 1 }, { $lte: 2 }] }, 2, 3],
  ];
  for (const [pattern, good, bad] of cases) {
    assert.ok(matches(good, pattern), JSON.stringify(pattern));
    assert.ok(!matches(bad, pattern), `not ${JSON.stringify(pattern)}`);
  }
});

test('a value that is nothing has no every, and an operator that is none is a mistake', () => {
  assert.ok(!matches(undefined, { $every: { $not: 'went' } }));
  assert.throws(() => mismatch(1, { $nonsense: 1 }), /no operator/);
});
