import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { lookupId } from '../../../db/content/content.js';
import { PLAIN_WAY } from '../../../db/content/link/link-way.js';
import { DomainError, fail } from '../../base/errors.js';
import { type Localizable, localizable } from '../../base/language/localizable.js';
import { idOnDomain } from '../../base/link-domain.js';
import { isReserved } from '../../base/slug.js';
import { type CsvRecord, readLongCsv, UnclosedQuote } from '../../base/text/csv.js';
import { hasFewParts } from '../../base/text/json-parts.js';
import { localizableOfIssue } from '../../base/text/zod-messages.js';
import type { AccountContext } from '../../core/context.js';
import { entryRulesOf } from '../../core/entry/entry-rules.js';
import { takeCreations } from '../../core/items/creation-rate.js';
import { domainFor, requireElsewhere } from '../../core/items/domains.js';
import { endOfNew } from '../../core/items/lifetime.js';
import { COLUMNS, FLAGS, type Row, row } from './import-row.js';
import { costOf, storeImport } from './import-store.js';
import { readTarget } from './target.js';
import { changedWay, targetsOf } from './way-input.js';

/** Links in one import, and the bytes of their text. */
const MAX_ROWS = 5_000;
const MAX_TEXT = 2 * 1024 * 1024;
/** Links of an import that cost as much as one that is created by itself, which is a transaction of its own. */
const ROWS_OF_ONE = 10;
/** Those with a password, whose hashes are slow by design. */
const MAX_PASSWORDS = 100;
/** Rows that are checked before others get their turn. */
const AT_ONCE = 100;
const TOO_LONG = localizable('there are more cells than columns; put a cell with a comma in quotes');
/** Refusals that one answer names. */
const MAX_LISTED = 10;

/** A list of links as CSV or JSON, and what to do with them. */
export const importInput = z.object({
  text: z.string({ error: 'send CSV or JSON' }).max(8 * 1024 * 1024),
  format: z
    .string()
    .nullish()
    .transform((value) => value?.toLowerCase() || null)
    .pipe(z.enum(['csv', 'json'], { error: 'use csv or json' }).nullable()),
  dryRun: z.boolean().nullish(),
});

/** What an import made, or would make. `uniqueId` null: it gets one when it is stored. */
export const importResult = z.object({
  dryRun: z.boolean(),
  total: z.int(),
  created: z.int(),
  links: z.array(
    z.object({
      line: z.int(),
      uniqueId: z.string().nullable(),
      url: z.string(),
      /** Whether the id is a word of the service, so that the link is reached below `/r/` only. */
      reserved: z.boolean(),
    }),
  ),
});

/** A row that was read, and the line on which it begins. */
interface Given {
  readonly line: number;
  readonly fields: unknown;
  /** Whether it has cells that belong to no column. */
  readonly isTooLong?: boolean;
}
/**
 * Stores links from CSV or JSON: all of them, or none if one is refused. The refusal names the lines. With `dryRun`
 * nothing is stored. An import sends no events.
 */
