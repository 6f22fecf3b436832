import { type I18n, t } from '../../../routers/base/language/i18n.js';
import { cutText } from '../../../routers/base/text/cut.js';
import type { PasteRecord } from '../records.js';

/** What a line begins with in Markdown and in comments. */
const SIGNS = /^[#/*<>!;"'\s-]+/;

/**
 * What pages call a paste: by its title, its first file or its first line. Records of those without a title have the ID instead.
 * Handlers say in which language one is untitled.
 */
export function pasteName(
  { title, uniqueId, files, content, burn, sealed }: PasteRecord,
  i18n: Pick<I18n, 't'> = { t },
): string {
  if (title !== uniqueId) return title;
  const line = content
    .split('\n')
    .map((words) => words.replace(SIGNS, '').trim())
    .find(Boolean);
  const told = burn || sealed ? undefined : (files?.[0]?.name ?? line);
  return told ? cutText(told, 80) : i18n.t('Untitled');
}
