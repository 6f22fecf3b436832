import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { anyAccount } from '../../../db/account/account.js';
import { beginAgain, beginDemo, demoMadeFor, isDemo, keepDemo } from '../../../db/system/demo.js';
import { releaseLease, takeLease } from '../../../db/system/lease.js';
import { ensureOwner } from '../../../routers/features/auth/first-owner.js';
import { ConfigError } from '../../shared/config-error.js';
import { DEMO_ACCOUNTS, DEMO_MS, demoBeganAt } from '../../shared/demo.js';
import type { Config } from '../config/config.js';
import type { OpenServices } from '../services.js';
import { sweep } from '../upkeep/sweep.js';
import { seed } from './seed.js';

/** How long the right to make the demo lasts when its process dies, and how often another one asks. */
const LEASE_MS = 15_000;
const ASK_MS = 500;

/**
 * Refuses, and closes, a database with other accounts for a demo, and that of a demo for anything else: its passwords are
 * public.
 */
export async function requireFitting({ demo }: Config, { db }: OpenServices): Promise<void> {
  if ((await isDemo(db)) === demo) return;
  const hasAccounts = await anyAccount(db.read);
  if (demo && !hasAccounts) return;
  await db.close();
  if (!demo)
    throw new ConfigError(
      'Holdall cannot start: this database is that of a demo, whose passwords everybody knows. Set DEMO=true, or use another DATA_DIR or DATABASE_URL.',
    );
  throw new ConfigError(
    'Holdall cannot start with DEMO=true: this database has accounts, which would be deleted every hour. Use an empty DATA_DIR or DATABASE_URL.',
  );
}

/** Makes the demo, unless it is there and of this release, and begins it anew if its hour is over. */
export async function prepareDemo(config: Config, app: OpenServices): Promise<void> {
  const { settings, db, log } = app;
  const made = JSON.stringify([
    settings.version,
    settings.origin,
    settings.mailDomain,
    config.owner?.username,
  ]);
  const holder = randomUUID();
  const isMine = () => {
    const at = Date.now();
    return db.write((trx) => takeLease(trx, { name: 'demo', holder }, at, at + LEASE_MS));
  };
  while ((await demoMadeFor(db)) !== made) {
    if (!(await isMine())) {
      await delay(ASK_MS);
      continue;
    }
    const renewing = setInterval(() => void isMine().catch(() => undefined), LEASE_MS / 3);
    try {
      if ((await demoMadeFor(db)) !== made) await make(config, app, made);
    } finally {
      clearInterval(renewing);
      await db.write((trx) => releaseLease(trx, { name: 'demo', holder }));
    }
    log.info({ accounts: DEMO_ACCOUNTS.map(({ username }) => username) }, 'the demo was made');
  }
  await resetDemo(app);
}

async function make(config: Config, app: OpenServices, made: string): Promise<void> {
  await beginDemo(app.db, Date.now());
  // What somebody had set is gone with the rest.
  await app.installation.refresh();
  const owner = config.owner ?? {
    ...{ username: 'owner', email: 'owner@example.org', apiKey: null },
    // Nobody signs in as the owner, unless the configuration says who that is.
    password: randomBytes(24).toString('base64url'),
  };
  if (DEMO_ACCOUNTS.some(({ username }) => username === owner.username.toLowerCase()))
    throw new ConfigError('Holdall cannot start: OWNER_USERNAME is that of an account of the demo');
  await ensureOwner(app, owner);
  await seed(app);
  const at = Date.now();
  await keepDemo(app.db, made, demoBeganAt(at), at);
}

/**
 * Begins the demo anew if its hour is over: accounts, items, settings and all else are as they were first, in one
 * transaction. Then the bytes go that nothing refers to any more.
 */
export async function resetDemo(app: OpenServices, at = Date.now()): Promise<void> {
  if (!(await beginAgain(app.db, demoBeganAt(at), at))) return;
  await app.installation.refresh();
  app.log.info({}, 'the demo begins anew');
  await sweep(app);
}

/** Begins the demo anew on every hour from now on; returns what ends that. */
export function watchDemo(app: OpenServices): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const wait = (from: number) => {
    const next = demoBeganAt(from) + DEMO_MS;
    timer = setTimeout(() => {
      // A timer may be early by a moment.
      const at = Math.max(next, Date.now());
      running = resetDemo(app, at).catch((error: unknown) =>
        app.log.error({ err: error }, 'the demo could not begin anew; it will at the next hour'),
      );
      wait(at);
    }, next - Date.now()).unref();
  };
  wait(Date.now());
  return async () => {
    clearTimeout(timer);
    await running;
  };
}
