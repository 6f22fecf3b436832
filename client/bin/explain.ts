import { HoldallError } from '../src/index.js';
import { inLine } from './terminal.js';

/** What system errors say about files that the user named. */
const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'you may not open it',
  EPERM: 'you may not do this to it',
  EEXIST: 'it exists already',
  ENOTDIR: 'a part of its path is no folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk can only be read',
};

/** The text of an error for the user; null if the error is a bug in the program. */
export function explainClientError(error: unknown): string | null {
  if (error instanceof HoldallError)
    return error.status === 401
      ? 'the API key is wrong or no longer valid: run `holdall login`, or correct HOLDALL_KEY'
      : inLine(error.message);
  const { code = '', path, message } = error as NodeJS.ErrnoException;
  const text = FILE_ERRORS[code];
  return text === undefined ? null : `${inLine(path ?? message)}: ${text}`;
}
