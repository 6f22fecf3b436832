import { z } from 'zod';
import type { StagedBlob } from '../../../base/ports/storage.js';

/** A file staged by the transport. Only this process can create one, so JSON input never passes as one. */
export class StagedUpload {
  constructor(
    readonly blob: StagedBlob,
    readonly originalName: string | null,
    readonly declaredType: string | null,
    /** Whether the caller's limit has already counted it. */
    readonly counted = false,
  ) {}
}

/** A staged file as a procedure's input. */
export const stagedUploadInput = z
  .custom<StagedUpload>((value) => value instanceof StagedUpload, {
    error: 'Send the file in the form field "file"',
  })
  .meta({ override: { type: 'string', format: 'binary' } });
