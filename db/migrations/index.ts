import type { Knex } from 'knex';
import * as core from './0001_core.js';
import * as jobs from './0002_jobs.js';
import * as accounts from './0010_accounts.js';
import * as statistics from './0020_statistics.js';
import * as mail from './0021_mail.js';
import * as hub from './0022_hub.js';
import * as media from './0030_media.js';
import * as links from './0040_links.js';
import * as webhookDeliveries from './0041_webhook_deliveries.js';
import * as rateLimits from './0050_rate_limits.js';
import * as visitsAlike from './0060_visits_alike.js';
import * as visitsApart from './0061_visits_apart.js';
import * as blobRemovals from './0062_blob_removals.js';
import * as secondFactors from './0070_second_factors.js';
import * as plausibleFacts from './0080_plausible_facts.js';
import * as visitsByBots from './0081_visits_by_bots.js';
import * as mailTextsApart from './0082_mail_texts_apart.js';
import * as indexesOfPeople from './0083_indexes_of_people.js';
import * as openItemsCounted from './0084_open_items_counted.js';
import * as namedKeys from './0093_named_keys.js';
import * as liveSessions from './0094_live_sessions.js';
import * as metadataOfImages from './0095_metadata_of_images.js';
import * as agesOfRenditions from './0096_ages_of_renditions.js';
import * as webhooksWithoutTimes from './0097_webhooks_without_times.js';

interface Migration {
  readonly name: string;
  up(knex: Knex): Promise<void>;
  down(knex: Knex): Promise<void>;
}

/** In order. Names carry no file extension, so that sources and build agree on what has run. */
const migrations: readonly Migration[] = [
  { name: '0001_core', ...core },
  { name: '0002_jobs', ...jobs },
  { name: '0010_accounts', ...accounts },
  { name: '0020_statistics', ...statistics },
  { name: '0021_mail', ...mail },
  { name: '0022_hub', ...hub },
  { name: '0030_media', ...media },
  { name: '0040_links', ...links },
  { name: '0041_webhook_deliveries', ...webhookDeliveries },
  { name: '0050_rate_limits', ...rateLimits },
  { name: '0060_visits_alike', ...visitsAlike },
  { name: '0061_visits_apart', ...visitsApart },
  { name: '0062_blob_removals', ...blobRemovals },
  { name: '0070_second_factors', ...secondFactors },
  { name: '0080_plausible_facts', ...plausibleFacts },
  { name: '0081_visits_by_bots', ...visitsByBots },
  { name: '0082_mail_texts_apart', ...mailTextsApart },
  { name: '0083_indexes_of_people', ...indexesOfPeople },
  { name: '0084_open_items_counted', ...openItemsCounted },
  { name: '0093_named_keys', ...namedKeys },
  { name: '0094_live_sessions', ...liveSessions },
  { name: '0095_metadata_of_images', ...metadataOfImages },
  { name: '0096_ages_of_renditions', ...agesOfRenditions },
  { name: '0097_webhooks_without_times', ...webhooksWithoutTimes },
];

/** Hands the migrations to knex, for the server and for the knex command line alike. */
export const migrationSource: Knex.MigrationSource<Migration> = {
  // The command line prints `file` of what is pending.
  getMigrations: async () => migrations.map((migration) => ({ ...migration, file: migration.name })),
  getMigrationName: (migration) => migration.name,
  getMigration: async (migration) => ({ up: migration.up, down: migration.down }),
};
