/**
 * Builds `@holdall/client`: scripts without dependencies, one declaration file with the complete type of
 * the router but none of the server's types, and the `holdall` command.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The types of a procedure's context matter only to the server: every name in these modules becomes `object`. */
const SERVER_ONLY = [
  /\/routers\/core\/context\.d\.ts$/,
  /\/routers\/base\/ports\/.*\.d\.ts$/,
  /\/db\/.*\.d\.ts$/,
];

function stubServerTypes() {
  return {
    name: 'stub-server-types',
    transform(code, id) {
      if (!SERVER_ONLY.some((pattern) => pattern.test(id))) return null;
      const names = new Set(
        Array.from(
          code.matchAll(/export (?:declare )?(?:abstract )?(?:interface|type|class|const|function) (\w+)/g),
          (m) => m[1],
        ),
      );
      return [...names]
        .map((name) => `export type ${name} = object;\nexport declare const ${name}: object;`)
        .join('\n');
    },
  };
}

/** The package, and its subpath for what is sealed. */
const ENTRIES = ['index', 'sealed'];

/** Builds into `out` (client/dist by default), replacing what was there. */
export async function buildClient(out = `${root}client/dist`) {
  await rm(out, { recursive: true, force: true });
  await Promise.all([
    buildTypes(out),
    ...ENTRIES.map((name) =>
      buildScript(`client/src/${name}.ts`, `${out}/${name}.js`, {
        platform: 'neutral',
        target: 'es2022',
        mainFields: ['module', 'main'],
        conditions: ['import'],
      }),
    ),
    buildScript('client/bin/holdall.ts', `${out}/holdall.js`, { platform: 'node', target: 'node20' }),
  ]);
}

async function buildTypes(out) {
  // Below node_modules, the declarations can resolve the packages they import.
  const cache = `${root}node_modules/.cache`;
  await mkdir(cache, { recursive: true });
  const types = await mkdtemp(`${cache}/client-types-`);
  try {
    await promisify(execFile)('npx', ['tsc', '-p', 'client/tsconfig.types.json', '--outDir', types], {
      cwd: root,
    });
    for (const name of ENTRIES) {
      const bundle = await rollup({
        input: `${types}/client/src/${name}.d.ts`,
        // Only declarations of the server's side name them, of which nothing stays.
        external: [/^node:/],
        plugins: [stubServerTypes(), dts({ respectExternal: true })],
        onwarn: (warning) => {
          throw new Error(warning.message);
        },
      });
      await bundle.write({ file: `${out}/${name}.d.ts`, format: 'es' });
    }
  } finally {
    await rm(types, { recursive: true, force: true });
  }
}

const buildScript = (entry, outfile, options) =>
  build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    legalComments: 'none',
    ...options,
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildClient(process.argv[2]);
