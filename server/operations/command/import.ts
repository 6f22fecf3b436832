import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, UsageError } from '../../../client/bin/command.js';
import { listUsers } from '../../../db/account/account.js';
import type { Services } from '../../../routers/context.js';
import { readConfig } from '../../runtime/config/config.js';
import { createCommandLogger } from '../../runtime/logger.js';
import { openServices } from '../../runtime/services.js';
import { ImportError, type Product, type SourceOptions } from '../import/port.js';
import { type ImportReport, importAll } from '../import/run.js';
import { PRODUCTS } from '../import/sources/index.js';
import { IMPORTED } from '../import/store/index.js';
import { requireDatabase } from './require-database.js';

/** After this many items the progress is told. */
const TOLD_EVERY = 1_000;

/** `holdall import`: moves accounts, items and addresses of another product in. */
export async function importFrom([name = '', ...args]: string[]): Promise<void> {
  const product = Object.hasOwn(PRODUCTS, name) ? PRODUCTS[name] : undefined;
  if (product === undefined) throw new UsageError(`name a product: ${Object.keys(PRODUCTS).join(', ')}`);
  const { values } = parseArgs({
    args,
    options: {
      database: { type: 'string' },
      files: { type: 'string' },
      links: { type: 'string' },
      name: { type: 'string', default: name },
      owner: { type: 'string' },
      map: { type: 'string', multiple: true, default: [] },
      path: { type: 'string', multiple: true, default: [] },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const options = optionsOf(product, values);
  const config = readConfig();
  requireDatabase(config);
  const app = await openServices(config, createCommandLogger());
  try {
    const owner = values.owner ?? (await ownerOf(app));
    const source = await product.open(options);
    try {
      const { report, total } = reportTo(values['dry-run']);
      const map = new Map(pairs('map', values.map));
      await importAll(app, source, { source: values.name, owner, map, dryRun: values['dry-run'] }, report);
      process.stderr.write(total());
    } finally {
      await source.close();
    }
  } catch (error) {
    throw error instanceof ImportError ? new CommandError(error.message, { cause: error }) : error;
  } finally {
    await app.db.close();
  }
}

/** The options that say where something of the other product is. */
const PLACES = ['database', 'files', 'links'] as const;
type Place = (typeof PLACES)[number];

function optionsOf(
  { needs, paths }: Product,
  values: { [what in Place]?: string | undefined } & { path: readonly string[] },
): SourceOptions {
  for (const option of PLACES) {
    if (needs[option] === true && !values[option]) throw new UsageError(`--${option} is missing`);
    if (!needs[option] && values[option] !== undefined)
      throw new UsageError(`--${option} has no meaning here`);
  }
  const given = pairs('path', values.path);
  const unknown = given.find(([what]) => !Object.hasOwn(paths, what));
  if (unknown !== undefined)
    throw new UsageError(
      `--path ${unknown[0]}=… has no meaning here; there is ${Object.keys(paths).join(', ')}`,
    );
  const { database } = values;
  return {
    database: database === undefined ? null : database.includes('://') ? database : resolve(database),
    files: values.files === undefined ? null : resolve(values.files),
    links: values.links === undefined ? null : resolve(values.links),
    paths: { ...paths, ...Object.fromEntries(given) },
  };
}

const pairs = (option: string, values: readonly string[]): (readonly [string, string])[] =>
  values.map((value) => {
    const at = value.indexOf('=');
    if (at < 1) throw new UsageError(`--${option} is NAME=VALUE`);
    return [value.slice(0, at), value.slice(at + 1)] as const;
  });

/** The owner of the installation, to whom comes what belongs to nobody. */
async function ownerOf({ db }: Services): Promise<string> {
  const owners = await listUsers(
    db,
    { sought: null, role: 'OWNER', status: 'ACTIVE' },
    { offset: 0, limit: 1 },
  );
  const [owner] = owners.items;
  if (owner !== undefined) return owner.username;
  throw new CommandError('there is no owner yet: run `holdall invite` and register with the link it prints');
}

/** Tells what becomes of what, in lines; the total in the end. */
function reportTo(dryRun: boolean): { report: ImportReport; total: () => string } {
  const came = new Map<string, number>();
  let [known, refused, seen] = [0, 0, 0];
  return {
    report: {
      account: ({ username }, to) => {
        const what = {
          known: 'is',
          created: 'is new as',
          'without password': 'is new, without a password, as',
        };
        process.stdout.write(`account ${username} ${what[to.what]} ${to.username}\n`);
      },
      item: (kind, key, what, text) => {
        seen += 1;
        if (what === 'known') known += 1;
        else if (what === 'refused') {
          refused += 1;
          process.stdout.write(`${key}: ${text}\n`);
        } else came.set(kind, (came.get(kind) ?? 0) + 1);
        if (seen % TOLD_EVERY === 0) process.stderr.write(`${seen} items\n`);
      },
    },
    total: () => {
      const counts = Object.entries(IMPORTED).map(([kind, { called }]) => `${came.get(kind) ?? 0} ${called}`);
      const list = `${counts.slice(0, -1).join(', ')} and ${counts.at(-1)}`;
      return (
        `${dryRun ? 'would import' : 'imported'} ${list}; ` +
        `${known} had come before, ${refused} cannot come${refused > 0 ? ' (listed above)' : ''}\n`
      );
    },
  };
}
