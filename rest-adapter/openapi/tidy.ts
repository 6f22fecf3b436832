import type { Json } from './operation.js';

/** The bounds of every integer, which say nothing. */
const NO_BOUND: readonly unknown[] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/** Whether an entry of a generated schema tells its readers nothing, or something that is not so. */
function isNoise(schema: Json, name: string): boolean {
  // Clients must accept fields that later versions add.
  if (name === 'additionalProperties') return schema[name] === false;
  // The format says the same in one word.
  if (name === 'pattern') return schema.format === 'date-time' || schema.format === 'date';
  return (name === 'minimum' || name === 'maximum') && NO_BOUND.includes(schema[name]);
}

/** A generated document without noise, and with alternatives of alternatives merged. */
export function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as Json;
  const tidied: Json = {};
  for (const [name, part] of Object.entries(schema)) if (!isNoise(schema, name)) tidied[name] = tidy(part);
  if (Array.isArray(tidied.anyOf)) tidied.anyOf = (tidied.anyOf as Json[]).flatMap(alternativesOf);
  return tidied;
}

const alternativesOf = (schema: Json): readonly unknown[] =>
  Array.isArray(schema.anyOf) && Object.keys(schema).length === 1 ? schema.anyOf : [schema];
