import fc from 'fast-check';
import { type Draft, headers, personas } from '../inputs/draft.js';
import { type Entry, entriesFor } from '../inputs/fields.js';
import { hostileText, hostileValue } from '../inputs/hostile.js';
import { inputOf, PROCEDURES } from '../inputs/input.js';
import { jsonOf } from '../inputs/request.js';
import type { Expectation } from '../judge.js';
import type { Operation } from './operation.js';
import { TRPC_STATUSES } from './procedures.js';

/** Either one refusal of the whole batch or an answer for each call; a head that is too long is not read. */
const expectation: Expectation = { statuses: new Set(TRPC_STATUSES), refusals: 'trpc' };

/** Calls that would remove the things the batch needs are tried one by one. */
const CALLABLE = PROCEDURES.filter(
  (name) => !/password|login|register|reset|delete|user\.create/i.test(name),
);

const oneCall = fc
  .constantFrom(...CALLABLE)
  .chain((name) => fc.tuple(fc.constant(name), entriesFor(name.split('.')[0] ?? '', inputOf(name))));

const calls = fc.oneof(
  fc.array(oneCall, { minLength: 1, maxLength: 20 }),
  // The same call repeatedly, also many more times than a batch may hold.
  fc
    .tuple(oneCall, fc.integer({ min: 2, max: 400 }))
    .map(([call, times]) => Array<typeof call>(times).fill(call)),
);

/** The inputs of a batch: one for each call under its number, or something else. */
const inputsOf = (all: readonly (readonly [string, readonly Entry[]])[]): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constant(
        `{${all.map(([, entries], index) => `"${index}":${jsonOf(entries)}`).join(',')}}`,
      ),
    },
    { weight: 1, arbitrary: hostileValue.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.tuple(hostileText, hostileValue).map((entry) => jsonOf([entry])) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('[{}]', '{"-1":{}}', '{"1e3":{}}', '{"0":{"json":{}}}', '{"999999":1}'),
    },
  );

/** Many calls in one request, valid and invalid. */
export const batchOperations = (): readonly Operation[] =>
  ['GET', 'POST'].map((method) => ({
    name: `${method} batch`,
    drafts: calls.chain((all) => inputsOf(all).chain((inputs) => batchOf(method, all, inputs))),
    expect: () => expectation,
    share: 1,
    touchesAccounts: true,
  }));

function batchOf(
  method: string,
  all: readonly (readonly [string, readonly Entry[]])[],
  inputs: string,
): fc.Arbitrary<Draft> {
  const batch = fc.constantFrom('1', '1', '1', '0', '2');
  return fc.record({
    persona: personas,
    method: fc.constant(method),
    path: fc.constant(`/trpc/${all.map(([name]) => name).join(',')}`),
    params: fc.constant([]),
    bare: fc.constant(false),
    query: batch.map((value): readonly Entry[] => [
      ['batch', value],
      ...(method === 'GET' ? [['input', inputs] as const] : []),
    ]),
    headers,
    body: fc.constant(
      method === 'GET' ? { as: 'none' } : { as: 'bytes', type: 'application/json', text: inputs },
    ),
  });
}
