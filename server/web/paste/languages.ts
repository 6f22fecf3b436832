import { t } from '../../../routers/base/language/i18n.js';
import { LANGUAGES } from '../../../routers/base/ports/highlight.js';

/** The languages that can be chosen. */
export const languageChoices = () => [
  ['', t('Detect automatically')] as const,
  ...[...LANGUAGES, 'mermaid'].sort().map((name) => [name, name] as const),
];
