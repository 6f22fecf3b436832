import type { z } from 'zod';
import type { SettingDeclaration, SettingGroup } from '../../routers/base/ports/installation.js';

const declared = new WeakMap<z.ZodType, SettingDeclaration>();

/** Makes a variable a setting, too, that administrators change in pages while the server runs. */
export function setting<S extends z.ZodType>(
  group: SettingGroup,
  variable: S,
  { secret = false, choices = null, many = false }: Partial<Omit<SettingDeclaration, 'group'>> = {},
): S {
  declared.set(variable, { group, secret, choices, many });
  return variable;
}

/** How the setting of a variable was declared; null if it is none. */
export const settingOf = (variable: z.ZodType): SettingDeclaration | null => declared.get(variable) ?? null;