export async function importLinks(
  ctx: AccountContext,
  input: z.output<typeof importInput>,
): Promise<z.output<typeof importResult>> {
  const { app, account } = ctx;
  await takeCreations(app, account.id);
  const bytes = Buffer.byteLength(input.text);
  if (bytes > MAX_TEXT) fail('TOO_LARGE');
  const isJson = (input.format ?? (/^\s*[[{]/.test(input.text) ? 'json' : 'csv')) === 'json';
  const rows = await checked(
    ctx,
    isJson ? entriesOf(input.text) : await rowsOf(input.text),
    isJson ? onEntry : onLine,
  );
  const dryRun = input.dryRun === true;
  const cost = rows.reduce((sum, given) => sum + costOf(given), 0);
  if (!dryRun) await takeCreations(app, account.id, { items: cost / ROWS_OF_ONE, bytes });
  const links = dryRun ? rows.map(({ uniqueId }) => uniqueId) : await storeImport(ctx, rows);
  return {
    dryRun,
    total: rows.length,
    created: dryRun ? 0 : rows.length,
    links: rows.map(({ line, target }, index) => {
      const uniqueId = links[index] ?? null;
      return { line, uniqueId, url: target, reserved: uniqueId !== null && isReserved(uniqueId) };
    }),
  };
}

async function recordsOf(text: string): Promise<CsvRecord[]> {
  try {
    return await readLongCsv(text, MAX_ROWS + 1);
  } catch (error) {
    if (error instanceof UnclosedQuote)
      fail('INVALID', onLine(error.line, localizable('a quote is not closed')));
    throw error;
  }
}

async function rowsOf(text: string): Promise<Given[]> {
  const [head, ...records] = await recordsOf(text);
  const names = head?.cells.map((name) => name.trim().toLowerCase()) ?? [];
  if (!names.includes('url'))
    fail(
      'INVALID',
      onLine(
        1,
        localizable('name the columns, of {columns}; url is needed', { columns: COLUMNS.join(', ') }),
      ),
    );
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (twice !== undefined)
    fail('INVALID', onLine(1, localizable('the column {column} is there twice', { column: twice })));
  return records.map(({ line, cells }) => ({
    line,
    isTooLong: cells.length > names.length,
    fields: Object.fromEntries(
      [...COLUMNS, ...FLAGS].flatMap((column) => {
        const at = names.indexOf(column.toLowerCase());
        return at < 0 ? [] : [[column, cells[at] ?? '']];
      }),
    ),
  }));
}

function entriesOf(text: string): Given[] {
  if (!hasFewParts(text)) fail('TOO_LARGE');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    fail('INVALID', 'The text is not valid JSON');
  }
  const { links, message } = (Array.isArray(value) ? {} : (value ?? {})) as {
    links?: unknown;
    message?: unknown;
  };
  const list = [value, links, message].find(Array.isArray) as unknown[] | undefined;
  if (list === undefined) fail('INVALID', 'Send a list of links');
  return list.slice(0, MAX_ROWS + 1).map((fields, index) => ({ line: index + 1, fields }));
}

/** The rows, if all of them can be stored; 400 with what is wrong, by line, otherwise. */
async function checked(
  { app, account }: AccountContext,
  given: readonly Given[],
  on: (line: number, why: Localizable) => Localizable,
): Promise<Row[]> {
  if (given.length === 0) fail('INVALID', 'There is no link in it');
  if (given.length > MAX_ROWS)
    fail('INVALID', localizable('An import can have at most {max} links', { max: MAX_ROWS }));
  const wrong: Localizable[] = [];
  const rows: Row[] = [];
  const seen = new Map<string, number>();
  const rules = await entryRulesOf(app, account.id);
  for (const [index, { line, fields, isTooLong }] of given.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
    try {
      if (isTooLong === true) fail('INVALID', TOO_LONG);
      const parsed = row.parse(fields);
      const target = readTarget(parsed.url, app.settings);
      const domain = await domainFor(app, account.id, parsed.domain ?? null);
      const key = parsed.uniqueId === null ? null : lookupId(idOnDomain(domain, parsed.uniqueId));
      const before = key === null ? undefined : seen.get(key);
      if (before !== undefined)
        fail(
          'ID_TAKEN',
          on === onEntry
            ? localizable('uniqueId: the same as on entry {line}', { line: before })
            : localizable('uniqueId: the same as on line {line}', { line: before }),
        );
      if (key !== null) seen.set(key, line);
      const way = changedWay(PLAIN_WAY, parsed, app.settings);
      await requireElsewhere(app, targetsOf(target, way));
      rows.push({ ...parsed, line, target, way, domain, expiresAt: endOfNew(rules, parsed.expiresAt) });
    } catch (error) {
      wrong.push(on(line, reasonOf(error)));
    }
  }
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    const taken = await Promise.all(
      rows
        .slice(start, start + AT_ONCE)
        .map(async ({ uniqueId, domain, line }) =>
          uniqueId !== null && (await app.load.url(idOnDomain(domain, uniqueId))) !== null
            ? [on(line, localizable('uniqueId: this id is taken'))]
            : [],
        ),
    );
    wrong.push(...taken.flat());
  }
  if (wrong.length > 0) {
    const list = wrong
      .slice(0, MAX_LISTED)
      .reduce((first, next) => localizable('{first}; {next}', { first, next }));
    const more = wrong.length - MAX_LISTED;
    fail('INVALID', more > 0 ? localizable('{list}; and {more} more', { list, more }) : list);
  }
  if (rows.filter(({ password }) => password !== null).length > MAX_PASSWORDS)
    fail(
      'INVALID',
      localizable('At most {max} links of an import can have a password', { max: MAX_PASSWORDS }),
    );
  return rows;
}

const onLine = (line: number, why: Localizable): Localizable =>
  localizable('line {line}: {why}', { line, why });
const onEntry = (line: number, why: Localizable): Localizable =>
  localizable('entry {line}: {why}', { line, why });

function reasonOf(error: unknown): Localizable {
  if (error instanceof DomainError) return error.localizable;
  if (!(error instanceof z.ZodError)) throw error;
  const [issue] = error.issues;
  return issue === undefined ? localizable('is not valid') : localizableOfIssue(issue);
}
