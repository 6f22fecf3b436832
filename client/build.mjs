/**
 * Builds `@holdall/client` into client/dist: one script without dependencies, one declaration file that holds
 * the whole type of the router and nothing of the server's, and the `holdall` command.
 */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const root = fileURLToPath(new URL('..', import.meta.url));
const types = `${root}client/.types`;
const out = `${root}client/dist`;

/** What a procedure's context is made of concerns the server alone: every name of these modules becomes `object`. */
const SERVER_ONLY = [/\/routers\/context\.d\.ts$/, /\/routers\/ports[\w-]*\.d\.ts$/, /\/db\/.*\.d\.ts$/];

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

await rm(types, { recursive: true, force: true });
await rm(out, { recursive: true, force: true });
await promisify(execFile)('npx', ['tsc', '-p', 'client/tsconfig.types.json'], { cwd: root });

const bundle = await rollup({
  input: `${types}/client/src/index.d.ts`,
  plugins: [stubServerTypes(), dts({ respectExternal: true })],
  onwarn: (warning) => {
    throw new Error(warning.message);
  },
});
await bundle.write({ file: `${out}/index.d.ts`, format: 'es' });

await build({
  entryPoints: [`${root}client/src/index.ts`],
  outfile: `${out}/index.js`,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  mainFields: ['module', 'main'],
  conditions: ['import'],
  legalComments: 'none',
});

await build({
  entryPoints: [`${root}client/bin/holdall.ts`],
  outfile: `${out}/holdall.js`,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
});
