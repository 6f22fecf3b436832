import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, onlyArgument, UsageError } from '../../../client/bin/command.js';
import { userByUsername } from '../../../db/account/account.js';
import { listUsers } from '../../../db/account/account-list.js';
import type { Services } from '../../../routers/core/context.js';
import { readConfig } from '../../runtime/config/config.js';
import { createCommandLogger } from '../../runtime/logger.js';
import { openServices } from '../../runtime/services.js';
import { PRODUCT_NAMES } from '../import/names.js';
import { ImportError, type Product, type SourceOptions } from '../import/port.js';
import { reportTo } from '../import/report.js';
import { type ImportOptions, importAll } from '../import/run.js';
import { PRODUCTS } from '../import/sources/index.js';
import { requireDatabase } from './require-database.js';

/** `holdall import`: moves accounts, items and addresses of another product in. */
export async function importFrom([name = '', ...args]: string[]): Promise<void> {
  const known = PRODUCT_NAMES.find((one) => one === name);
  if (known === undefined) throw new UsageError(`name a product: ${PRODUCT_NAMES.join(', ')}`);
  const product = PRODUCTS[known];
  const { values } = parseArgs({
    args,
    options: {
      database: { type: 'string' },
      files: { type: 'string' },
      links: { type: 'string' },
      prefix: { type: 'string' },
      hidden: { type: 'boolean' },
      ignore: { type: 'string', multiple: true, default: [] },
      name: { type: 'string', default: name },
      owner: { type: 'string' },
      map: { type: 'string', multiple: true, default: [] },
      path: { type: 'string', multiple: true, default: [] },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const { name: source, owner = null, 'dry-run': dryRun } = values;
  const map = new Map(pairs('map', values.map));
  await run(product, optionsOf(product, values), { source, owner, map, dryRun });
}

/** `holdall adopt`: the files of a folder become items without a second copy. */
export async function adopt(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      hidden: { type: 'boolean' },
      owner: { type: 'string' },
      name: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const files = resolve(onlyArgument(positionals, 'FOLDER'));
  const { hidden, owner = null, name: source = files, 'dry-run': dryRun } = values;
  const options = optionsOf(PRODUCTS.folder, { files, hidden, path: [], ignore: [] });
  await run(PRODUCTS.folder, options, { source, owner, map: new Map(), dryRun, adopts: true });
}

/** How an import is asked for; without an owner, what belongs to nobody comes to that of the installation. */
interface Asked extends Omit<ImportOptions, 'owner' | 'adoptingIn'> {
  readonly owner: string | null;
  readonly adopts?: boolean;
}

async function run(product: Product, options: SourceOptions, asked: Asked): Promise<void> {
  if (options.files !== null && !(await stat(options.files).catch(() => null))?.isDirectory())
    throw new CommandError(`${options.files} is no folder, or cannot be read`);
  const config = readConfig();
  requireDatabase(config);
  if (asked.adopts && config.places[0] !== 'disk')
    throw new CommandError(
      'files can be adopted on the disk only: with an object store, use holdall import folder',
    );
  const app = await openServices(config, createCommandLogger());
  const folder = asked.adopts ? await mkdtemp(join(config.dataDir, 'adopting-')) : null;
  try {
    const owner = asked.owner ?? (await ownerOf(app));
    if (folder !== null) await requireAsTheyAre(app, owner);
    const source = await product.open(options);
    try {
      const { report, total } = reportTo(asked.dryRun);
      await importAll(app, source, { ...asked, owner, adoptingIn: folder }, report);
      process.stderr.write(total(source.leftOut()));
    } finally {
      await source.close();
    }
  } catch (error) {
    throw error instanceof ImportError ? new CommandError(error.message, { cause: error }) : error;
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true });
    await app.db.close();
  }
}

/** Refuses to adopt where files could not stay as they are. */
async function requireAsTheyAre(app: Services, owner: string): Promise<void> {
  const user = await userByUsername(app.db.read, owner);
  if (user !== null && user.metadataPolicy !== 'keep')
    throw new CommandError(
      `the account ${owner} removes metadata, which would change the files: choose "Keep everything" under Settings, Uploads, or use holdall import folder`,
    );
}

/** The options that only some products have. */
const PLACES = ['database', 'files', 'links', 'prefix', 'hidden'] as const;
type Place = (typeof PLACES)[number];

function optionsOf(
  { needs, paths }: Product,
  values: { [what in Exclude<Place, 'hidden'>]?: string | undefined } & {
    hidden?: boolean | undefined;
    path: readonly string[];
    ignore: readonly string[];
  },
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
    prefix: values.prefix ?? null,
    hidden: values.hidden ?? false,
    ignored: values.ignore,
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
    { matches: null, role: 'OWNER', status: 'ACTIVE' },
    { offset: 0, limit: 1 },
  );
  const [owner] = owners.items;
  if (owner !== undefined) return owner.username;
  throw new CommandError('there is no owner yet: run `holdall invite` and register with the link it prints');
}
