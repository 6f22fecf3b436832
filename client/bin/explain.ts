import { HoldallError } from '../src/index.js';

/** What the system says of files that somebody named. */
const FILE_ERRORS = new Set(['ENOENT', 'EACCES', 'EPERM', 'EEXIST', 'ENOTDIR', 'ENOSPC', 'EROFS']);

/** What a person may read of an error of these commands; null for what is nobody's fault but the program's. */
export function explainClientError(error: unknown): string | null {
  if (error instanceof HoldallError)
    return error.status === 401
      ? 'the API key is not valid (any more): run `holdall login`, or set HOLDALL_KEY anew'
      : error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  return FILE_ERRORS.has(code ?? '') ? message : null;
}
