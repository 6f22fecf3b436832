import fc from 'fast-check';
import { z } from 'zod';

/** The part of JSON Schema that Zod generates for our inputs. */
export interface Schema {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Generated once, because it takes a while. */
const anyText = fc.string({ unit: 'grapheme', maxLength: 30 });

/** Larger bounds are not tried: the body would contain nothing else. */
const MAX_LENGTH = 10_000;

/** What a Zod schema accepts, as JSON Schema. Bytes and custom checks become "anything". */
export const schemaOf = (input: z.ZodType): Schema =>
  z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema;

/** Values that a schema accepts, including those at its bounds. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(valuesOf));
  if (typeof schema.type === 'object')
    return fc.oneof(...schema.type.map((type) => valuesOf({ ...schema, type })));
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer' || schema.type === 'number') return numbersOf(schema);
  if (schema.type === 'string') return textsOf(schema);
  if (schema.type === 'array') {
    const minLength = schema.minItems ?? 0;
    return fc.array(valuesOf(schema.items ?? {}), { minLength, maxLength: minLength + 4 });
  }
  if (schema.properties === undefined) return fc.jsonValue({ maxDepth: 2 });
  const fields = Object.entries(schema.properties).map(([name, value]) => [name, valuesOf(value)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...(schema.required ?? [])] });
}

/** Values that a schema only just refuses. */
export function beyond(schema: Schema): readonly unknown[] {
  const { minimum, maximum, minLength, maxLength } = schema;
  return [
    ...(schema.anyOf ?? []).flatMap(beyond),
    ...(minimum === undefined ? [] : [minimum - 1, String(minimum), minimum + 0.5]),
    ...(maximum === undefined ? [] : [maximum + 1, `${maximum}x`]),
    ...(minLength === undefined || minLength === 0 ? [] : ['x'.repeat(minLength - 1)]),
    ...(maxLength === undefined || maxLength > MAX_LENGTH ? [] : ['x'.repeat(maxLength + 1)]),
  ];
}

function numbersOf({ type, minimum = -1e15, maximum = 1e15 }: Schema): fc.Arbitrary<number> {
  const bounds = fc.constantFrom(minimum, maximum);
  const within =
    type === 'integer'
      ? fc.maxSafeInteger().map((value) => Math.min(maximum, Math.max(minimum, value)))
      : fc.double({ min: minimum, max: maximum, noNaN: true });
  const [from, to] = [Math.ceil(Math.max(minimum, -2)), Math.floor(Math.min(maximum, 100))];
  return from > to ? fc.oneof(within, bounds) : fc.oneof(fc.integer({ min: from, max: to }), within, bounds);
}

function textsOf({ minLength = 0, maxLength = MAX_LENGTH, pattern, format }: Schema): fc.Arbitrary<string> {
  const fit = (text: string) => text.padEnd(minLength, 'x').slice(0, maxLength);
  if (format === 'uri') return fc.webUrl().map(fit);
  if (pattern !== undefined && !pattern.includes('\\p'))
    return fc.stringMatching(new RegExp(pattern, 'u')).map(fit);
  const bounds = [
    fit(''),
    ...(maxLength < MAX_LENGTH ? ['x'.repeat(maxLength), '語'.repeat(maxLength)] : []),
  ];
  return fc.oneof(
    { weight: 4, arbitrary: anyText.map(fit) },
    { weight: 1, arbitrary: fc.constantFrom(...bounds) },
  );
}
