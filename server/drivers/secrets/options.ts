import { z } from 'zod';
import type { ValuesOf } from '../../shared/variables.js';

/** The variable with the secret of an installation. */
export const secretVariables = {
  SECRET_KEY: z.string().min(16, 'must have at least 16 characters').optional(),
};

/** The secret from which all keys are derived. */
export interface SecretOptions {
  /** Null if it is in a file of the data folder. */
  readonly secretKey: string | null;
}

/** Reads the options. */
export const secretOptions = (values: ValuesOf<typeof secretVariables>): SecretOptions => ({
  secretKey: values.SECRET_KEY ?? null,
});
