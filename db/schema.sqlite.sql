-- The schema after all migrations on sqlite. Made by `npm run db:schema`; a test compares it.

CREATE TABLE account_limits (
  user_id integer,
  policy text not null,
  foreign key(user_id) references users(id) on delete CASCADE,
  primary key (user_id)
);

CREATE TABLE account_seals (
  user_id integer,
  recipient text not null,
  wrapped text not null,
  changed_at bigint not null,
  foreign key(user_id) references users(id) on delete CASCADE,
  primary key (user_id)
);

CREATE TABLE api_keys (
  id integer not null primary key autoincrement,
  user_id integer not null,
  name text not null,
  is_main boolean not null,
  key_hash text not null,
  scopes text,
  created_at bigint not null,
  expires_at bigint,
  last_used_at bigint,
  key_cipher text,
  prefix text,
  as_visitor boolean NOT NULL DEFAULT false,
  last_used_ip text,
  create_only boolean NOT NULL DEFAULT false,
  foreign key(user_id) references users(id) on delete CASCADE
);
CREATE INDEX api_keys_user_id_index on api_keys (user_id);
CREATE UNIQUE INDEX api_keys_key_hash_unique on api_keys (key_hash);
CREATE UNIQUE INDEX api_keys_main ON api_keys (user_id) WHERE is_main;

CREATE TABLE audit_log (
  id integer not null primary key autoincrement,
  at bigint not null,
  event text not null,
  actor_id integer,
  subject_id integer,
  ip_address text,
  details text not null
);
CREATE INDEX audit_log_at_index on audit_log (at);
CREATE INDEX audit_log_actor_id_index on audit_log (actor_id);
CREATE INDEX audit_log_subject_id_index on audit_log (subject_id);
CREATE INDEX audit_log_event_id_index on audit_log (event, id);

CREATE TABLE blob_removals (
  sha256 text,
  token text not null,
  removed_at bigint not null,
  primary key (sha256)
);
CREATE INDEX blob_removals_removed_at_index on blob_removals (removed_at);

CREATE TABLE blobs (
  sha256 text,
  size bigint not null,
  refs integer not null,
  doomed_at bigint,
  primary key (sha256)
);
CREATE INDEX blobs_unused ON blobs (sha256) WHERE refs = 0;

CREATE TABLE blocks (
  id integer not null primary key autoincrement,
  kind text not null,
  value text not null,
  first text not null,
  last text not null,
  note text,
  created_by integer,
  created_at bigint not null,
  foreign key(created_by) references users(id) on delete SET NULL
);
CREATE INDEX blocks_created_by_index on blocks (created_by);
CREATE UNIQUE INDEX blocks_kind_value_unique on blocks (kind, value);
CREATE INDEX blocks_kind_first_last_index on blocks (kind, first, last);

CREATE TABLE branding (
  id integer,
  name text,
  tagline text,
  logo text,
  accent text,
  footer_links text,
  banner text,
  privacy text,
  imprint text,
  unknown_url text,
  primary key (id)
);

CREATE TABLE chat_links (
  id integer not null primary key autoincrement,
  user_id integer not null,
  chat_id text not null,
  username text not null,
  global_name text,
  avatar text not null,
  email text,
  access_cipher text not null,
  refresh_cipher text,
  expires_at bigint not null,
  renewing_until bigint,
  connected_at bigint not null,
  foreign key(user_id) references users(id) on delete CASCADE
);
CREATE UNIQUE INDEX chat_links_user_id_unique on chat_links (user_id);
CREATE UNIQUE INDEX chat_links_chat_id_unique on chat_links (chat_id);

CREATE TABLE codes (
  user_id integer not null,
  purpose text not null,
  email_key text not null,
  code_hash text,
  link_hash text not null,
  attempts integer not null,
  created_at bigint not null,
  expires_at bigint not null,
  foreign key(user_id) references users(id) on delete CASCADE,
  primary key (user_id, purpose)
);
CREATE UNIQUE INDEX codes_link_hash_unique on codes (link_hash);
CREATE INDEX codes_expires_at_index on codes (expires_at);

CREATE TABLE collection_items (
  collection_id integer not null,
  image_id integer not null,
  position integer not null,
  path text,
  address text,
  file_type text,
  foreign key(collection_id) references collections(id) on delete CASCADE,
  foreign key(image_id) references images(id) on delete CASCADE,
  primary key (collection_id, image_id)
);
CREATE INDEX playlist_items_image_id_index on collection_items (image_id);
CREATE UNIQUE INDEX collection_items_address ON collection_items (address) WHERE address IS NOT NULL;

CREATE TABLE collection_members (
  collection_id integer not null,
  user_id integer not null,
  role text not null,
  created_at bigint not null,
  foreign key(collection_id) references collections(id) on delete CASCADE,
  foreign key(user_id) references users(id) on delete CASCADE,
  primary key (collection_id, user_id)
);
CREATE INDEX collection_members_user_id_index on collection_members (user_id);

CREATE TABLE collection_offers (
  collection_id integer,
  user_id integer not null,
  created_at bigint not null,
  foreign key(collection_id) references collections(id) on delete CASCADE,
  foreign key(user_id) references users(id) on delete CASCADE,
  primary key (collection_id)
);
CREATE INDEX collection_offers_user_id_index on collection_offers (user_id);

