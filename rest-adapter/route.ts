import type { z } from 'zod';
import type { Context } from '../routers/core/context.js';
import type { Allowance } from '../routers/features/image/allowance.js';
import type { AppRouter } from '../routers/index.js';
import { done, message, type NoExtra, noContent, type Reply, said } from './reply/reply.js';
import type { Wire } from './wire.js';

/** The prefix of the documented API; route paths are relative to it. */
export const API_PREFIX = '/v1';

type Procedures = AppRouter['_def']['record'];

/** `router.procedure` of every procedure. */
export type ProcedurePath = {
  [R in keyof Procedures & string]: `${R}.${keyof Procedures[R] & string}`;
}[keyof Procedures & string];

type ProcedureAt<P extends string> = P extends `${infer R}.${infer K}`
  ? R extends keyof Procedures
    ? K extends keyof Procedures[R]
      ? Procedures[R][K]
      : never
    : never
  : never;

type TypesAt<P extends string> = ProcedureAt<P> extends { _def: { $types: infer T } } ? T : never;

/** Input and output types of a procedure in this process, before serialisation. */
export type InputOf<P extends ProcedurePath> = TypesAt<P> extends { input: infer I } ? I : never;
export type OutputOf<P extends ProcedurePath> = TypesAt<P> extends { output: infer O } ? O : never;

/**
 * What a request says for an input before the schema of the procedure has looked at it: any text for one of its words, and
 * anything for a structure. The names of the fields are checked.
 */
type Said<T> = T extends readonly unknown[]
  ? unknown
  : T extends object
    ? { readonly [K in keyof T]: Field<T[K]> }
    : T;
type Field<T> = T extends string ? string : T extends number | boolean | null | undefined ? T : unknown;

/** The methods that routes answer to; HEAD and OPTIONS follow from them. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * How a route's body is received.
 * - `fields`: JSON, urlencoded or multipart without files.
 * - `file`: multipart with one file, or the bare file, streamed to the staging area.
 * - `files`: multipart with up to 16 files, under any names, or fields.
 * - `source`: the same, where a field `image` or `source` without a name of a file may be as long as one; fields as for `long`.
 * - `text`: fields with a text, or one text file, held in memory. `long`: fields with a text or a list of
 *   that length.
 * - `document`: one text, whatever its type: the whole body, or the file of a form.
 * - `json`: one text of a program, as it is. `plain`: the whole body is the text of a paste.
 * - `bytes`: the bare file, whatever its type. `mail`: fields, or multipart with any number of files.
 * - `part`: bytes that the procedure reads while they arrive.
 */
export type BodyKind =
  | 'none'
  | 'fields'
  | 'long'
  | 'file'
  | 'files'
  | 'source'
  | 'text'
  | 'document'
  | 'json'
  | 'plain'
  | 'bytes'
  | 'mail'
  | 'part';

/** Returns how large a file may be, given the credentials so far; refuses before any of the file is received. */
export type Admit = (ctx: Context, wire: Wire) => Promise<Allowance>;

/** The body of a route; a route that takes a file must define `admit`. */
export type BodyOf =
  | { readonly body?: Exclude<BodyKind, 'file' | 'files' | 'source' | 'bytes'>; readonly admit?: never }
  | { readonly body: 'file' | 'files' | 'source' | 'bytes'; readonly admit: Admit };

/** The success response of a route in the OpenAPI document. */
interface Responds {
  /**
   * `message`: the envelope with the procedure's output; `said`: with a text; `flat`: with fields beside it; `done`:
   * alone; `empty`: no body.
   */
  readonly kind: 'message' | 'said' | 'flat' | 'done' | 'empty' | 'content' | 'text' | 'redirect';
  readonly status: number;
  /** Further content types of the success, beside those of its kind. */
  readonly types: readonly string[];
  /** Statuses of failures with the fields beside the message of the success. */
  readonly failing: readonly number[];
}

/** Schemas of what a route's `reply` makes of the procedure's output, where it does not send that as the message. */
interface Answers {
  /** The message; null for the procedure's output. */
  readonly message: z.ZodType | null;
  /** Fields beside the message. */
  readonly beside: z.ZodRawShape | null;
  /** A whole body without the envelope that some callers get. */
  readonly bare: z.ZodType | null;
}

/** A credential that a caller may use, as the OpenAPI document names it. */
export type Credential = 'apiKey' | 'session' | 'verifyToken' | 'workerToken';

