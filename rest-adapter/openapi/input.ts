import { z } from 'zod';
import type { Route } from '../route.js';

/** Inputs that the adapter sets from headers and the method; callers never send them. */
const INTERNAL = new Set([
  'transfer',
  'query',
  'prefersPage',
  'accept',
  'head',
  'host',
  'referrer',
  'origin',
  'workerToken',
  'fileName',
  'parts',
  'object',
  'ifMatch',
]);

/** Inputs that have another name on the wire. */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  imageInfo: 'image_info',
  uploaderInfo: 'uploader_info',
};

/** The procedure's input as callers of the route send it. */
export function wireInput(route: Route, inputs: readonly z.ZodType[]): z.ZodObject {
  const shape: Record<string, z.ZodType> = Object.assign(
    {},
    ...inputs.map((input) => (input as z.ZodObject).shape),
  );
  const inPath = new Set(Array.from(route.path.matchAll(/\{(\w+)\}/g), (match) => match[1]));
  const wire: Record<string, z.ZodType> = {};
  for (const [name, schema] of Object.entries(shape)) {
    // What comes with bytes comes in headers.
    if (INTERNAL.has(name) || isAnything(schema) || (route.body === 'part' && !inPath.has(name))) continue;
    const simple = route.body === 'none' || inPath.has(name);
    wire[WIRE_NAMES[name] ?? name] = simple ? parameter(schema, inPath.has(name)) : schema;
  }
  for (const name of inPath) if (name !== undefined) wire[name] ??= z.string();
  const further = inputs
    .map((input) => (input as z.ZodObject).def.catchall)
    .find((each) => each !== undefined);
  return further === undefined ? z.object(wire) : z.object(wire).catchall(further);
}

/** Whether an input is taken as it is, only to be refused where it does not belong. */
const isAnything = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodUnknown;

/** A query or path parameter: text, a number or a flag. */
function parameter(schema: z.ZodType, required: boolean): z.ZodType {
  const takes = (value: unknown): boolean => schema.safeParse(value).success;
  const isFlag = takes(true) && !takes('text');
  const isNumber = !isFlag && [0, 1, 10].some(takes) && !takes('text') && !takes('2026-01-31');
  const kind = isFlag ? z.boolean() : isNumber ? z.number() : z.string();
  return !required && takes(undefined) ? kind.optional() : kind;
}