CREATE TABLE collections (
  id integer not null primary key autoincrement,
  unique_id text not null,
  lookup_id text not null,
  owner_id integer not null,
  title text not null,
  description text,
  cover_image_id integer,
  views bigint not null,
  created_at bigint not null,
  face text NOT NULL DEFAULT 'playlist',
  is_public boolean NOT NULL DEFAULT true,
  password_hash text,
  expires_at bigint,
  max_views bigint,
  updated_at bigint,
  trashed_at bigint,
  quarantine text,
  seal text,
  favourite boolean NOT NULL DEFAULT false,
  revision integer NOT NULL DEFAULT 1,
  telling text NOT NULL DEFAULT 'none',
  foreign key(owner_id) references users(id) on delete CASCADE,
  foreign key(cover_image_id) references images(id) on delete SET NULL
);
CREATE UNIQUE INDEX playlists_lookup_id_unique on collections (lookup_id);
CREATE INDEX playlists_owner_id_id_index on collections (owner_id, id);
CREATE INDEX playlists_cover_image_id_index on collections (cover_image_id);
CREATE INDEX collections_trash ON collections (owner_id, trashed_at) WHERE trashed_at IS NOT NULL;
CREATE INDEX collections_trashed ON collections (trashed_at) WHERE trashed_at IS NOT NULL;
CREATE INDEX collections_telling ON collections (owner_id) WHERE telling <> 'none';

CREATE TABLE content_days (
  kind text NOT NULL,
  day integer NOT NULL,
  owner_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  format text NOT NULL,
  items bigint NOT NULL,
  bytes bigint NOT NULL,
  open_items bigint NOT NULL DEFAULT 0,
  open_bytes bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, format, day, owner_id)
) WITHOUT ROWID;
CREATE INDEX content_days_owner ON content_days (owner_id, kind, day, items, bytes, open_items);

CREATE TABLE domains (
  id integer not null primary key autoincrement,
  owner_id integer not null,
  host text not null,
  token text not null,
  state text not null,
  approved boolean,
  proof text,
  proven_at bigint,
  checked_at bigint,
  fallback_url text,
  created_at bigint not null,
  foreign key(owner_id) references users(id) on delete CASCADE
);
CREATE UNIQUE INDEX domains_owner on domains (owner_id, host);
CREATE INDEX domains_host on domains (host, state);
CREATE UNIQUE INDEX domains_active ON domains (host) WHERE state = 'active';
CREATE INDEX domains_checked ON domains (checked_at) WHERE state IN ('active', 'waiting', 'paused');

CREATE TABLE entry_rules (
  scope text,
  rules text not null,
  primary key (scope)
);

CREATE TABLE hit_days (
  kind text NOT NULL,
  item_id integer NOT NULL,
  day integer NOT NULL,
  owner_id integer NOT NULL,
  people bigint NOT NULL,
  bots bigint NOT NULL,
  PRIMARY KEY (kind, item_id, day)
) WITHOUT ROWID;
CREATE INDEX hit_days_owner ON hit_days (owner_id, day, kind, item_id, people, bots);

CREATE TABLE hub_notes (
  id integer not null primary key autoincrement,
  sender text not null,
  topic text not null,
  message text not null,
  sent_at bigint not null
);
CREATE INDEX hub_notes_sent_at_index on hub_notes (sent_at);

CREATE TABLE identities (
  id integer not null primary key autoincrement,
  user_id integer not null,
  provider text not null,
  issuer text not null,
  subject text not null,
  email text,
  name text,
  created_at bigint not null,
  last_used_at bigint,
  foreign key(user_id) references users(id) on delete CASCADE
);
CREATE INDEX identities_user_id_index on identities (user_id);
CREATE UNIQUE INDEX identities_issuer_subject_unique on identities (issuer, subject);

CREATE TABLE image_words (
  image_id integer,
  source text not null,
  words text not null,
  boxes text,
  foreign key(image_id) references images(id) on delete CASCADE,
  primary key (image_id)
);
CREATE INDEX image_words_source ON image_words (source, image_id);

