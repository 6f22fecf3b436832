import { z } from 'zod';
import type { StagedBlob } from '../ports/storage.js';

/** A file the transport has staged. Only this process can make one: no JSON input ever passes for it. */
export class StagedUpload {
  constructor(
    readonly blob: StagedBlob,
    readonly originalName: string | null,
    readonly declaredType: string | null,
    /** The limit of its sender has counted it already. */
    readonly counted = false,
  ) {}
}

/** A staged file as a procedure's input. */
export const stagedUploadInput = z
  .custom<StagedUpload>((value) => value instanceof StagedUpload, {
    error: 'Send the file in the form field "file"',
  })
  .meta({ override: { type: 'string', format: 'binary' } });
