import { shlinkRule } from '../../../../rest-adapter/doors/shlink/rules.js';
import { wayFields } from '../../../../routers/features/link/way-input.js';
import { addressBelow, PLAIN, type Product, refused, type SourceLink } from '../port.js';
import { type Known, type KnownTables, openKnown } from '../tables/known.js';
import { namesOf, pairsOf } from '../tables/pairs.js';
import type { Row } from '../tables/tables.js';
import { moment, text, truth, whole } from '../tables/values.js';
import { defaultFirst } from './domains.js';

const OF_LINKS = { isOptional: true, needs: ['short_url_id'] } as const;

const KNOWN: Known = {
  product: 'Shlink 3 or 4',
  tables: {
    short_urls: {
      needs: [
        ...['id', 'original_url', 'short_code', 'date_created', 'valid_since', 'valid_until', 'max_visits'],
        ...['domain_id', 'title', 'crawlable', 'forward_query'],
      ],
      may: ['import_source', 'import_original_short_code', 'title_was_auto_resolved', 'author_api_key_id'],
    },
    domains: {
      needs: ['id', 'authority'],
      may: ['base_url_redirect', 'regular_not_found_redirect', 'invalid_short_url_redirect'],
    },
    tags: { needs: ['id', 'name'] },
    short_urls_in_tags: { needs: ['short_url_id', 'tag_id'] },
    short_url_visits_counts: { ...OF_LINKS, may: ['id', 'potential_bot', 'slot_id', 'count'] },
    visits: {
      ...OF_LINKS,
      may: [
        ...['id', 'referer', 'date', 'remote_addr', 'user_agent', 'visit_location_id', 'visited_url', 'type'],
        ...['potential_bot', 'redirect_url'],
      ],
    },
    short_url_redirect_rules: { ...OF_LINKS, may: ['id', 'priority', 'long_url'] },
    redirect_conditions: {
      isOptional: true,
      needs: ['id'],
      may: ['name', 'type', 'match_key', 'match_value'],
    },
    redirect_conditions_in_short_url_redirect_rules: {
      isOptional: true,
      needs: ['redirect_condition_id', 'short_url_redirect_rule_id'],
    },
    device_long_urls: { ...OF_LINKS, may: ['id', 'device_type', 'long_url'] },
  },
  others: [
    ...['api_keys', 'api_key_roles'],
    ...['visit_locations', 'orphan_visits_counts', 'geolocation_db_updates'],
  ],
};

/** Shlink 3 and 4: its database, in SQLite or PostgreSQL, or a dump of MySQL or MariaDB. It has no accounts. */
export const shlink: Product = {
  needs: { database: true, files: false },
  paths: { links: '/' },
  async open({ database, paths, ignored }) {
    const tables = await openKnown(database ?? '', KNOWN, ignored);
    return {
      async *accounts() {},
      async *items() {
        const visits = await visitsOf(tables);
        const rules = await rulesOf(tables);
        const tags = await namesOf(
          tables,
          { table: 'short_urls_in_tags', of: 'short_url_id', with: 'tag_id' },
          { table: 'tags', id: 'id', name: 'name' },
        );
        const domains = new Map<string, SourceLink['host']>();
        for await (const row of tables.rows('domains'))
          domains.set(text(row.id) ?? '', {
            name: text(row.authority) ?? '',
            fallbackUrl: text(row.invalid_short_url_redirect) ?? text(row.regular_not_found_redirect),
          });
        for await (const row of defaultFirst(tables, 'short_urls')) {
          const id = text(row.id) ?? '';
          const code = text(row.short_code) ?? '';
          const host = domains.get(text(row.domain_id) ?? '') ?? null;
          const since = moment(row.valid_since);
          if (since !== null && since > Date.now()) {
            yield refused('url', `link ${id}`, 'is not valid yet');
            continue;
          }
          yield {
            ...PLAIN,
            kind: 'url',
            key: `link ${id}`,
            owner: null,
            id: code,
            addresses: [addressBelow(paths.links ?? '', code)],
            createdAt: moment(row.date_created) ?? Date.now(),
            expiresAt: moment(row.valid_until),
            // Without them its usual target is for everybody here.
            without: rules.get(id) === null ? ['its redirect rules'] : [],
            rules: rules.get(id) ?? [],
            tags: tags(id),
            rows: [row],
            target: text(row.original_url) ?? '',
            visits: visits.get(id) ?? 0,
            maxUses: whole(row.max_visits),
            note: text(row.title) || null,
            host,
            forwardQuery: truth(row.forward_query),
          };
        }
      },
      leftOut: () => tables.strangers,
      close: () => tables.close(),
    };
  },
};

/** How often each link was visited. Shlink counts in several rows per link, so that they are not locked for long. */
async function visitsOf(tables: KnownTables): Promise<Map<string, number>> {
  const visits = new Map<string, number>();
  const counted = tables.has('short_url_visits_counts');
  for await (const row of tables.rows(counted ? 'short_url_visits_counts' : 'visits')) {
    const id = text(row.short_url_id);
    if (id !== null) visits.set(id, (visits.get(id) ?? 0) + (counted ? (whole(row.count) ?? 0) : 1));
  }
  return visits;
}

/**
 * The rules of links that lead some visitors elsewhere, in their order; null if there is a condition among them that cannot
 * be kept.
 */
async function rulesOf(tables: KnownTables): Promise<ReadonlyMap<string, readonly unknown[] | null>> {
  const conditions = new Map<string, Row>();
  for await (const row of tables.rows('redirect_conditions')) conditions.set(text(row.id) ?? '', row);
  const ofRules = await pairsOf(tables, {
    table: 'redirect_conditions_in_short_url_redirect_rules',
    of: 'short_url_redirect_rule_id',
    with: 'redirect_condition_id',
  });
  const found = new Map<string, { readonly priority: number; readonly rule: unknown }[]>();
  const add = (row: Row, priority: number, given: readonly (Row | undefined)[]) => {
    const id = text(row.short_url_id) ?? '';
    const rule = {
      longUrl: text(row.long_url),
      conditions: given.map((one) => ({
        type: text(one?.type),
        matchKey: text(one?.match_key),
        matchValue: text(one?.match_value),
      })),
    };
    found.set(id, [...(found.get(id) ?? []), { priority, rule }]);
  };
  for await (const row of tables.rows('short_url_redirect_rules')) {
    const given = ofRules.get(text(row.id) ?? '') ?? [];
    // One without conditions is no rule there.
    add(
      row,
      whole(row.priority) ?? 0,
      given.length === 0 ? [undefined] : given.map((id) => conditions.get(id)),
    );
  }
  for await (const row of tables.rows('device_long_urls'))
    add(row, 0, [{ type: 'device', match_key: null, match_value: row.device_type } as Row]);
  return new Map([...found].map(([id, all]) => [id, kept(all.sort((a, b) => a.priority - b.priority))]));
}

/** The rules as the API takes them; null if one of them is none of here. */
function kept(rules: readonly { readonly rule: unknown }[]): readonly unknown[] | null {
  try {
    const taken = rules.map(({ rule }, index) => shlinkRule(rule, index));
    wayFields.rules.parse(taken);
    return taken;
  } catch {
    return null;
  }
}
