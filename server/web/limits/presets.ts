import { msg } from '../../../routers/base/language/i18n.js';

/** Limits to begin with, by their names in addresses. */
export const PRESETS = ['', 'small', 'normal', 'none'] as const;
export type Preset = (typeof PRESETS)[number];

/** What those that set something are called. */
export const PRESET_WORDS = [
  ['small', msg('Small')],
  ['normal', msg('Normal')],
] as const;

/** What may be created on a day, in numbers and MiB; four times as much in a week. */
const perDay = (type: string, number: number, mib: number | null) => ({
  [`${type}.dailyCount`]: number,
  [`${type}.weeklyCount`]: 4 * number,
  ...(mib === null ? {} : { [`${type}.dailyBytes`]: mib, [`${type}.weeklyBytes`]: 4 * mib }),
});

/** All fields of a preset, by the names and in the units of the form; those that it leaves empty have none. */
const VALUES: Readonly<Record<Exclude<Preset, ''>, Readonly<Record<string, number>>>> = {
  // A few people who share now and then.
  small: {
    ...perDay('IMAGE', 50, 500),
    ...perDay('FILE', 100, 500),
    ...perDay('PASTE', 50, 10),
    ...perDay('URL', 50, null),
    ...perDay('TEMP_MAIL', 5, null),
    'TOTAL.storageBytes': 2048,
    'pack.maxFiles': 50,
    'pack.maxBytes': 500,
  },
  // What a person hardly reaches, and a broken program soon does.
  normal: {
    ...perDay('IMAGE', 500, 5120),
    ...perDay('FILE', 1000, 5120),
    ...perDay('PASTE', 500, 100),
    ...perDay('URL', 500, null),
    ...perDay('TEMP_MAIL', 20, null),
    'TOTAL.storageBytes': 20_480,
    'pack.maxFiles': 500,
    'pack.maxBytes': 5120,
  },
  none: {},
};

/** What a field of the form holds: that of the preset, or what is stored without one. */
export const presetOr = (preset: Preset, field: string, stored: number | null): number | null =>
  preset === '' ? stored : (VALUES[preset][field] ?? null);
