/**
 * `npm run texts`: what is missing in the catalogues. `-- LANGUAGE` prints the missing texts of one as JSON to fill in,
 * `-- LANGUAGE FILE` takes them from there, sorts, and removes what the sources no longer have.
 */
import { readFileSync } from 'node:fs';
import { languageNamed } from '../../../routers/base/language/languages.js';
import { readCatalogue, TRANSLATED, writeCatalogue } from './catalogues.js';
import { wrongWith } from './check.js';
import { textsOfSources } from './extract.js';

const { found } = textsOfSources();
const keys = new Set(found.map(({ key }) => key));
const [name, file] = process.argv.slice(2);
const language = languageNamed(name ?? null);

if (language === null) {
  for (const one of TRANSLATED) {
    const known = readCatalogue(one);
    const missing = [...keys].filter((key) => !Object.hasOwn(known, key)).length;
    const unused = Object.keys(known).filter((key) => !keys.has(key)).length;
    console.log(`${one}: ${keys.size} texts, ${missing} missing, ${unused} no longer used`);
  }
} else if (file === undefined) {
  const known = readCatalogue(language);
  const missing = [...keys].filter((key) => !Object.hasOwn(known, key));
  console.log(JSON.stringify(Object.fromEntries(missing.map((key) => [key, ''])), null, 2));
} else {
  const given = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  for (const [key, text] of Object.entries(given)) {
    const wrong = text === '' ? null : wrongWith(key, text, language);
    if (wrong === null) continue;
    console.error(`${JSON.stringify(key)}: ${wrong}`);
    process.exitCode = 1;
  }
  if (process.exitCode !== 1) {
    const texts = { ...readCatalogue(language), ...given };
    const kept = Object.entries(texts).filter(([key, text]) => keys.has(key) && text !== '');
    writeCatalogue(language, Object.fromEntries(kept));
  }
}
