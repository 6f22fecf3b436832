import { z } from 'zod';
import { integer, type ValuesOf, word } from '../../shared/variables.js';

/** Where clamd listens: a TCP address, or a socket in the file system. */
export type ClamdAddress = { readonly host: string; readonly port: number } | { readonly path: string };

/** Reads `host:port`, `[::1]:3310`, `/run/clamd.sock` or `unix:/run/clamd.sock`. */
function readAddress(text: string, ctx: z.RefinementCtx): ClamdAddress {
  const path = /^(?:unix:)?(\/.+)$/.exec(text)?.[1];
  if (path !== undefined) return { path };
  const [, bracketed, plain, port] =
    /^(?:tcp:\/\/)?(?:\[([^\]]+)\]|([^:[\]/\s]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host !== undefined && Number(port) > 0 && Number(port) < 65_536) return { host, port: Number(port) };
  ctx.addIssue({
    code: 'custom',
    message: 'must be host:port or the path of a socket, like /run/clamav/clamd.sock',
  });
  return z.NEVER;
}

/** The variables of the malware scanner. */
export const scannerVariables = {
  CLAMD: z.string().trim().transform(readAddress).optional(),
  CLAMD_POLICY: word('reject', 'accept').default('reject'),
  CLAMD_TIMEOUT: integer(1, 3_600).default(60),
};

/** The malware scanner. */
export interface ScannerOptions {
  readonly scanner: {
    /** Null: no scanner. */
    readonly address: ClamdAddress | null;
    /** Whether a file that the scanner could not look at is refused. */
    readonly required: boolean;
    /** How long it may be silent, in milliseconds. */
    readonly timeoutMs: number;
  };
}

/** Reads the options. */
export const scannerOptions = (values: ValuesOf<typeof scannerVariables>): ScannerOptions => ({
  scanner: {
    address: values.CLAMD ?? null,
    required: values.CLAMD_POLICY === 'reject',
    timeoutMs: values.CLAMD_TIMEOUT * 1000,
  },
});
