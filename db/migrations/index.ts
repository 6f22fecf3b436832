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
import * as mailAsItCame from './0110_mail_as_it_came.js';
import * as mailShownSizes from './0111_mail_shown_sizes.js';
import * as guestMailboxes from './0120_guest_mailboxes.js';
import * as unreadAndForwards from './0121_unread_and_forwards.js';
import * as editing from './0130_editing.js';
import * as pasteRevisions from './0131_paste_revisions.js';
import * as trash from './0132_trash.js';
import * as countries from './0133_countries.js';
import * as collections from './0140_collections.js';
import * as uploadRequests from './0141_upload_requests.js';
import * as uploads from './0150_uploads.js';
import * as limits from './0160_limits.js';
import * as order from './0161_order.js';
import * as keysThatOnlyCreate from './0170_keys_that_only_create.js';
import * as identities from './0171_identities.js';
import * as passkeys from './0172_passkeys.js';
import * as search from './0180_search.js';
import * as mailSendings from './0190_mail_sendings.js';
import * as networksOfSenders from './0200_networks_of_senders.js';
import * as branding from './0210_branding.js';
import * as imports from './0220_imports.js';
import * as trashOfCollections from './0230_trash_of_collections.js';
import * as tagsOfCollections from './0231_tags_of_collections.js';
import * as importedItems from './0232_imported_items.js';
import * as sentHashes from './0240_sent_hashes.js';
import * as entryRules from './0241_entry_rules.js';
import * as reportedCollections from './0242_reported_collections.js';
import * as withheldAttachments from './0250_withheld_attachments.js';
import * as languagesOfAccounts from './0280_languages_of_accounts.js';
import * as shortWaysAroundTexts from './0290_short_ways_around_texts.js';
import * as viewsByDay from './0300_views_by_day.js';
import * as indexesOfOrders from './0310_indexes_of_orders.js';
import * as auditByEvent from './0311_audit_by_event.js';
import * as networksOfGuests from './0320_networks_of_guests.js';
import * as openingsOfItems from './0330_openings_of_items.js';
import * as accentsOfSearches from './0340_accents_of_searches.js';
import * as listsByTime from './0350_lists_by_time.js';
import * as mailboxesForTests from './0360_mailboxes_for_tests.js';
import * as waysOfLinks from './0361_ways_of_links.js';
import * as sealed from './0370_sealed.js';
import * as linksOfItems from './0380_links_of_items.js';
import * as favourites from './0381_favourites.js';
import * as domains from './0390_domains.js';
import * as healthOfTargets from './0391_health_of_targets.js';
import * as settings from './0410_settings.js';
import * as walls from './0450_walls.js';
import * as membersOfCollections from './0460_members_of_collections.js';
import * as filesOfPastes from './0475_files_of_pastes.js';
import * as linkDigests from './0480_link_digests.js';
import * as wordsOfFiles from './0490_words_of_files.js';
import * as wordsOfPictures from './0491_words_of_pictures.js';
import * as tellings from './0500_tellings.js';
import * as beginningsOfMails from './0520_beginnings_of_mails.js';
import * as toldOfWhatIsGone from './0550_told_of_what_is_gone.js';

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
  { name: '0110_mail_as_it_came', ...mailAsItCame },
  { name: '0111_mail_shown_sizes', ...mailShownSizes },
  { name: '0120_guest_mailboxes', ...guestMailboxes },
  { name: '0121_unread_and_forwards', ...unreadAndForwards },
  { name: '0130_editing', ...editing },
  { name: '0131_paste_revisions', ...pasteRevisions },
  { name: '0132_trash', ...trash },
  { name: '0133_countries', ...countries },
  { name: '0140_collections', ...collections },
  { name: '0141_upload_requests', ...uploadRequests },
  { name: '0150_uploads', ...uploads },
  { name: '0160_limits', ...limits },
  { name: '0161_order', ...order },
  { name: '0170_keys_that_only_create', ...keysThatOnlyCreate },
  { name: '0171_identities', ...identities },
  { name: '0172_passkeys', ...passkeys },
  { name: '0180_search', ...search },
  { name: '0190_mail_sendings', ...mailSendings },
  { name: '0200_networks_of_senders', ...networksOfSenders },
  { name: '0210_branding', ...branding },
  { name: '0220_imports', ...imports },
  { name: '0230_trash_of_collections', ...trashOfCollections },
  { name: '0231_tags_of_collections', ...tagsOfCollections },
  { name: '0232_imported_items', ...importedItems },
  { name: '0240_sent_hashes', ...sentHashes },
  { name: '0241_entry_rules', ...entryRules },
  { name: '0242_reported_collections', ...reportedCollections },
  { name: '0250_withheld_attachments', ...withheldAttachments },
  { name: '0280_languages_of_accounts', ...languagesOfAccounts },
  { name: '0290_short_ways_around_texts', ...shortWaysAroundTexts },
  { name: '0300_views_by_day', ...viewsByDay },
  { name: '0310_indexes_of_orders', ...indexesOfOrders },
  { name: '0311_audit_by_event', ...auditByEvent },
  { name: '0320_networks_of_guests', ...networksOfGuests },
  { name: '0330_openings_of_items', ...openingsOfItems },
  { name: '0340_accents_of_searches', ...accentsOfSearches },
  { name: '0350_lists_by_time', ...listsByTime },
  { name: '0360_mailboxes_for_tests', ...mailboxesForTests },
  { name: '0361_ways_of_links', ...waysOfLinks },
  { name: '0370_sealed', ...sealed },
  { name: '0380_links_of_items', ...linksOfItems },
  { name: '0381_favourites', ...favourites },
  { name: '0390_domains', ...domains },
  { name: '0391_health_of_targets', ...healthOfTargets },
  { name: '0410_settings', ...settings },
  { name: '0450_walls', ...walls },
  { name: '0460_members_of_collections', ...membersOfCollections },
  { name: '0475_files_of_pastes', ...filesOfPastes },
  { name: '0480_link_digests', ...linkDigests },
  { name: '0490_words_of_files', ...wordsOfFiles },
  { name: '0491_words_of_pictures', ...wordsOfPictures },
  { name: '0500_tellings', ...tellings },
  { name: '0520_beginnings_of_mails', ...beginningsOfMails },
  { name: '0550_told_of_what_is_gone', ...toldOfWhatIsGone },
];

/** Hands the migrations to knex, for the server and for the knex command line alike. */
export const migrationSource: Knex.MigrationSource<Migration> = {
  // The command line prints `file` of what is pending.
  getMigrations: async () => migrations.map((migration) => ({ ...migration, file: migration.name })),
  getMigrationName: (migration) => migration.name,
  getMigration: async (migration) => ({ up: migration.up, down: migration.down }),
};
