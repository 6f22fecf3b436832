/** What administrators set in pages instead of variables. Implemented in `server/runtime/config/`. */

import type { StoredSetting } from '../../../db/system/setting.js';

/** What settings are about, in the order of their page. */
export const SETTING_GROUPS = [
  'accounts',
  'oidc',
  'mail',
  'addresses',
  'origins',
  'doors',
  'reading',
  'notifications',
] as const;
export type SettingGroup = (typeof SETTING_GROUPS)[number];

/** How a setting is declared, beside the variable whose name it has. */
export interface SettingDeclaration {
  readonly group: SettingGroup;
  /** Whether it is written only, and encrypted where it is kept. */
  readonly secret: boolean;
  /** The words that it can be; null for any text. */
  readonly choices: readonly string[] | null;
  /** Whether it is several of them, separated by commas. */
  readonly many: boolean;
}

/** A setting as administrators see it. */
export interface SettingFact extends SettingDeclaration {
  readonly name: string;
  /** As it is in effect; null if nobody set it, and of secrets. */
  readonly value: string | null;
  /** Whether the environment says it, which wins. */
  readonly fixed: boolean;
  readonly set: boolean;
  /** What holds while it is not set; null for nothing in particular. */
  readonly usual: string | null;
}

/** Texts by the name of a setting; null unsets. */
export type SettingChange = Readonly<Record<string, string | null>>;

/** The settings of this installation in this process. */
export interface Installation {
  facts(): readonly SettingFact[];
  /** Of one setting; null for a name of none. */
  declarationOf(name: string): SettingDeclaration | null;
  /**
   * What has to be stored for a change of what is stored, and removed. Throws INVALID with `NAME: why` for what the server
   * could not start with, and SETTING_FIXED for what the environment says.
   */
  plan(
    stored: readonly StoredSetting[],
    change: SettingChange,
  ): { readonly put: readonly StoredSetting[]; readonly remove: readonly string[] };
  /** Takes over what is stored now; other processes do within two seconds. */
  refresh(): Promise<void>;
}
