import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const SCOPE = '@tesseract.js-data';
/** Which of the models of a package is read: the one that is most exact, without that of earlier versions. */
const MODEL = '4.0.0_best_int';

/** The file of a language's model, packed; null if it is not installed. */
export function modelOf(language: string): string | null {
  if (!/^[a-z]{3}(?:_[a-z]{3,5})?$/i.test(language)) return null;
  try {
    const folder = dirname(require.resolve(`${SCOPE}/${language}/package.json`));
    const path = join(folder, MODEL, `${language}.traineddata.gz`);
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

/** The languages whose words can be read in pictures: none without the packages for it. */
export function installedLanguages(): readonly string[] {
  try {
    require.resolve('tesseract.js-core/package.json');
  } catch {
    return [];
  }
  const folders = (require.resolve.paths(SCOPE) ?? []).map((path) => join(path, SCOPE)).filter(existsSync);
  const names = new Set(folders.flatMap((folder) => readdirSync(folder)));
  return [...names].filter((name) => modelOf(name) !== null).sort();
}