/** A route after type checking, as the adapter uses it. */
export interface Route {
  readonly method: Method;
  /** Relative to `/v1`, with parameters in braces. */
  readonly path: string;
  readonly procedure: ProcedurePath;
  readonly summary: string;
  readonly body: BodyKind;
  /** Documented statuses besides the success. */
  readonly errors: readonly number[];
  /** One of these is required; empty if no authentication is needed. */
  readonly credentials: readonly Credential[];
  /** Query flags that only the reply reads, with their descriptions. */
  readonly alsoQuery: Readonly<Record<string, string>>;
  read(wire: Wire): unknown;
  reply(output: never, wire: Wire): Reply;
  /** Whether it is matched before the router, in its plain case. */
  readonly hot: boolean;
  /** Set on routes with body `file`, `files`, `source` or `bytes`. */
  readonly admit: Admit | null;
  /** Also served at the host root, outside `/v1`. */
  readonly atRoot: boolean;
  /** Its last parameter is all that is left of the path, with its slashes. */
  readonly deep: boolean;
  /** Pages of separate front ends read the text of a refusal in `error` instead of `message`. */
  readonly textErrors: boolean;
  /** Signs in or registers: refused from other sites, whoever asks. */
  readonly signsIn: boolean;
  /** Whether it leads a browser to a provider to link an account: no other site may send anybody there. */
  readonly startsLink: boolean;
  /** A page may show what this serves, or leads to, as a picture: one that is gone has no body then. */
  readonly shown: boolean;
  /** Follows the protocol of resumable uploads: its version is checked, and these of its request headers are read. */
  readonly tus: readonly string[] | null;
  readonly responds: Responds;
  readonly answers: Answers;
}

/** What values of a schema look like before serialisation. */
type ValueOf<S, Default> = S extends z.ZodType ? z.output<S> : Default;
type FieldsOf<S> = S extends z.ZodRawShape ? z.output<z.ZodObject<S>> : NoExtra;

/** How the output becomes the reply: as it says (`A`, `X` and `B` are the schemas of `Answers`), as a sentence, or as it is. */
type Replying<P extends ProcedurePath, A, X, B> =
  | {
      readonly reply: (
        output: OutputOf<P>,
        wire: Wire,
      ) => Reply<ValueOf<A, OutputOf<P>>, FieldsOf<X>, ValueOf<B, never>>;
      readonly message?: A;
      readonly beside?: X;
      readonly bare?: B;
      readonly says?: undefined;
    }
  | {
      readonly says?: string;
      readonly reply?: undefined;
      readonly message?: undefined;
      readonly beside?: undefined;
      readonly bare?: undefined;
    };

/** How the request becomes the input; a procedure without one needs nothing. */
type Reading<I> = undefined extends I
  ? { readonly read?: (wire: Wire) => Said<I> }
  : { readonly read: (wire: Wire) => Said<I> };

type RouteDefinition<P extends ProcedurePath, A, X, B> = BodyOf &
  Reading<InputOf<P>> &
  Replying<P, A, X, B> & {
    readonly procedure: P;
    readonly summary: string;
    readonly errors?: readonly number[];
    /** Needed if 401 is not about the API key or the session. */
    readonly credentials?: readonly Credential[];
    readonly alsoQuery?: Route['alsoQuery'];
    readonly hot?: boolean;
    readonly atRoot?: boolean;
    readonly deep?: boolean;
    readonly textErrors?: boolean;
    readonly signsIn?: boolean;
    readonly startsLink?: boolean;
    readonly shown?: boolean;
    readonly tus?: readonly string[];
    readonly responds?: Partial<Responds>;
  };

/** What can be derived from replies that are the same for every route. */
const IMPLIED_RESPONSES = new Map<unknown, Partial<Responds>>([
  [done, { kind: 'done' }],
  [noContent, { kind: 'empty', status: 204 }],
]);

const nothing = (): undefined => undefined;

/**
 * One operation of `/v1`: its procedure, and how the request becomes the input and the output becomes the
 * reply. An unknown procedure, a wrong input, or a reply that differs from the declared answer does not compile. A route
 * contains no other logic.
 */
export function route<
  P extends ProcedurePath,
  A extends z.ZodType | undefined = undefined,
  X extends z.ZodRawShape | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(method: Method, path: string, definition: RouteDefinition<P, A, X, B>): Route {
  const { errors = [], says } = definition;
  const responds: Responds = {
    ...{ kind: says === undefined ? 'message' : 'said', status: 200, types: [], failing: [] },
    ...IMPLIED_RESPONSES.get(definition.reply),
    ...definition.responds,
  };
  const standard = (output: unknown) =>
    says === undefined ? message(output, responds) : said(says, responds);
  return {
    method,
    path,
    procedure: definition.procedure,
    summary: definition.summary,
    body: definition.body ?? (method === 'GET' ? 'none' : 'fields'),
    errors,
    credentials: definition.credentials ?? (errors.includes(401) ? ['apiKey', 'session'] : []),
    alsoQuery: definition.alsoQuery ?? {},
    read: definition.read ?? nothing,
    reply: (definition.reply as Route['reply'] | undefined) ?? standard,
    hot: definition.hot ?? false,
    admit: definition.admit ?? null,
    atRoot: definition.atRoot ?? false,
    deep: definition.deep ?? false,
    textErrors: definition.textErrors ?? false,
    signsIn: definition.signsIn ?? false,
    startsLink: definition.startsLink ?? false,
    shown: definition.shown ?? definition.responds?.kind === 'content',
    tus: definition.tus ?? null,
    responds,
    answers: {
      message: definition.message ?? null,
      beside: definition.beside ?? null,
      bare: definition.bare ?? null,
    },
  };
}
