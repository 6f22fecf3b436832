import { t } from '../../../routers/base/language/i18n.js';
import { LANGUAGES } from '../../../routers/base/ports/highlight.js';

/** Names that are more than their identifier with a capital. */
const NAMES: Readonly<Record<string, string>> = {
  cpp: 'C++',
  csharp: 'C#',
  css: 'CSS',
  graphql: 'GraphQL',
  ini: 'INI',
  javascript: 'JavaScript',
  json: 'JSON',
  nginx: 'nginx',
  php: 'PHP',
  powershell: 'PowerShell',
  sql: 'SQL',
  typescript: 'TypeScript',
  xml: 'XML/HTML',
  yaml: 'YAML',
};

/** What people call a language. */
export function languageName(language: string): string {
  if (language === 'plaintext') return t('Plain text');
  return NAMES[language] ?? `${language.charAt(0).toUpperCase()}${language.slice(1)}`;
}

/** The languages that can be chosen. */
export const languageChoices = () => [
  ['', t('Detect automatically')] as const,
  ...[...LANGUAGES, 'mermaid']
    .map((language) => [language, languageName(language)] as const)
    .sort(([, a], [, b]) => a.localeCompare(b)),
];
