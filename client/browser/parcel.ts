import { find } from './find.js';

const ARCHIVE_NAME = /\.(zip|tar|tgz|tar\.gz|tbz2?|tar\.bz2)$/i;

/** Where a file is sent, and the fields sent with it. */
export interface Parcel {
  readonly url: string;
  readonly fields: FormData;
}

/** The fields of the form with one file; lifetimes become times counted from now. */
export function pack(form: HTMLFormElement, file: File): Parcel {
  const fields = new FormData(form);
  const unpack = fields.has('unpack') && ARCHIVE_NAME.test(file.name);
  const hours = Number(fields.get('expiresIn') ?? 0);
  for (const name of ['file', 'expiresIn', 'unpack']) fields.delete(name);
  if (unpack) fields.delete('uniqueId');
  for (const [name, value] of [...fields]) if (value === '') fields.delete(name);
  if (hours > 0) fields.set('expiresAt', new Date(Date.now() + hours * 3_600_000).toISOString());
  fields.set('source', 'WEB');
  fields.set('file', file, file.name);
  return { url: unpack ? '/v1/image/upload/zip' : '/v1/image/upload', fields };
}

/** A custom ID can be used for one file only: the file that takes it clears the field for the next ones. */
export function takeAddress(form: HTMLFormElement, { fields }: Parcel): void {
  if (fields.has('uniqueId')) find<HTMLInputElement>(form, '[name="uniqueId"]').value = '';
}

/** A file that failed puts its custom ID back, unless the field has another one by now. */
export function giveBack(form: HTMLFormElement, { fields }: Parcel): void {
  const input = find<HTMLInputElement>(form, '[name="uniqueId"]');
  if (input.value === '') input.value = String(fields.get('uniqueId') ?? '');
}
