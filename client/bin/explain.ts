import { HoldallError } from '../src/index.js';
import { inLine } from './terminal.js';

/** System errors about files that the user named. */
const FILE_ERRORS = new Set(['ENOENT', 'EACCES', 'EPERM', 'EEXIST', 'ENOTDIR', 'ENOSPC', 'EROFS']);

/** The text of an error for the user; null if the error is a bug in the program. */
export function explainClientError(error: unknown): string | null {
  if (error instanceof HoldallError)
    return error.status === 401
      ? 'the API key is wrong or no longer valid: run `holdall login`, or correct HOLDALL_KEY'
      : inLine(error.message);
  const { code, message } = error as NodeJS.ErrnoException;
  return FILE_ERRORS.has(code ?? '') ? message : null;
}
