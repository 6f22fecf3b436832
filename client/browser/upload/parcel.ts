import { find } from '../find.js';

const ARCHIVE_NAME = /\.(zip|tar|tgz|tar\.gz|tbz2?|tar\.bz2)$/i;

/** Where a single file is sent. */
export const UPLOAD_PATH = '/v1/image/upload';

/** Where a file is sent, and the fields sent with it. */
export interface Parcel {
  readonly url: string;
  readonly fields: FormData;
}

/** The options of the form that are set; lifetimes become times counted from now. */
export function optionsIn(form: HTMLFormElement): FormData {
  const fields = new FormData(form);
  const life = String(fields.get('expiresIn') ?? '');
  const hours = Number(life);
  for (const name of ['file', 'expiresIn', 'unpack', 'seal', 'collection']) fields.delete(name);
  for (const [name, value] of [...fields]) if (value === '') fields.delete(name);
  if (hours > 0) fields.set('expiresAt', new Date(Date.now() + hours * 3_600_000).toISOString());
  if (life === 'never') fields.set('expiresAt', life);
  return fields;
}

/** The options of the form with one file. */
export function pack(form: HTMLFormElement, file: File): Parcel {
  const unpack = new FormData(form).has('unpack') && ARCHIVE_NAME.test(file.name);
  const fields = optionsIn(form);
  if (unpack) fields.delete('uniqueId');
  fields.set('source', 'WEB');
  fields.set('file', file, file.name);
  return { url: unpack ? '/v1/image/upload/zip' : UPLOAD_PATH, fields };
}

/** A custom ID can be used for one file only: the file that takes it clears the field for the next ones. */
export function takeAddress(form: HTMLFormElement, { fields }: Pick<Parcel, 'fields'>): void {
  if (fields.has('uniqueId')) find<HTMLInputElement>(form, '[name="uniqueId"]').value = '';
}

/** A file that failed puts its custom ID back, unless the field has another one by now. */
export function giveBack(form: HTMLFormElement, { fields }: Pick<Parcel, 'fields'>): void {
  const input = find<HTMLInputElement>(form, '[name="uniqueId"]');
  if (input.value === '') input.value = String(fields.get('uniqueId') ?? '');
}