CREATE TABLE images (
  id integer not null primary key autoincrement,
  unique_id text not null,
  lookup_id text not null,
  owner_id integer not null,
  is_public boolean not null,
  password_hash text,
  shadowed boolean not null,
  created_at bigint not null,
  expires_at bigint,
  sha256 text not null,
  size bigint not null,
  mime_type text not null,
  type text not null,
  media_kind text not null,
  original_name text,
  description text,
  source text not null,
  location text not null,
  width integer,
  height integer,
  duration_ms bigint,
  animated boolean not null default '0',
  thumbhash text,
  poster_sha256 text,
  max_views integer,
  views integer not null default '0',
  metadata text,
  revision integer NOT NULL DEFAULT 1,
  updated_at bigint,
  named_at bigint,
  tagged boolean NOT NULL DEFAULT false,
  trashed_at bigint,
  quarantine text,
  sent_sha256 text,
  opened bigint NOT NULL DEFAULT 0,
  seal text,
  favourite boolean NOT NULL DEFAULT false,
  telling text NOT NULL DEFAULT 'none',
  foreign key(owner_id) references users(id) on delete CASCADE
);
CREATE UNIQUE INDEX images_lookup_id_unique on images (lookup_id);
CREATE INDEX images_sha256_index on images (sha256);
CREATE INDEX images_expires ON images (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX images_day_size ON images ((created_at / 86400000), size) WHERE is_public AND password_hash IS NULL;
CREATE INDEX images_trash ON images (owner_id, trashed_at) WHERE trashed_at IS NOT NULL;
CREATE INDEX images_trashed ON images (trashed_at) WHERE trashed_at IS NOT NULL;
CREATE INDEX images_own_sha256 ON images (owner_id, sha256);
CREATE INDEX images_own_sent_sha256 ON images (owner_id, sent_sha256) WHERE sent_sha256 IS NOT NULL;
CREATE INDEX images_named ON images (owner_id, lower(coalesce(original_name, unique_id))) WHERE trashed_at IS NULL;
CREATE INDEX images_sized ON images (owner_id, size) WHERE trashed_at IS NULL;
CREATE INDEX images_private ON images (owner_id, created_at) WHERE NOT is_public AND trashed_at IS NULL;
CREATE INDEX images_protected ON images (owner_id, created_at, is_public) WHERE password_hash IS NOT NULL AND trashed_at IS NULL;
CREATE INDEX images_of_medium ON images (owner_id, media_kind, created_at) WHERE trashed_at IS NULL;
CREATE INDEX images_viewed ON images (owner_id, (CASE WHEN max_views IS NULL THEN opened ELSE views END), created_at) WHERE trashed_at IS NULL;
CREATE INDEX images_owner ON images (owner_id, created_at, id, trashed_at);
CREATE INDEX images_created ON images (created_at, id, trashed_at, owner_id);
CREATE INDEX images_favourite ON images (owner_id, created_at, id, trashed_at) WHERE favourite;
CREATE INDEX images_telling ON images (owner_id) WHERE telling <> 'none';

CREATE TABLE imported (
  source text not null,
  source_key text not null,
  kind text not null,
  item_id integer not null,
  primary key (source, source_key)
);
CREATE INDEX imported_kind_item_id_index on imported (kind, item_id);

CREATE TABLE installation (
  name text,
  value text not null,
  primary key (name)
);

CREATE TABLE invites (
  id integer not null primary key autoincrement,
  code_hash text not null,
  code_cipher text,
  role text not null,
  created_by integer,
  created_at bigint not null,
  expires_at bigint,
  max_uses integer not null,
  uses integer not null,
  used_at bigint,
  used_by integer,
  foreign key(created_by) references users(id) on delete SET NULL,
  foreign key(used_by) references users(id) on delete SET NULL
);
CREATE UNIQUE INDEX invites_code_hash_unique on invites (code_hash);
CREATE INDEX invites_created_by_index on invites (created_by);
CREATE INDEX invites_used_by_index on invites (used_by);

CREATE TABLE item_aliases (
  kind text not null,
  lookup_id text not null,
  unique_id text not null,
  item_id integer not null,
  held_since bigint not null,
  primary key (kind, lookup_id)
);
CREATE INDEX item_aliases_kind_item_id_index on item_aliases (kind, item_id);

CREATE TABLE item_tags (
  tag_id integer not null,
  kind text not null,
  item_id integer not null,
  foreign key(tag_id) references tags(id) on delete CASCADE,
  primary key (tag_id, kind, item_id)
);
CREATE INDEX item_tags_kind_item_id_index on item_tags (kind, item_id);

CREATE TABLE jobs (
  id integer not null primary key autoincrement,
  kind text not null,
  payload text not null,
  unique_key text,
  created_at bigint not null,
  run_at bigint not null,
  attempts integer not null default '0',
  locked_until bigint,
  last_error text,
  failed_at bigint
);
CREATE UNIQUE INDEX jobs_unique_key_unique on jobs (unique_key);
CREATE INDEX jobs_due ON jobs (run_at) WHERE failed_at IS NULL;

CREATE TABLE leases (
  name text,
  holder text not null,
  held_until bigint not null,
  primary key (name)
);

CREATE TABLE limit_usage (
  owner_id integer not null,
  type text not null,
  day integer not null,
  week integer not null,
  day_items bigint not null,
  day_bytes bigint not null,
  week_items bigint not null,
  week_bytes bigint not null,
  foreign key(owner_id) references users(id) on delete CASCADE,
  primary key (owner_id, type)
);

CREATE TABLE link_digests (
  user_id integer,
  due_at bigint not null,
  foreign key(user_id) references users(id) on delete CASCADE,
  primary key (user_id)
);
CREATE INDEX link_digests_due on link_digests (due_at);

CREATE TABLE live_sessions (
  id text,
  user_id integer,
  session_id integer,
  visitor text not null,
  user_agent text not null,
  ip_address text not null,
  page text not null,
  connected_at bigint not null,
  seen_at bigint not null,
  closed_at bigint,
  foreign key(user_id) references users(id) on delete CASCADE,
  primary key (id)
);
CREATE INDEX live_sessions_user_id_index on live_sessions (user_id);
CREATE INDEX live_sessions_seen_at_index on live_sessions (seen_at);

CREATE TABLE mail_attachments (
  id integer not null primary key autoincrement,
  mail_id bigint not null,
  filename text not null,
  content_type text not null,
  size bigint not null,
  sha256 text,
  content_id text,
  disposition text,
  withheld text,
  foreign key(mail_id) references mail_messages(id) on delete CASCADE
);
CREATE INDEX mail_attachments_mail_id_index on mail_attachments (mail_id);

CREATE TABLE mail_contents (
  mail_id bigint,
  content text not null,
  original_sha256 text,
  original_size bigint,
  foreign key(mail_id) references mail_messages(id) on delete CASCADE,
  primary key (mail_id)
);
CREATE INDEX mail_contents_originals ON mail_contents (mail_id, original_sha256, original_size) WHERE original_sha256 IS NOT NULL;

CREATE TABLE mail_forwards (
  mailbox_id integer,
  target text not null,
  code_hash text,
  expires_at bigint not null,
  foreign key(mailbox_id) references mailboxes(id) on delete CASCADE,
  primary key (mailbox_id)
);
CREATE UNIQUE INDEX mail_forwards_code_hash_unique on mail_forwards (code_hash);

CREATE TABLE mail_messages (
  id integer not null primary key autoincrement,
  mailbox_id integer not null,
  message_id text not null,
  received_at bigint not null,
  removed_at bigint,
  size bigint not null,
  from_text text NOT NULL DEFAULT '',
  subject text NOT NULL DEFAULT '',
  sent_at bigint,
  codes text NOT NULL DEFAULT '[]',
  shown_size bigint,
  unread boolean NOT NULL DEFAULT false,
  tags text NOT NULL DEFAULT '[]',
  beginning text NOT NULL DEFAULT '',
  foreign key(mailbox_id) references mailboxes(id) on delete CASCADE
);
CREATE UNIQUE INDEX mail_messages_mailbox_id_message_id_unique on mail_messages (mailbox_id, message_id);
CREATE INDEX mail_messages_mailbox_id_id_index on mail_messages (mailbox_id, id);
CREATE INDEX mail_messages_removed ON mail_messages (removed_at) WHERE removed_at IS NOT NULL;
CREATE INDEX mail_messages_unread ON mail_messages (mailbox_id) WHERE unread;

CREATE TABLE mail_recipients (
  sending_id integer not null,
  address text not null,
  state text not null,
  answer text,
  changed_at bigint not null,
  report_id text,
  foreign key(sending_id) references mail_sendings(id) on delete CASCADE,
  primary key (sending_id, address)
);
CREATE INDEX mail_recipients_report_id_index on mail_recipients (report_id);

CREATE TABLE mail_sendings (
  id integer not null primary key autoincrement,
  account_id integer not null,
  mailbox_id integer,
  message_id text not null,
  kind text not null,
  about text,
  sender text not null,
  subject text not null,
  sent_at bigint not null,
  foreign key(account_id) references users(id) on delete CASCADE,
  foreign key(mailbox_id) references mailboxes(id) on delete CASCADE
);
CREATE INDEX mail_sendings_mailbox_id_index on mail_sendings (mailbox_id);
CREATE UNIQUE INDEX mail_sendings_message_id_unique on mail_sendings (message_id);
CREATE INDEX mail_sendings_about_index on mail_sendings (about);
CREATE INDEX mail_sendings_sender_index on mail_sendings (sender);
CREATE INDEX mail_sendings_sent_at_index on mail_sendings (sent_at);
CREATE INDEX mail_sendings_account_id_id_index on mail_sendings (account_id, id);

CREATE TABLE mail_tokens (
  token_hash text,
  delivery text not null,
  taken_at bigint not null,
  primary key (token_hash)
);
CREATE INDEX mail_tokens_taken_at_index on mail_tokens (taken_at);

CREATE TABLE mailboxes (
  id integer not null primary key autoincrement,
  address text not null,
  owner_id integer,
  status text not null,
  suspended_by integer,
  created_at bigint not null,
  expires_at bigint,
  token_hash text not null,
  guest boolean NOT NULL DEFAULT false,
  sending_hash text,
  rules text,
  foreign key(owner_id) references users(id) on delete SET NULL,
  foreign key(suspended_by) references users(id) on delete SET NULL
);
CREATE UNIQUE INDEX mailboxes_address_unique on mailboxes (address);
CREATE INDEX mailboxes_owner_id_index on mailboxes (owner_id);
CREATE INDEX mailboxes_suspended_by_index on mailboxes (suspended_by);
CREATE INDEX mailboxes_guests ON mailboxes (expires_at) WHERE guest;

CREATE TABLE merged_tags (
  former_id integer,
  tag_id integer not null,
  foreign key(tag_id) references tags(id) on delete CASCADE,
  primary key (former_id)
);
CREATE INDEX merged_tags_tag_id_index on merged_tags (tag_id);

CREATE TABLE messenger_codes (
  user_id integer not null,
  purpose text not null,
  code_hash text not null,
  expires_at bigint not null,
  foreign key(user_id) references users(id) on delete CASCADE,
  primary key (user_id, purpose)
);
CREATE UNIQUE INDEX messenger_codes_code_hash_unique on messenger_codes (code_hash);
CREATE INDEX messenger_codes_expires_at_index on messenger_codes (expires_at);

CREATE TABLE messenger_links (
  user_id integer,
  messenger_id text not null,
  chat_id text not null,
  username text,
  name text not null,
  connected_at bigint not null,
  foreign key(user_id) references users(id) on delete CASCADE,
  primary key (user_id)
);
CREATE UNIQUE INDEX messenger_links_messenger_id_unique on messenger_links (messenger_id);

CREATE TABLE messenger_updates (
  update_id bigint,
  taken_at bigint not null,
  primary key (update_id)
);
CREATE INDEX messenger_updates_taken_at_index on messenger_updates (taken_at);

CREATE TABLE oauth_states (
  state_hash text,
  cookie_hash text not null,
  intent text not null,
  user_id integer,
  verifier_cipher text not null,
  expires_at bigint not null,
  foreign key(user_id) references users(id) on delete CASCADE,
  primary key (state_hash)
);
CREATE INDEX oauth_states_user_id_index on oauth_states (user_id);
CREATE INDEX oauth_states_expires_at_index on oauth_states (expires_at);

CREATE TABLE oidc_flows (
  state_hash text,
  cookie_hash text not null,
  provider text not null,
  user_id integer,
  secret_cipher text not null,
  expires_at bigint not null,
  foreign key(user_id) references users(id) on delete CASCADE,
  primary key (state_hash)
);
CREATE INDEX oidc_flows_user_id_index on oidc_flows (user_id);
CREATE INDEX oidc_flows_expires_at_index on oidc_flows (expires_at);

CREATE TABLE old_addresses (
  address text,
  kind text not null,
  item_id integer not null,
  as_page boolean not null,
  primary key (address)
);
CREATE INDEX old_addresses_kind_item_id_index on old_addresses (kind, item_id);

CREATE TABLE passkey_answers (
  challenge_hash text,
  expires_at bigint not null,
  primary key (challenge_hash)
);
CREATE INDEX passkey_answers_expires_at_index on passkey_answers (expires_at);

CREATE TABLE passkeys (
  id integer not null primary key autoincrement,
  user_id integer not null,
  credential_id text not null,
  public_key text not null,
  counter bigint not null,
  transports text not null,
  backed_up boolean not null,
  name text not null,
  created_at bigint not null,
  last_used_at bigint,
  last_used_ip text,
  foreign key(user_id) references users(id) on delete CASCADE
);
CREATE INDEX passkeys_user_id_index on passkeys (user_id);
CREATE UNIQUE INDEX passkeys_credential_id_unique on passkeys (credential_id);

CREATE TABLE paste_revisions (
  paste_id integer not null,
  revision integer not null,
  created_at bigint not null,
  author_id integer not null,
  title text,
  content text not null,
  size integer not null,
  language text,
  seal text,
  file_names text,
  file_parts text,
  foreign key(paste_id) references pastes(id) on delete CASCADE,
  foreign key(author_id) references users(id) on delete CASCADE,
  primary key (paste_id, revision)
);
CREATE INDEX paste_revisions_author_id_index on paste_revisions (author_id);

CREATE TABLE pastes (
  id integer not null primary key autoincrement,
  unique_id text not null,
  lookup_id text not null,
  owner_id integer not null,
  is_public boolean not null,
  password_hash text,
  shadowed boolean not null,
  created_at bigint not null,
  expires_at bigint,
  title text,
  content text not null,
  size integer not null,
  language text,
  burn boolean not null,
  revision integer NOT NULL DEFAULT 1,
  updated_at bigint,
  named_at bigint,
  tagged boolean NOT NULL DEFAULT false,
  text_revision integer NOT NULL DEFAULT 1,
  written_at bigint,
  forked_from integer REFERENCES pastes (id) ON DELETE SET NULL,
  trashed_at bigint,
  quarantine text,
  opened bigint NOT NULL DEFAULT 0,
  seal text,
  favourite boolean NOT NULL DEFAULT false,
  file_names text,
  file_parts text,
  telling text NOT NULL DEFAULT 'none',
  foreign key(owner_id) references users(id) on delete CASCADE
);
CREATE UNIQUE INDEX pastes_lookup_id_unique on pastes (lookup_id);
CREATE INDEX pastes_expires ON pastes (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX pastes_forks ON pastes (forked_from) WHERE forked_from IS NOT NULL;
CREATE INDEX pastes_trash ON pastes (owner_id, trashed_at) WHERE trashed_at IS NOT NULL;
CREATE INDEX pastes_trashed ON pastes (trashed_at) WHERE trashed_at IS NOT NULL;
CREATE INDEX pastes_named ON pastes (owner_id, lower(coalesce(title, unique_id))) WHERE trashed_at IS NULL;
CREATE INDEX pastes_sized ON pastes (owner_id, size) WHERE trashed_at IS NULL;
CREATE INDEX pastes_private ON pastes (owner_id, created_at) WHERE NOT is_public AND trashed_at IS NULL;
CREATE INDEX pastes_protected ON pastes (owner_id, created_at, is_public) WHERE password_hash IS NOT NULL AND trashed_at IS NULL;
CREATE INDEX pastes_viewed ON pastes (owner_id, opened, created_at) WHERE trashed_at IS NULL;
CREATE INDEX pastes_counted ON pastes (owner_id, created_at, id, trashed_at, size);
CREATE INDEX pastes_created ON pastes (created_at, id, trashed_at, owner_id);
CREATE INDEX pastes_favourite ON pastes (owner_id, created_at, id, trashed_at) WHERE favourite;
CREATE INDEX pastes_telling ON pastes (owner_id) WHERE telling <> 'none';

CREATE TABLE rate_limits (
  key text,
  points integer not null,
  resets_at bigint not null,
  primary key (key)
);
CREATE INDEX rate_limits_resets_at_index on rate_limits (resets_at);

CREATE TABLE recovery_codes (
  user_id integer not null,
  code_hash text not null,
  foreign key(user_id) references users(id) on delete CASCADE,
  primary key (user_id, code_hash)
);

CREATE TABLE renditions (
  source_sha256 text not null,
  width integer not null,
  format text not null,
  sha256 text,
  size bigint,
  mime_type text,
  extension text,
  created_at bigint not null,
  primary key (source_sha256, width, format)
);
CREATE INDEX renditions_failed ON renditions (created_at) WHERE sha256 IS NULL;
CREATE INDEX renditions_age on renditions (created_at, size, sha256, source_sha256);

CREATE TABLE reports (
  id integer not null primary key autoincrement,
  kind text not null,
  item_id integer not null,
  unique_id text not null,
  owner_id integer not null,
  reporter_id integer,
  reason text not null,
  details text,
  email text,
  created_at bigint not null,
  resolved_at bigint,
  resolved_by integer,
  action text,
  note text,
  sent_from text,
  times integer NOT NULL DEFAULT 1,
  foreign key(owner_id) references users(id) on delete CASCADE,
  foreign key(reporter_id) references users(id) on delete SET NULL,
  foreign key(resolved_by) references users(id) on delete SET NULL
);
CREATE INDEX reports_owner_id_index on reports (owner_id);
CREATE INDEX reports_reporter_id_index on reports (reporter_id);
CREATE INDEX reports_resolved_by_index on reports (resolved_by);
CREATE INDEX reports_kind_item_id_index on reports (kind, item_id);
CREATE INDEX reports_resolved_at_id_index on reports (resolved_at, id);

CREATE TABLE reservations (
  id integer not null primary key autoincrement,
  unique_id text not null,
  object_key text not null,
  owner_id integer,
  content_type text not null,
  size bigint not null,
  filename text,
  sha256 text,
  created_at bigint not null,
  expires_at bigint not null,
  purpose text NOT NULL DEFAULT 'image',
  sent_from text,
  seal text,
  foreign key(owner_id) references users(id) on delete SET NULL
);
CREATE UNIQUE INDEX reservations_unique_id_unique on reservations (unique_id);
CREATE UNIQUE INDEX reservations_object_key_unique on reservations (object_key);
CREATE INDEX reservations_owner_id_index on reservations (owner_id);
CREATE INDEX reservations_expires_at_index on reservations (expires_at);

CREATE TABLE role_limits (
  role text,
  policy text not null,
  primary key (role)
);

CREATE TABLE search_fill (
  kind text,
  done_id integer not null,
  until_id integer not null,
  primary key (kind)
);

CREATE TABLE search_index (
  whose,
  tags,
  shown,
  own,
  content='',
  contentless_delete=1,
  prefix='1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16',
  tokenize=unicode61 remove_diacritics 0 categories 'L* N* M* Co'
);

CREATE TABLE search_index_config (
  k PRIMARY KEY,
  v
) WITHOUT ROWID;

CREATE TABLE search_index_data (
  id INTEGER PRIMARY KEY,
  block BLOB
);

CREATE TABLE search_index_docsize (
  id INTEGER PRIMARY KEY,
  sz BLOB,
  origin INTEGER
);

CREATE TABLE search_index_idx (
  segid,
  term,
  pgno,
  PRIMARY KEY(segid, term)
) WITHOUT ROWID;

CREATE TABLE second_factors (
  user_id integer,
  secret_cipher text not null,
  created_at bigint not null,
  confirmed_at bigint,
  last_step bigint not null,
  foreign key(user_id) references users(id) on delete CASCADE,
  primary key (user_id)
);

CREATE TABLE sessions (
  id integer not null primary key autoincrement,
  user_id integer not null,
  token_hash text not null,
  created_at bigint not null,
  last_used_at bigint not null,
  expires_at bigint not null,
  user_agent text,
  ip_address text,
  proven_at bigint,
  oidc_provider text,
  id_token_cipher text,
  foreign key(user_id) references users(id) on delete CASCADE
);
CREATE INDEX sessions_user_id_index on sessions (user_id);
CREATE UNIQUE INDEX sessions_token_hash_unique on sessions (token_hash);
CREATE INDEX sessions_expires_at_index on sessions (expires_at);

CREATE TABLE settings (
  name text,
  value text not null,
  secret boolean not null,
  primary key (name)
);

CREATE TABLE share_links (
  id integer not null primary key autoincrement,
  collection_id integer,
  image_id integer,
  paste_id integer,
  secret_hash text not null,
  secret_cipher text not null,
  password_hash text,
  expires_at bigint,
  max_views bigint,
  views bigint not null,
  note text,
  renditions_only boolean not null default '0',
  created_at bigint not null,
  telling text NOT NULL DEFAULT 'none',
  foreign key(collection_id) references collections(id) on delete CASCADE,
  foreign key(image_id) references images(id) on delete CASCADE,
  foreign key(paste_id) references pastes(id) on delete CASCADE
);
CREATE INDEX share_links_collection_id_index on share_links (collection_id);
CREATE INDEX share_links_image_id_index on share_links (image_id);
CREATE INDEX share_links_paste_id_index on share_links (paste_id);
CREATE UNIQUE INDEX share_links_secret_hash_unique on share_links (secret_hash);
CREATE INDEX share_links_telling ON share_links (id) WHERE telling <> 'none';

CREATE TABLE short_urls (
  id integer not null primary key autoincrement,
  unique_id text not null,
  lookup_id text not null,
  owner_id integer not null,
  is_public boolean not null,
  password_hash text,
  shadowed boolean not null,
  created_at bigint not null,
  expires_at bigint,
  original_url text not null,
  visits bigint not null,
  max_uses bigint,
  revision integer NOT NULL DEFAULT 1,
  updated_at bigint,
  named_at bigint,
  tagged boolean NOT NULL DEFAULT false,
  forward_query boolean NOT NULL DEFAULT false,
  note text,
  preview text,
  trashed_at bigint,
  quarantine text,
  way text,
  favourite boolean NOT NULL DEFAULT false,
  health text,
  checked_at bigint,
  check_at bigint NOT NULL DEFAULT 0,
  telling text NOT NULL DEFAULT 'none',
  foreign key(owner_id) references users(id) on delete CASCADE
);
CREATE UNIQUE INDEX short_urls_lookup_id_unique on short_urls (lookup_id);
CREATE INDEX short_urls_expires ON short_urls (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX short_urls_trash ON short_urls (owner_id, trashed_at) WHERE trashed_at IS NOT NULL;
CREATE INDEX short_urls_trashed ON short_urls (trashed_at) WHERE trashed_at IS NOT NULL;
CREATE INDEX short_urls_named ON short_urls (owner_id, lower(substr(original_url, 1, 200))) WHERE trashed_at IS NULL;
CREATE INDEX short_urls_private ON short_urls (owner_id, created_at) WHERE NOT is_public AND trashed_at IS NULL;
CREATE INDEX short_urls_protected ON short_urls (owner_id, created_at, is_public) WHERE password_hash IS NOT NULL AND trashed_at IS NULL;
CREATE INDEX short_urls_owner ON short_urls (owner_id, created_at, id, trashed_at);
CREATE INDEX short_urls_created ON short_urls (created_at, id, trashed_at, owner_id);
CREATE INDEX short_urls_by_target ON short_urls (owner_id, substr(original_url, 1, 200));
CREATE INDEX short_urls_favourite ON short_urls (owner_id, created_at, id, trashed_at) WHERE favourite;
CREATE INDEX short_urls_check ON short_urls (check_at) WHERE trashed_at IS NULL;
CREATE INDEX short_urls_telling ON short_urls (owner_id) WHERE telling <> 'none';

CREATE TABLE tags (
  id integer not null primary key autoincrement,
  owner_id integer not null,
  tag_key text not null,
  name text not null,
  items bigint not null,
  foreign key(owner_id) references users(id) on delete CASCADE
);
CREATE UNIQUE INDEX tags_owner_id_tag_key_unique on tags (owner_id, tag_key);

CREATE TABLE tellings (
  kind text not null,
  subject_id integer not null,
  channel text not null,
  owner_id integer not null,
  mode text not null,
  times bigint not null,
  due_at bigint,
  told_at bigint,
  gone_id text,
  gone_title text,
  foreign key(owner_id) references users(id) on delete CASCADE,
  primary key (kind, subject_id, channel)
);
CREATE INDEX tellings_owner_id_index on tellings (owner_id);

CREATE TABLE upload_parts (
  upload_id integer not null,
  start bigint not null,
  size bigint not null,
  part_key text not null,
  foreign key(upload_id) references uploads(id) on delete CASCADE,
  primary key (upload_id, start)
);
CREATE UNIQUE INDEX upload_parts_part_key_unique on upload_parts (part_key);

CREATE TABLE upload_request_files (
  id integer not null primary key autoincrement,
  request_id integer not null,
  image_id integer,
  name text not null,
  size bigint not null,
  sender text,
  received_at bigint not null,
  approved boolean,
  receipt_hash text,
  foreign key(request_id) references upload_requests(id) on delete CASCADE,
  foreign key(image_id) references images(id) on delete SET NULL
);
CREATE INDEX upload_request_files_image_id_index on upload_request_files (image_id);
CREATE INDEX upload_request_files_request_id_id_index on upload_request_files (request_id, id);
CREATE UNIQUE INDEX upload_request_files_by_receipt ON upload_request_files (request_id, receipt_hash);

CREATE TABLE upload_requests (
  id integer not null primary key autoincrement,
  unique_id text not null,
  lookup_id text not null,
  owner_id integer not null,
  collection_id integer,
  title text not null,
  note text,
  max_files bigint,
  max_bytes bigint,
  types text,
  expires_at bigint,
  password_hash text,
  ask_name boolean not null,
  notify boolean not null,
  blind boolean not null,
  closed boolean not null,
  files bigint not null,
  bytes bigint not null,
  notice_at bigint,
  notified_at bigint,
  created_at bigint not null,
  updated_at bigint,
  recipient text,
  wall text NOT NULL DEFAULT 'none',
  message text,
  ends_at bigint,
  telling text NOT NULL DEFAULT 'none',
  foreign key(owner_id) references users(id) on delete CASCADE,
  foreign key(collection_id) references collections(id) on delete SET NULL
);
CREATE UNIQUE INDEX upload_requests_lookup_id_unique on upload_requests (lookup_id);
CREATE INDEX upload_requests_collection_id_index on upload_requests (collection_id);
CREATE INDEX upload_requests_owner_id_id_index on upload_requests (owner_id, id);
CREATE INDEX upload_requests_telling ON upload_requests (owner_id) WHERE telling <> 'none';

CREATE TABLE uploads (
  id integer not null primary key autoincrement,
  secret_hash text not null,
  owner_id integer not null,
  purpose text not null,
  fields text not null,
  metadata text,
  filename text,
  filetype text,
  length bigint,
  received bigint not null,
  state text not null,
  reason text,
  image_id integer,
  lock_token text,
  lock_until bigint,
  lock_wanted boolean not null,
  created_at bigint not null,
  expires_at bigint not null,
  sent_from text,
  foreign key(owner_id) references users(id) on delete CASCADE,
  foreign key(image_id) references images(id) on delete SET NULL
);
CREATE UNIQUE INDEX uploads_secret_hash_unique on uploads (secret_hash);
CREATE INDEX uploads_image_id_index on uploads (image_id);
CREATE INDEX uploads_expires_at_index on uploads (expires_at);
CREATE INDEX uploads_owner_id_state_index on uploads (owner_id, state);

CREATE TABLE url_visits (
  id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  url_id integer NOT NULL,
  visited_at bigint NOT NULL,
  user_agent text,
  ip_address text,
  referrer_host text,
  visits integer NOT NULL DEFAULT 1,
  country text,
  variant text
);
CREATE INDEX url_visits_url_id_id_index ON url_visits (url_id, id);

CREATE TABLE users (
  id integer not null primary key autoincrement,
  username text not null,
  username_key text not null,
  email text not null,
  email_key text not null,
  password_hash text not null,
  role text not null,
  status text not null,
  avatar text,
  invited_by integer,
  socials text not null default '{}',
  url_settings text not null default '{}',
  embed_settings text not null default '{}',
  created_at bigint not null,
  avatar_sha256 text,
  metadata_policy text not null default 'strip',
  paused_until bigint,
  paused_indefinitely boolean NOT NULL DEFAULT false,
  language text,
  ocr boolean NOT NULL DEFAULT true,
  foreign key(invited_by) references users(id) on delete SET NULL
);
CREATE UNIQUE INDEX users_username_key_unique on users (username_key);
CREATE UNIQUE INDEX users_email_key_unique on users (email_key);
CREATE INDEX users_deleted ON users (id) WHERE role = 'DELETED';
CREATE INDEX users_invited_by_index on users (invited_by);

CREATE TABLE utm_presets (
  user_id integer not null,
  name text not null,
  fields text not null,
  foreign key(user_id) references users(id) on delete CASCADE,
  primary key (user_id, name)
);

CREATE TABLE verify_tokens (
  token_hash text,
  user_id integer not null,
  expires_at bigint not null,
  foreign key(user_id) references users(id) on delete CASCADE,
  primary key (token_hash)
);
CREATE INDEX verify_tokens_user_id_index on verify_tokens (user_id);
CREATE INDEX verify_tokens_expires_at_index on verify_tokens (expires_at);

CREATE TABLE view_countries (
  kind text NOT NULL,
  item_id integer NOT NULL,
  day integer NOT NULL,
  country text NOT NULL,
  views bigint NOT NULL,
  PRIMARY KEY (kind, item_id, day, country)
) WITHOUT ROWID;

CREATE TABLE view_days (
  kind text NOT NULL,
  item_id integer NOT NULL,
  day integer NOT NULL,
  browser text NOT NULL,
  system text NOT NULL,
  referrer_host text NOT NULL,
  bot boolean NOT NULL,
  views bigint NOT NULL,
  PRIMARY KEY (kind, item_id, day, browser, system, referrer_host, bot)
) WITHOUT ROWID;

CREATE TABLE visit_countries (
  url_id integer not null,
  day integer not null,
  country text not null,
  visits bigint not null,
  primary key (url_id, day, country)
);

CREATE TABLE visit_days (
  url_id integer NOT NULL,
  day integer NOT NULL,
  browser text NOT NULL,
  system text NOT NULL,
  referrer_host text NOT NULL,
  bot boolean NOT NULL,
  visits bigint NOT NULL,
  PRIMARY KEY (url_id, day, browser, system, referrer_host, bot)
) WITHOUT ROWID;

CREATE TABLE visit_variants (
  url_id integer not null,
  day integer not null,
  variant text not null,
  visits bigint not null,
  primary key (url_id, day, variant)
);

CREATE TABLE webhook_deliveries (
  id integer not null primary key autoincrement,
  user_id integer not null,
  event text not null,
  unique_id text not null,
  state text not null,
  attempts integer not null,
  created_at bigint not null,
  attempted_at bigint,
  status integer,
  error text,
  excerpt text,
  duration_ms integer,
  foreign key(user_id) references users(id) on delete CASCADE
);
CREATE INDEX webhook_deliveries_user_id_id_index on webhook_deliveries (user_id, id);

CREATE TABLE webhook_health (
  user_id integer,
  failures integer not null,
  paused_until bigint not null,
  disabled_at bigint,
  foreign key(user_id) references users(id) on delete CASCADE,
  primary key (user_id)
);

CREATE TABLE webhooks (
  user_id integer,
  url_cipher text,
  secret_cipher text,
  format text,
  events text,
  foreign key(user_id) references users(id) on delete CASCADE,
  primary key (user_id)
);

CREATE TABLE word_fill (
  source text,
  done_id integer not null,
  until_id integer not null,
  primary key (source)
);
