import readExif from 'exif-reader';
import sharp from 'sharp';
import type { ExifValue } from '../../../../routers/base/ports/media/media.js';
import type { TaskRunner } from './tasks.js';

/** Enough for what cameras write; more is what programs hide there. */
const MAX_FIELDS = 200;
const MAX_TEXT = 500;
const MAX_NUMBERS = 16;

/** The EXIF fields of a picture by their names, those of the camera, the photograph and the place; null without any. */
export const exif: TaskRunner<'exif'> = async ({ path }) => {
  const { exif: block } = await sharp(path).metadata();
  if (block === undefined) return null;
  const { Image, Photo, GPSInfo } = readExif(block);
  const fields = [Image, Photo, GPSInfo]
    .flatMap((group) => Object.entries(group ?? {}))
    .flatMap(([name, value]) => {
      const shown = plain(value);
      return shown === null ? [] : [[name, shown] as const];
    });
  return fields.length === 0 ? null : Object.fromEntries(fields.slice(0, MAX_FIELDS));
};

/** A value as JSON has it; null for bytes and for what is damaged. */
function plain(value: unknown): ExifValue | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'string')
    return value.replaceAll('\0', '').trim().slice(0, MAX_TEXT).toWellFormed() || null;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value) && value.length <= MAX_NUMBERS && value.every(Number.isFinite)) return value;
  return null;
}
