import fc from 'fast-check';
import { type Body, brokenBody, type Draft, headers, personas } from '../inputs/draft.js';
import { type Entry, entriesFor } from '../inputs/fields.js';
import { hostileText, hostileValue } from '../inputs/hostile.js';
import { inputOf, isQuery, PROCEDURES } from '../inputs/input.js';
import type { Expectation } from '../judge.js';
import { type Operation, touchesAccounts } from './operation.js';

/** A result, or a refusal of the domain or of tRPC; 204 is tRPC's answer to HEAD. */
export const TRPC_STATUSES = [200, 204, 207, 400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 416, 429];

/** A provider may fail, and a tool may be missing; nothing else that a procedure depends on. */
const expectationOf = (name: string): Expectation => ({
  statuses: new Set([
    ...TRPC_STATUSES,
    ...(/^(?:chatapp|messenger)\./.test(name) ? [502] : []),
    ...(name === 'tools.video' ? [501] : []),
  ]),
  refusals: 'trpc',
});

/** Every procedure at `/trpc`, called as the client does and in other ways. */
export const procedureOperations = (): readonly Operation[] =>
  PROCEDURES.map((name) => ({
    name,
    drafts: draftsOf(name),
    expect: () => expectationOf(name),
    share: 1,
    touchesAccounts: !isQuery(name) && touchesAccounts(name),
  }));

const none = fc.constant<readonly Entry[]>([]);

function draftsOf(name: string): fc.Arbitrary<Draft> {
  const entries = entriesFor(name.split('.')[0] ?? '', inputOf(name));
  const asked = callsOf(name, fc.constant('GET'), fc.record({ as: fc.constant('input' as const), entries }));
  const told = callsOf(
    name,
    fc.constant('POST'),
    fc.record({ as: fc.constant('json' as const), entries, file: fc.constant(null) }),
  );
  const [right, wrong] = isQuery(name) ? [asked, told] : [told, asked];
  return fc.oneof(
    { weight: 18, arbitrary: right },
    { weight: 1, arbitrary: wrong },
    { weight: 1, arbitrary: malformed(name) },
  );
}

/** Calls without fields. */
const malformed = (name: string): fc.Arbitrary<Draft> =>
  fc
    .record({
      call: callsOf(name, fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE'), brokenBody),
      input: fc.oneof(
        hostileText,
        hostileValue.map((value) => JSON.stringify(value)),
      ),
      batch: fc.constantFrom(null, '1', '0', 'true'),
    })
    .map(({ call, input, batch }) => ({
      ...call,
      body: call.method === 'GET' || call.method === 'HEAD' ? { as: 'none' } : call.body,
      query: [['input', input], ...(batch === null ? [] : [['batch', batch] as const])],
    }));

const callsOf = (name: string, method: fc.Arbitrary<string>, body: fc.Arbitrary<Body>): fc.Arbitrary<Draft> =>
  fc.record({
    persona: personas,
    method,
    path: fc.constant(`/trpc/${name}`),
    params: none,
    bare: fc.constant(false),
    query: none,
    headers: fc.oneof({ weight: 2, arbitrary: none }, { weight: 1, arbitrary: headers }),
    body,
  });
