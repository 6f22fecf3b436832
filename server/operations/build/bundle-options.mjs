import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** Packages of several hundred small files that every process reads at its start; in a bundle they are one. */
const BUNDLED = new Set(['knex', 'zod']);

const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const external = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !BUNDLED.has(name));

/** The drivers of databases that are not used here, and parts of others that are not installed. knex names them. */
const ABSENT = [
  'better-sqlite3',
  'mariadb',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'tedious',
];

/** Messages of zod in other languages than English, a third of the package: ours are translated with the pages. */
const withoutZodLocales = {
  name: 'without-zod-locales',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/**
 * How our scripts for Node are bundled, for the program and its tests: one output per entry point, shared code in
 * `shared`, npm packages left external except for a few (docs/adr/0008).
 */
export const bundleOptions = {
  outbase: '.',
  chunkNames: 'shared/[name]-[hash]',
  bundle: true,
  splitting: true,
  external: [...external, ...ABSENT].flatMap((name) => [name, `${name}/*`]),
  // The bundled packages are CommonJS, which loads others with `require`.
  banner: {
    js: "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url);",
  },
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // Node keeps the text of every script that it runs in memory: without comments and spaces it is half, and ASCII.
  minifyWhitespace: true,
  minifySyntax: true,
  plugins: [withoutZodLocales],
};
