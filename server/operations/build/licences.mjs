import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licences of the packages that became part of a build, from the list of its inputs (esbuild's `metafile`). */
export function licencesOf(root, { inputs }) {
  const packages = new Set(
    Object.keys(inputs).flatMap((path) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  );
  return [...packages]
    .sort()
    .map((path) => licenceIn(join(root, path)))
    .join(`\n${'-'.repeat(72)}\n\n`);
}

function licenceIn(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence file, so it cannot be part of a build`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
