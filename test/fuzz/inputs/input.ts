import type { z } from 'zod';
import { appRouter } from '../../../routers/index.js';
import { type Schema, schemaOf } from './schema.js';

interface Defined {
  readonly _def: { readonly type: string; readonly inputs: readonly z.ZodType[] };
}
const procedures = appRouter._def.procedures as unknown as Readonly<Record<string, Defined | undefined>>;

const defined = (name: string): Defined => {
  const found = procedures[name];
  if (found === undefined) throw new Error(`no procedure ${name}`);
  return found;
};

/** All procedures. */
export const PROCEDURES: readonly string[] = Object.keys(procedures);

/** Whether a procedure is called with GET. */
export const isQuery = (name: string): boolean => defined(name)._def.type === 'query';

/** The input of a procedure; one without input takes an object without fields. */
export function inputOf(name: string): Schema {
  const [input] = defined(name)._def.inputs;
  return input === undefined ? { type: 'object', properties: {} } : schemaOf(input);
}
