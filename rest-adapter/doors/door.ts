import { fail } from '../../routers/base/errors.js';
import type { Credentials } from '../../routers/core/caller.js';
import type { Context } from '../../routers/core/context.js';
import type { Settings } from '../../routers/core/settings.js';
import type { Failure } from '../failure.js';
import type { Fields } from '../fields.js';
import type { Reply } from '../reply/reply.js';
import type { SimpleReply } from '../reply/write.js';
import type { Admit, BodyKind, BodyOf, InputOf, Method, OutputOf, ProcedurePath } from '../route.js';
import type { Wire } from '../wire.js';

/** Calls one of the procedures of an entrance on behalf of the request. */
type Call<P extends ProcedurePath> = <Q extends P>(procedure: Q, input: InputOf<Q>) => Promise<OutputOf<Q>>;

/** A request at an entrance. */
export interface Visit<P extends ProcedurePath> {
  readonly call: Call<P>;
  readonly wire: Wire;
  /** The fields of the body, with missing ones from the query. */
  readonly fields: Fields;
  readonly settings: Settings;
  readonly ctx: Context;
}

/** A path and method of another product. */
export interface Entrance {
  readonly method: Method;
  /** From the root, with parameters in braces; `{name+}` may contain slashes. */
  readonly path: string;
  /** All that it may call. */
  readonly procedures: readonly ProcedurePath[];
  readonly body: BodyKind;
  readonly admit: Admit | null;
  /** Whether anybody may ask; the procedures refuse whom they must. */
  readonly open: boolean;
  /** Null leaves the request to what answers this path otherwise. */
  answer(visit: Visit<ProcedurePath>): Promise<Reply | null>;
}

type EntranceDefinition<P extends ProcedurePath> = BodyOf & {
  readonly procedures: readonly P[];
  readonly open?: boolean;
  readonly answer: (visit: Visit<P>) => Promise<Reply | null>;
};

/** An entrance: how the request becomes the input of procedures, and their output the answer. It contains no other logic. */
export const entrance = <const P extends ProcedurePath>(
  method: Method,
  path: string,
  { procedures, body, admit, open = false, answer }: EntranceDefinition<P>,
): Entrance => ({
  ...{ method, path, procedures, open },
  body: body ?? (method === 'GET' ? 'none' : 'fields'),
  admit: admit ?? null,
  answer: answer as unknown as Entrance['answer'],
});

/** What is known of a request that is refused. */
interface Refused {
  readonly method: string;
  readonly path: string;
  /** Whether a header of the request holds a key, right or wrong. */
  readonly hasKey: boolean;
  /** As far as they were received. */
  readonly fields: Fields;
}

/**
 * The interface of another product, so that its clients work unchanged: its paths, at the root of the main host, which
 * call procedures as the routes of `/v1` do. A door has no rules of its own, and stands in no `openapi.json`.
 */
export interface Door {
  readonly entrances: readonly Entrance[];
  /** A key where the product has it, which counts as the form field `key` does. */
  keyIn?(fields: Fields, header: Wire['header']): string | null | undefined;
  /** A mailbox and its token, which open it without an account. */
  mailboxIn?(header: Wire['header']): Credentials['mailbox'];
  /** Whether a key counts in `Authorization` only. */
  readonly authorizedOnly?: boolean;
  /** A refusal in the form of the product. */
  refuse(failure: Failure, refused: Refused): SimpleReply;
}

/** Refuses with 400 what the form of the other product does not allow, in English, because only its programs read it. */
export const refuseForm = (message: string): never => fail('INVALID', { message });

/** The text of a refusal at a door whose files come in one field, in one of three forms. */
export const sourceRefusal = ({ reason, message }: Failure, field: string): string =>
  reason === 'FILE_MISSING' ? `Send a file, base64 or an address in the field "${field}"` : message;

/** JSON without an envelope. */
export const json = (body: unknown, status = 200): Extract<Reply, { as: 'json' }> => ({
  as: 'json',
  status,
  body,
});

/** A text of any type. */
export const typed = (type: string, text: string, status = 200): Extract<Reply, { as: 'text' }> => ({
  ...{ as: 'text', status, text, type },
  headers: {},
});

/** `2026-01-31 12:00:00` in UTC, of a moment in ISO 8601. */
export const momentOf = (at: string): string => at.slice(0, 19).replace('T', ' ');

/** A whole number that a client gives for a page or its size; `usual` for what is none. */
export const wholeOr = (given: string | null | undefined, usual: number): number =>
  Math.trunc(Number(given ?? usual)) || usual;

/** One line of text, as programs in a pipe read it. */
export const line = (text: string, headers: Record<string, string> = {}, status = 200): SimpleReply => ({
  ...{ as: 'text', status, text: `${text}\n`, headers },
});
