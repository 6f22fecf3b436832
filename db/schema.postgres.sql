-- The schema after all migrations on postgres. Made by `npm run db:schema`; a test compares it.

CREATE TABLE account_limits (
  user_id integer NOT NULL,
  policy text NOT NULL,
  PRIMARY KEY (user_id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE account_seals (
  user_id integer NOT NULL,
  recipient text NOT NULL,
  wrapped text NOT NULL,
  changed_at bigint NOT NULL,
  PRIMARY KEY (user_id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE api_keys (
  id integer NOT NULL DEFAULT nextval('api_keys_id_seq'::regclass),
  user_id integer NOT NULL,
  name text NOT NULL,
  is_main boolean NOT NULL,
  key_hash text NOT NULL,
  scopes text,
  created_at bigint NOT NULL,
  expires_at bigint,
  last_used_at bigint,
  key_cipher text,
  prefix text,
  as_visitor boolean NOT NULL DEFAULT false,
  last_used_ip text,
  create_only boolean NOT NULL DEFAULT false,
  UNIQUE (key_hash),
  PRIMARY KEY (id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX api_keys_main ON api_keys USING btree (user_id) WHERE is_main;
CREATE INDEX api_keys_user_id_index ON api_keys USING btree (user_id);

CREATE TABLE audit_log (
  id bigint NOT NULL DEFAULT nextval('audit_log_id_seq'::regclass),
  at bigint NOT NULL,
  event text NOT NULL,
  actor_id integer,
  subject_id integer,
  ip_address text,
  details text NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX audit_log_actor_id_index ON audit_log USING btree (actor_id);
CREATE INDEX audit_log_at_index ON audit_log USING btree (at);
CREATE INDEX audit_log_event_id_index ON audit_log USING btree (event, id);
CREATE INDEX audit_log_subject_id_index ON audit_log USING btree (subject_id);

CREATE TABLE blob_removals (
  sha256 text NOT NULL,
  token text NOT NULL,
  removed_at bigint NOT NULL,
  PRIMARY KEY (sha256)
);
CREATE INDEX blob_removals_removed_at_index ON blob_removals USING btree (removed_at);

CREATE TABLE blobs (
  sha256 text NOT NULL,
  size bigint NOT NULL,
  refs integer NOT NULL,
  doomed_at bigint,
  PRIMARY KEY (sha256)
);
CREATE INDEX blobs_unused ON blobs USING btree (sha256) WHERE (refs = 0);

CREATE TABLE blocks (
  id integer NOT NULL DEFAULT nextval('blocks_id_seq'::regclass),
  kind text NOT NULL,
  value text NOT NULL,
  first text NOT NULL,
  last text NOT NULL,
  note text,
  created_by integer,
  created_at bigint NOT NULL,
  UNIQUE (kind, value),
  PRIMARY KEY (id),
  FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX blocks_created_by_index ON blocks USING btree (created_by);
CREATE INDEX blocks_kind_first_last_index ON blocks USING btree (kind, first, last);

CREATE TABLE branding (
  id integer NOT NULL,
  name text,
  tagline text,
  logo text,
  accent text,
  footer_links text,
  banner text,
  privacy text,
  imprint text,
  unknown_url text,
  PRIMARY KEY (id)
);

CREATE TABLE chat_links (
  id integer NOT NULL DEFAULT nextval('chat_links_id_seq'::regclass),
  user_id integer NOT NULL,
  chat_id text NOT NULL,
  username text NOT NULL,
  global_name text,
  avatar text NOT NULL,
  email text,
  access_cipher text NOT NULL,
  refresh_cipher text,
  expires_at bigint NOT NULL,
  renewing_until bigint,
  connected_at bigint NOT NULL,
  UNIQUE (chat_id),
  UNIQUE (user_id),
  PRIMARY KEY (id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE codes (
  user_id integer NOT NULL,
  purpose text NOT NULL,
  email_key text NOT NULL,
  code_hash text,
  link_hash text NOT NULL,
  attempts integer NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  UNIQUE (link_hash),
  PRIMARY KEY (user_id, purpose),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX codes_expires_at_index ON codes USING btree (expires_at);

CREATE TABLE collection_items (
  collection_id integer NOT NULL,
  image_id integer NOT NULL,
  position integer NOT NULL,
  path text,
  address text,
  file_type text,
  PRIMARY KEY (collection_id, image_id),
  FOREIGN KEY (image_id) REFERENCES images(id) ON DELETE CASCADE,
  FOREIGN KEY (collection_id) REFERENCES collections(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX collection_items_address ON collection_items USING btree (address) WHERE (address IS NOT NULL);
CREATE INDEX playlist_items_image_id_index ON collection_items USING btree (image_id);

CREATE TABLE collection_members (
  collection_id integer NOT NULL,
  user_id integer NOT NULL,
  role text NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (collection_id, user_id),
  FOREIGN KEY (collection_id) REFERENCES collections(id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX collection_members_user_id_index ON collection_members USING btree (user_id);

CREATE TABLE collection_offers (
  collection_id integer NOT NULL,
  user_id integer NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (collection_id),
  FOREIGN KEY (collection_id) REFERENCES collections(id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX collection_offers_user_id_index ON collection_offers USING btree (user_id);

CREATE TABLE collections (
  id integer NOT NULL DEFAULT nextval('playlists_id_seq'::regclass),
  unique_id text NOT NULL,
  lookup_id text NOT NULL,
  owner_id integer NOT NULL,
  title text NOT NULL,
  description text,
  cover_image_id integer,
  views bigint NOT NULL,
  created_at bigint NOT NULL,
  face text NOT NULL DEFAULT 'playlist'::text,
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
  telling text NOT NULL DEFAULT 'none'::text,
  UNIQUE (lookup_id),
  PRIMARY KEY (id),
  FOREIGN KEY (cover_image_id) REFERENCES images(id) ON DELETE SET NULL,
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX collections_telling ON collections USING btree (owner_id) WHERE (telling <> 'none'::text);
CREATE INDEX collections_trash ON collections USING btree (owner_id, trashed_at) WHERE (trashed_at IS NOT NULL);
CREATE INDEX collections_trashed ON collections USING btree (trashed_at) WHERE (trashed_at IS NOT NULL);
CREATE INDEX playlists_cover_image_id_index ON collections USING btree (cover_image_id);
CREATE INDEX playlists_owner_id_id_index ON collections USING btree (owner_id, id);

CREATE TABLE content_days (
  kind text NOT NULL,
  day integer NOT NULL,
  owner_id integer NOT NULL,
  format text NOT NULL,
  items bigint NOT NULL,
  bytes bigint NOT NULL,
  open_items bigint NOT NULL DEFAULT 0,
  open_bytes bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, format, day, owner_id),
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX content_days_owner ON content_days USING btree (owner_id, kind, day, items, bytes, open_items);

CREATE TABLE domains (
  id integer NOT NULL DEFAULT nextval('domains_id_seq'::regclass),
  owner_id integer NOT NULL,
  host text NOT NULL,
  token text NOT NULL,
  state text NOT NULL,
  approved boolean,
  proof text,
  proven_at bigint,
  checked_at bigint,
  fallback_url text,
  created_at bigint NOT NULL,
  UNIQUE (owner_id, host),
  PRIMARY KEY (id),
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX domains_active ON domains USING btree (host) WHERE (state = 'active'::text);
CREATE INDEX domains_checked ON domains USING btree (checked_at) WHERE (state = ANY (ARRAY['active'::text, 'waiting'::text, 'paused'::text]));
CREATE INDEX domains_host ON domains USING btree (host, state);

CREATE TABLE entry_rules (
  scope text NOT NULL,
  rules text NOT NULL,
  PRIMARY KEY (scope)
);

CREATE TABLE hit_days (
  kind text NOT NULL,
  item_id integer NOT NULL,
  day integer NOT NULL,
  owner_id integer NOT NULL,
  people bigint NOT NULL,
  bots bigint NOT NULL,
  PRIMARY KEY (kind, item_id, day)
);
CREATE INDEX hit_days_owner ON hit_days USING btree (owner_id, day, kind, item_id, people, bots);

CREATE TABLE hub_notes (
  id bigint NOT NULL DEFAULT nextval('hub_notes_id_seq'::regclass),
  sender text NOT NULL,
  topic text NOT NULL,
  message text NOT NULL,
  sent_at bigint NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX hub_notes_sent_at_index ON hub_notes USING btree (sent_at);

CREATE TABLE identities (
  id integer NOT NULL DEFAULT nextval('identities_id_seq'::regclass),
  user_id integer NOT NULL,
  provider text NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  email text,
  name text,
  created_at bigint NOT NULL,
  last_used_at bigint,
  UNIQUE (issuer, subject),
  PRIMARY KEY (id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX identities_user_id_index ON identities USING btree (user_id);

CREATE TABLE image_words (
  image_id integer NOT NULL,
  source text NOT NULL,
  words text NOT NULL,
  boxes text,
  PRIMARY KEY (image_id),
  FOREIGN KEY (image_id) REFERENCES images(id) ON DELETE CASCADE
);
CREATE INDEX image_words_source ON image_words USING btree (source, image_id);

CREATE TABLE images (
  id integer NOT NULL DEFAULT nextval('images_id_seq'::regclass),
  unique_id text NOT NULL,
  lookup_id text NOT NULL,
  owner_id integer NOT NULL,
  is_public boolean NOT NULL,
  password_hash text,
  shadowed boolean NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint,
  sha256 text NOT NULL,
  size bigint NOT NULL,
  mime_type text NOT NULL,
  type text NOT NULL,
  media_kind text NOT NULL,
  original_name text,
  description text,
  source text NOT NULL,
  location text NOT NULL,
  width integer,
  height integer,
  duration_ms bigint,
  animated boolean NOT NULL DEFAULT false,
  thumbhash text,
  poster_sha256 text,
  max_views integer,
  views integer NOT NULL DEFAULT 0,
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
  telling text NOT NULL DEFAULT 'none'::text,
  UNIQUE (lookup_id),
  PRIMARY KEY (id),
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX images_created ON images USING btree (created_at, id, trashed_at, owner_id);
CREATE INDEX images_day_size ON images USING btree (((created_at / 86400000)), size) WHERE (is_public AND (password_hash IS NULL));
CREATE INDEX images_expires ON images USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX images_favourite ON images USING btree (owner_id, created_at, id, trashed_at) WHERE favourite;
CREATE INDEX images_named ON images USING btree (owner_id, lower((COALESCE(original_name, unique_id) COLLATE "C")), id) WHERE (trashed_at IS NULL);
CREATE INDEX images_of_medium ON images USING btree (owner_id, media_kind, created_at) WHERE (trashed_at IS NULL);
CREATE INDEX images_own_sent_sha256 ON images USING btree (owner_id, sent_sha256) WHERE (sent_sha256 IS NOT NULL);
CREATE INDEX images_own_sha256 ON images USING btree (owner_id, sha256);
CREATE INDEX images_owner ON images USING btree (owner_id, created_at, id, trashed_at);
CREATE INDEX images_private ON images USING btree (owner_id, created_at) WHERE ((NOT is_public) AND (trashed_at IS NULL));
CREATE INDEX images_protected ON images USING btree (owner_id, created_at, is_public) WHERE ((password_hash IS NOT NULL) AND (trashed_at IS NULL));
CREATE INDEX images_sha256_index ON images USING btree (sha256);
CREATE INDEX images_sized ON images USING btree (owner_id, size, id) WHERE (trashed_at IS NULL);
CREATE INDEX images_telling ON images USING btree (owner_id) WHERE (telling <> 'none'::text);
CREATE INDEX images_trash ON images USING btree (owner_id, trashed_at) WHERE (trashed_at IS NOT NULL);
CREATE INDEX images_trashed ON images USING btree (trashed_at) WHERE (trashed_at IS NOT NULL);
CREATE INDEX images_viewed ON images USING btree (owner_id, (
CASE
    WHEN (max_views IS NULL) THEN opened
    ELSE (views)::bigint
END), created_at) WHERE (trashed_at IS NULL);

CREATE TABLE imported (
  source text NOT NULL,
  source_key text NOT NULL,
  kind text NOT NULL,
  item_id integer NOT NULL,
  PRIMARY KEY (source, source_key)
);
CREATE INDEX imported_kind_item_id_index ON imported USING btree (kind, item_id);

CREATE TABLE installation (
  name text NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (name)
);

CREATE TABLE invites (
  id integer NOT NULL DEFAULT nextval('invites_id_seq'::regclass),
  code_hash text NOT NULL,
  code_cipher text,
  role text NOT NULL,
  created_by integer,
  created_at bigint NOT NULL,
  expires_at bigint,
  max_uses integer NOT NULL,
  uses integer NOT NULL,
  used_at bigint,
  used_by integer,
  UNIQUE (code_hash),
  PRIMARY KEY (id),
  FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  FOREIGN KEY (used_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX invites_created_by_index ON invites USING btree (created_by);
CREATE INDEX invites_used_by_index ON invites USING btree (used_by);

CREATE TABLE item_aliases (
  kind text NOT NULL,
  lookup_id text NOT NULL,
  unique_id text NOT NULL,
  item_id integer NOT NULL,
  held_since bigint NOT NULL,
  PRIMARY KEY (kind, lookup_id)
);
CREATE INDEX item_aliases_kind_item_id_index ON item_aliases USING btree (kind, item_id);

CREATE TABLE item_tags (
  tag_id integer NOT NULL,
  kind text NOT NULL,
  item_id integer NOT NULL,
  PRIMARY KEY (tag_id, kind, item_id),
  FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE
);
CREATE INDEX item_tags_kind_item_id_index ON item_tags USING btree (kind, item_id);

CREATE TABLE jobs (
  id bigint NOT NULL DEFAULT nextval('jobs_id_seq'::regclass),
  kind text NOT NULL,
  payload text NOT NULL,
  unique_key text,
  created_at bigint NOT NULL,
  run_at bigint NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  locked_until bigint,
  last_error text,
  failed_at bigint,
  UNIQUE (unique_key),
  PRIMARY KEY (id)
);
CREATE INDEX jobs_due ON jobs USING btree (run_at) WHERE (failed_at IS NULL);

CREATE TABLE leases (
  name text NOT NULL,
  holder text NOT NULL,
  held_until bigint NOT NULL,
  PRIMARY KEY (name)
);

CREATE TABLE limit_usage (
  owner_id integer NOT NULL,
  type text NOT NULL,
  day integer NOT NULL,
  week integer NOT NULL,
  day_items bigint NOT NULL,
  day_bytes bigint NOT NULL,
  week_items bigint NOT NULL,
  week_bytes bigint NOT NULL,
  PRIMARY KEY (owner_id, type),
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE link_digests (
  user_id integer NOT NULL,
  due_at bigint NOT NULL,
  PRIMARY KEY (user_id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX link_digests_due ON link_digests USING btree (due_at);

CREATE TABLE live_sessions (
  id text NOT NULL,
  user_id integer,
  session_id integer,
  visitor text NOT NULL,
  user_agent text NOT NULL,
  ip_address text NOT NULL,
  page text NOT NULL,
  connected_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  closed_at bigint,
  PRIMARY KEY (id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX live_sessions_seen_at_index ON live_sessions USING btree (seen_at);
CREATE INDEX live_sessions_user_id_index ON live_sessions USING btree (user_id);

CREATE TABLE mail_attachments (
  id bigint NOT NULL DEFAULT nextval('mail_attachments_id_seq'::regclass),
  mail_id bigint NOT NULL,
  filename text NOT NULL,
  content_type text NOT NULL,
  size bigint NOT NULL,
  sha256 text,
  content_id text,
  disposition text,
  withheld text,
  PRIMARY KEY (id),
  FOREIGN KEY (mail_id) REFERENCES mail_messages(id) ON DELETE CASCADE
);
CREATE INDEX mail_attachments_mail_id_index ON mail_attachments USING btree (mail_id);

CREATE TABLE mail_contents (
  mail_id bigint NOT NULL,
  content text NOT NULL,
  original_sha256 text,
  original_size bigint,
  PRIMARY KEY (mail_id),
  FOREIGN KEY (mail_id) REFERENCES mail_messages(id) ON DELETE CASCADE
);
CREATE INDEX mail_contents_originals ON mail_contents USING btree (mail_id, original_sha256, original_size) WHERE (original_sha256 IS NOT NULL);

CREATE TABLE mail_forwards (
  mailbox_id integer NOT NULL,
  target text NOT NULL,
  code_hash text,
  expires_at bigint NOT NULL,
  UNIQUE (code_hash),
  PRIMARY KEY (mailbox_id),
  FOREIGN KEY (mailbox_id) REFERENCES mailboxes(id) ON DELETE CASCADE
);

CREATE TABLE mail_messages (
  id bigint NOT NULL DEFAULT nextval('mail_messages_id_seq'::regclass),
  mailbox_id integer NOT NULL,
  message_id text NOT NULL,
  received_at bigint NOT NULL,
  removed_at bigint,
  size bigint NOT NULL,
  from_text text NOT NULL DEFAULT ''::text,
  subject text NOT NULL DEFAULT ''::text,
  sent_at bigint,
  codes text NOT NULL DEFAULT '[]'::text,
  shown_size bigint,
  unread boolean NOT NULL DEFAULT false,
  tags text NOT NULL DEFAULT '[]'::text,
  beginning text NOT NULL DEFAULT ''::text,
  UNIQUE (mailbox_id, message_id),
  PRIMARY KEY (id),
  FOREIGN KEY (mailbox_id) REFERENCES mailboxes(id) ON DELETE CASCADE
);
CREATE INDEX mail_messages_mailbox_id_id_index ON mail_messages USING btree (mailbox_id, id);
CREATE INDEX mail_messages_removed ON mail_messages USING btree (removed_at) WHERE (removed_at IS NOT NULL);
CREATE INDEX mail_messages_unread ON mail_messages USING btree (mailbox_id) WHERE unread;

CREATE TABLE mail_recipients (
  sending_id integer NOT NULL,
  address text NOT NULL,
  state text NOT NULL,
  answer text,
  changed_at bigint NOT NULL,
  report_id text,
  PRIMARY KEY (sending_id, address),
  FOREIGN KEY (sending_id) REFERENCES mail_sendings(id) ON DELETE CASCADE
);
CREATE INDEX mail_recipients_report_id_index ON mail_recipients USING btree (report_id);

CREATE TABLE mail_sendings (
  id integer NOT NULL DEFAULT nextval('mail_sendings_id_seq'::regclass),
  account_id integer NOT NULL,
  mailbox_id integer,
  message_id text NOT NULL,
  kind text NOT NULL,
  about text,
  sender text NOT NULL,
  subject text NOT NULL,
  sent_at bigint NOT NULL,
  UNIQUE (message_id),
  PRIMARY KEY (id),
  FOREIGN KEY (account_id) REFERENCES users(id) ON DELETE CASCADE,
  FOREIGN KEY (mailbox_id) REFERENCES mailboxes(id) ON DELETE CASCADE
);
CREATE INDEX mail_sendings_about_index ON mail_sendings USING btree (about);
CREATE INDEX mail_sendings_account_id_id_index ON mail_sendings USING btree (account_id, id);
CREATE INDEX mail_sendings_mailbox_id_index ON mail_sendings USING btree (mailbox_id);
CREATE INDEX mail_sendings_sender_index ON mail_sendings USING btree (sender);
CREATE INDEX mail_sendings_sent_at_index ON mail_sendings USING btree (sent_at);

CREATE TABLE mail_tokens (
  token_hash text NOT NULL,
  delivery text NOT NULL,
  taken_at bigint NOT NULL,
  PRIMARY KEY (token_hash)
);
CREATE INDEX mail_tokens_taken_at_index ON mail_tokens USING btree (taken_at);

CREATE TABLE mailboxes (
  id integer NOT NULL DEFAULT nextval('mailboxes_id_seq'::regclass),
  address text NOT NULL,
  owner_id integer,
  status text NOT NULL,
  suspended_by integer,
  created_at bigint NOT NULL,
  expires_at bigint,
  token_hash text NOT NULL,
  guest boolean NOT NULL DEFAULT false,
  sending_hash text,
  rules text,
  UNIQUE (address),
  PRIMARY KEY (id),
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE SET NULL,
  FOREIGN KEY (suspended_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX mailboxes_guests ON mailboxes USING btree (expires_at) WHERE guest;
CREATE INDEX mailboxes_owner_id_index ON mailboxes USING btree (owner_id);
CREATE INDEX mailboxes_suspended_by_index ON mailboxes USING btree (suspended_by);

CREATE TABLE merged_tags (
  former_id integer NOT NULL,
  tag_id integer NOT NULL,
  PRIMARY KEY (former_id),
  FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE
);
CREATE INDEX merged_tags_tag_id_index ON merged_tags USING btree (tag_id);

CREATE TABLE messenger_codes (
  user_id integer NOT NULL,
  purpose text NOT NULL,
  code_hash text NOT NULL,
  expires_at bigint NOT NULL,
  UNIQUE (code_hash),
  PRIMARY KEY (user_id, purpose),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX messenger_codes_expires_at_index ON messenger_codes USING btree (expires_at);

CREATE TABLE messenger_links (
  user_id integer NOT NULL,
  messenger_id text NOT NULL,
  chat_id text NOT NULL,
  username text,
  name text NOT NULL,
  connected_at bigint NOT NULL,
  UNIQUE (messenger_id),
  PRIMARY KEY (user_id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE messenger_updates (
  update_id bigint NOT NULL,
  taken_at bigint NOT NULL,
  PRIMARY KEY (update_id)
);
CREATE INDEX messenger_updates_taken_at_index ON messenger_updates USING btree (taken_at);

CREATE TABLE oauth_states (
  state_hash text NOT NULL,
  cookie_hash text NOT NULL,
  intent text NOT NULL,
  user_id integer,
  verifier_cipher text NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (state_hash),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX oauth_states_expires_at_index ON oauth_states USING btree (expires_at);
CREATE INDEX oauth_states_user_id_index ON oauth_states USING btree (user_id);

CREATE TABLE oidc_flows (
  state_hash text NOT NULL,
  cookie_hash text NOT NULL,
  provider text NOT NULL,
  user_id integer,
  secret_cipher text NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (state_hash),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX oidc_flows_expires_at_index ON oidc_flows USING btree (expires_at);
CREATE INDEX oidc_flows_user_id_index ON oidc_flows USING btree (user_id);

CREATE TABLE old_addresses (
  address text NOT NULL,
  kind text NOT NULL,
  item_id integer NOT NULL,
  as_page boolean NOT NULL,
  PRIMARY KEY (address)
);
CREATE INDEX old_addresses_kind_item_id_index ON old_addresses USING btree (kind, item_id);

CREATE TABLE passkey_answers (
  challenge_hash text NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (challenge_hash)
);
CREATE INDEX passkey_answers_expires_at_index ON passkey_answers USING btree (expires_at);

CREATE TABLE passkeys (
  id integer NOT NULL DEFAULT nextval('passkeys_id_seq'::regclass),
  user_id integer NOT NULL,
  credential_id text NOT NULL,
  public_key text NOT NULL,
  counter bigint NOT NULL,
  transports text NOT NULL,
  backed_up boolean NOT NULL,
  name text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint,
  last_used_ip text,
  UNIQUE (credential_id),
  PRIMARY KEY (id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX passkeys_user_id_index ON passkeys USING btree (user_id);

CREATE TABLE paste_revisions (
  paste_id integer NOT NULL,
  revision integer NOT NULL,
  created_at bigint NOT NULL,
  author_id integer NOT NULL,
  title text,
  content text NOT NULL,
  size integer NOT NULL,
  language text,
  seal text,
  file_names text,
  file_parts text,
  PRIMARY KEY (paste_id, revision),
  FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE CASCADE,
  FOREIGN KEY (paste_id) REFERENCES pastes(id) ON DELETE CASCADE
);
CREATE INDEX paste_revisions_author_id_index ON paste_revisions USING btree (author_id);

CREATE TABLE pastes (
  id integer NOT NULL DEFAULT nextval('pastes_id_seq'::regclass),
  unique_id text NOT NULL,
  lookup_id text NOT NULL,
  owner_id integer NOT NULL,
  is_public boolean NOT NULL,
  password_hash text,
  shadowed boolean NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint,
  title text,
  content text NOT NULL,
  size integer NOT NULL,
  language text,
  burn boolean NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  updated_at bigint,
  named_at bigint,
  tagged boolean NOT NULL DEFAULT false,
  text_revision integer NOT NULL DEFAULT 1,
  written_at bigint,
  forked_from integer,
  trashed_at bigint,
  quarantine text,
  opened bigint NOT NULL DEFAULT 0,
  seal text,
  favourite boolean NOT NULL DEFAULT false,
  file_names text,
  file_parts text,
  telling text NOT NULL DEFAULT 'none'::text,
  UNIQUE (lookup_id),
  PRIMARY KEY (id),
  FOREIGN KEY (forked_from) REFERENCES pastes(id) ON DELETE SET NULL,
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX pastes_counted ON pastes USING btree (owner_id, created_at, id, trashed_at, size);
CREATE INDEX pastes_created ON pastes USING btree (created_at, id, trashed_at, owner_id);
CREATE INDEX pastes_expires ON pastes USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX pastes_favourite ON pastes USING btree (owner_id, created_at, id, trashed_at) WHERE favourite;
CREATE INDEX pastes_forks ON pastes USING btree (forked_from) WHERE (forked_from IS NOT NULL);
CREATE INDEX pastes_named ON pastes USING btree (owner_id, lower((COALESCE(title, unique_id) COLLATE "C")), id) WHERE (trashed_at IS NULL);
CREATE INDEX pastes_private ON pastes USING btree (owner_id, created_at) WHERE ((NOT is_public) AND (trashed_at IS NULL));
CREATE INDEX pastes_protected ON pastes USING btree (owner_id, created_at, is_public) WHERE ((password_hash IS NOT NULL) AND (trashed_at IS NULL));
CREATE INDEX pastes_sized ON pastes USING btree (owner_id, size, id) WHERE (trashed_at IS NULL);
CREATE INDEX pastes_telling ON pastes USING btree (owner_id) WHERE (telling <> 'none'::text);
CREATE INDEX pastes_trash ON pastes USING btree (owner_id, trashed_at) WHERE (trashed_at IS NOT NULL);
CREATE INDEX pastes_trashed ON pastes USING btree (trashed_at) WHERE (trashed_at IS NOT NULL);
CREATE INDEX pastes_viewed ON pastes USING btree (owner_id, opened, created_at) WHERE (trashed_at IS NULL);

CREATE TABLE rate_limits (
  key text NOT NULL,
  points integer NOT NULL,
  resets_at bigint NOT NULL,
  PRIMARY KEY (key)
);
CREATE INDEX rate_limits_resets_at_index ON rate_limits USING btree (resets_at);

CREATE TABLE recovery_codes (
  user_id integer NOT NULL,
  code_hash text NOT NULL,
  PRIMARY KEY (user_id, code_hash),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE renditions (
  source_sha256 text NOT NULL,
  width integer NOT NULL,
  format text NOT NULL,
  sha256 text,
  size bigint,
  mime_type text,
  extension text,
  created_at bigint NOT NULL,
  PRIMARY KEY (source_sha256, width, format)
);
CREATE INDEX renditions_age ON renditions USING btree (created_at, size, sha256, source_sha256);
CREATE INDEX renditions_failed ON renditions USING btree (created_at) WHERE (sha256 IS NULL);

CREATE TABLE reports (
  id integer NOT NULL DEFAULT nextval('reports_id_seq'::regclass),
  kind text NOT NULL,
  item_id integer NOT NULL,
  unique_id text NOT NULL,
  owner_id integer NOT NULL,
  reporter_id integer,
  reason text NOT NULL,
  details text,
  email text,
  created_at bigint NOT NULL,
  resolved_at bigint,
  resolved_by integer,
  action text,
  note text,
  sent_from text,
  times integer NOT NULL DEFAULT 1,
  PRIMARY KEY (id),
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE,
  FOREIGN KEY (reporter_id) REFERENCES users(id) ON DELETE SET NULL,
  FOREIGN KEY (resolved_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX reports_kind_item_id_index ON reports USING btree (kind, item_id);
CREATE INDEX reports_owner_id_index ON reports USING btree (owner_id);
CREATE INDEX reports_reporter_id_index ON reports USING btree (reporter_id);
CREATE INDEX reports_resolved_at_id_index ON reports USING btree (resolved_at, id);
CREATE INDEX reports_resolved_by_index ON reports USING btree (resolved_by);

CREATE TABLE reservations (
  id integer NOT NULL DEFAULT nextval('reservations_id_seq'::regclass),
  unique_id text NOT NULL,
  object_key text NOT NULL,
  owner_id integer,
  content_type text NOT NULL,
  size bigint NOT NULL,
  filename text,
  sha256 text,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  purpose text NOT NULL DEFAULT 'image'::text,
  sent_from text,
  seal text,
  UNIQUE (object_key),
  UNIQUE (unique_id),
  PRIMARY KEY (id),
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX reservations_expires_at_index ON reservations USING btree (expires_at);
CREATE INDEX reservations_owner_id_index ON reservations USING btree (owner_id);

CREATE TABLE role_limits (
  role text NOT NULL,
  policy text NOT NULL,
  PRIMARY KEY (role)
);

CREATE TABLE search_fill (
  kind text NOT NULL,
  done_id integer NOT NULL,
  until_id integer NOT NULL,
  PRIMARY KEY (kind)
);

CREATE TABLE search_texts (
  kind text NOT NULL,
  item_id integer NOT NULL,
  part integer NOT NULL,
  parts integer NOT NULL,
  owner_id integer NOT NULL,
  words tsvector NOT NULL,
  PRIMARY KEY (kind, item_id, part)
);
CREATE INDEX search_texts_owner_id_kind_item_id_index ON search_texts USING btree (owner_id, kind, item_id);
CREATE INDEX search_texts_parts ON search_texts USING gin (words) WITH (gin_pending_list_limit='512') WHERE (parts > 1);
CREATE INDEX search_texts_whole ON search_texts USING gin (words) WITH (gin_pending_list_limit='512') WHERE (parts = 1);

CREATE TABLE second_factors (
  user_id integer NOT NULL,
  secret_cipher text NOT NULL,
  created_at bigint NOT NULL,
  confirmed_at bigint,
  last_step bigint NOT NULL,
  PRIMARY KEY (user_id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE sessions (
  id integer NOT NULL DEFAULT nextval('sessions_id_seq'::regclass),
  user_id integer NOT NULL,
  token_hash text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  user_agent text,
  ip_address text,
  proven_at bigint,
  oidc_provider text,
  id_token_cipher text,
  UNIQUE (token_hash),
  PRIMARY KEY (id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_expires_at_index ON sessions USING btree (expires_at);
CREATE INDEX sessions_user_id_index ON sessions USING btree (user_id);

CREATE TABLE settings (
  name text NOT NULL,
  value text NOT NULL,
  secret boolean NOT NULL,
  PRIMARY KEY (name)
);

CREATE TABLE share_links (
  id integer NOT NULL DEFAULT nextval('share_links_id_seq'::regclass),
  collection_id integer,
  image_id integer,
  paste_id integer,
  secret_hash text NOT NULL,
  secret_cipher text NOT NULL,
  password_hash text,
  expires_at bigint,
  max_views bigint,
  views bigint NOT NULL,
  note text,
  renditions_only boolean NOT NULL DEFAULT false,
  created_at bigint NOT NULL,
  telling text NOT NULL DEFAULT 'none'::text,
  UNIQUE (secret_hash),
  PRIMARY KEY (id),
  FOREIGN KEY (collection_id) REFERENCES collections(id) ON DELETE CASCADE,
  FOREIGN KEY (image_id) REFERENCES images(id) ON DELETE CASCADE,
  FOREIGN KEY (paste_id) REFERENCES pastes(id) ON DELETE CASCADE
);
CREATE INDEX share_links_collection_id_index ON share_links USING btree (collection_id);
CREATE INDEX share_links_image_id_index ON share_links USING btree (image_id);
CREATE INDEX share_links_paste_id_index ON share_links USING btree (paste_id);
CREATE INDEX share_links_telling ON share_links USING btree (id) WHERE (telling <> 'none'::text);

CREATE TABLE short_urls (
  id integer NOT NULL DEFAULT nextval('short_urls_id_seq'::regclass),
  unique_id text NOT NULL,
  lookup_id text NOT NULL,
  owner_id integer NOT NULL,
  is_public boolean NOT NULL,
  password_hash text,
  shadowed boolean NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint,
  original_url text NOT NULL,
  visits bigint NOT NULL,
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
  telling text NOT NULL DEFAULT 'none'::text,
  UNIQUE (lookup_id),
  PRIMARY KEY (id),
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX short_urls_by_target ON short_urls USING btree (owner_id, substr(original_url, 1, 200));
CREATE INDEX short_urls_check ON short_urls USING btree (check_at) WHERE (trashed_at IS NULL);
CREATE INDEX short_urls_created ON short_urls USING btree (created_at, id, trashed_at, owner_id);
CREATE INDEX short_urls_expires ON short_urls USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX short_urls_favourite ON short_urls USING btree (owner_id, created_at, id, trashed_at) WHERE favourite;
CREATE INDEX short_urls_named ON short_urls USING btree (owner_id, lower((substr(original_url, 1, 200) COLLATE "C")), id) WHERE (trashed_at IS NULL);
CREATE INDEX short_urls_owner ON short_urls USING btree (owner_id, created_at, id, trashed_at);
CREATE INDEX short_urls_private ON short_urls USING btree (owner_id, created_at) WHERE ((NOT is_public) AND (trashed_at IS NULL));
CREATE INDEX short_urls_protected ON short_urls USING btree (owner_id, created_at, is_public) WHERE ((password_hash IS NOT NULL) AND (trashed_at IS NULL));
CREATE INDEX short_urls_telling ON short_urls USING btree (owner_id) WHERE (telling <> 'none'::text);
CREATE INDEX short_urls_trash ON short_urls USING btree (owner_id, trashed_at) WHERE (trashed_at IS NOT NULL);
CREATE INDEX short_urls_trashed ON short_urls USING btree (trashed_at) WHERE (trashed_at IS NOT NULL);

CREATE TABLE tags (
  id integer NOT NULL DEFAULT nextval('tags_id_seq'::regclass),
  owner_id integer NOT NULL,
  tag_key text NOT NULL,
  name text NOT NULL,
  items bigint NOT NULL,
  UNIQUE (owner_id, tag_key),
  PRIMARY KEY (id),
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE tellings (
  kind text NOT NULL,
  subject_id integer NOT NULL,
  channel text NOT NULL,
  owner_id integer NOT NULL,
  mode text NOT NULL,
  times bigint NOT NULL,
  due_at bigint,
  told_at bigint,
  gone_id text,
  gone_title text,
  PRIMARY KEY (kind, subject_id, channel),
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX tellings_owner_id_index ON tellings USING btree (owner_id);

CREATE TABLE upload_parts (
  upload_id integer NOT NULL,
  start bigint NOT NULL,
  size bigint NOT NULL,
  part_key text NOT NULL,
  UNIQUE (part_key),
  PRIMARY KEY (upload_id, start),
  FOREIGN KEY (upload_id) REFERENCES uploads(id) ON DELETE CASCADE
);

CREATE TABLE upload_request_files (
  id integer NOT NULL DEFAULT nextval('upload_request_files_id_seq'::regclass),
  request_id integer NOT NULL,
  image_id integer,
  name text NOT NULL,
  size bigint NOT NULL,
  sender text,
  received_at bigint NOT NULL,
  approved boolean,
  receipt_hash text,
  PRIMARY KEY (id),
  FOREIGN KEY (image_id) REFERENCES images(id) ON DELETE SET NULL,
  FOREIGN KEY (request_id) REFERENCES upload_requests(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX upload_request_files_by_receipt ON upload_request_files USING btree (request_id, receipt_hash);
CREATE INDEX upload_request_files_image_id_index ON upload_request_files USING btree (image_id);
CREATE INDEX upload_request_files_request_id_id_index ON upload_request_files USING btree (request_id, id);

CREATE TABLE upload_requests (
  id integer NOT NULL DEFAULT nextval('upload_requests_id_seq'::regclass),
  unique_id text NOT NULL,
  lookup_id text NOT NULL,
  owner_id integer NOT NULL,
  collection_id integer,
  title text NOT NULL,
  note text,
  max_files bigint,
  max_bytes bigint,
  types text,
  expires_at bigint,
  password_hash text,
  ask_name boolean NOT NULL,
  notify boolean NOT NULL,
  blind boolean NOT NULL,
  closed boolean NOT NULL,
  files bigint NOT NULL,
  bytes bigint NOT NULL,
  notice_at bigint,
  notified_at bigint,
  created_at bigint NOT NULL,
  updated_at bigint,
  recipient text,
  wall text NOT NULL DEFAULT 'none'::text,
  message text,
  ends_at bigint,
  telling text NOT NULL DEFAULT 'none'::text,
  UNIQUE (lookup_id),
  PRIMARY KEY (id),
  FOREIGN KEY (collection_id) REFERENCES collections(id) ON DELETE SET NULL,
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX upload_requests_collection_id_index ON upload_requests USING btree (collection_id);
CREATE INDEX upload_requests_owner_id_id_index ON upload_requests USING btree (owner_id, id);
CREATE INDEX upload_requests_telling ON upload_requests USING btree (owner_id) WHERE (telling <> 'none'::text);

CREATE TABLE uploads (
  id integer NOT NULL DEFAULT nextval('uploads_id_seq'::regclass),
  secret_hash text NOT NULL,
  owner_id integer NOT NULL,
  purpose text NOT NULL,
  fields text NOT NULL,
  metadata text,
  filename text,
  filetype text,
  length bigint,
  received bigint NOT NULL,
  state text NOT NULL,
  reason text,
  image_id integer,
  lock_token text,
  lock_until bigint,
  lock_wanted boolean NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  sent_from text,
  UNIQUE (secret_hash),
  PRIMARY KEY (id),
  FOREIGN KEY (image_id) REFERENCES images(id) ON DELETE SET NULL,
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX uploads_expires_at_index ON uploads USING btree (expires_at);
CREATE INDEX uploads_image_id_index ON uploads USING btree (image_id);
CREATE INDEX uploads_owner_id_state_index ON uploads USING btree (owner_id, state);

CREATE TABLE url_visits (
  id bigint NOT NULL DEFAULT nextval('url_visits_id_seq'::regclass),
  url_id integer NOT NULL,
  visited_at bigint NOT NULL,
  user_agent text,
  ip_address text,
  referrer_host text,
  visits integer NOT NULL DEFAULT 1,
  country text,
  variant text,
  PRIMARY KEY (id)
);
CREATE INDEX url_visits_url_id_id_index ON url_visits USING btree (url_id, id);

CREATE TABLE users (
  id integer NOT NULL DEFAULT nextval('users_id_seq'::regclass),
  username text NOT NULL,
  username_key text NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  password_hash text NOT NULL,
  role text NOT NULL,
  status text NOT NULL,
  avatar text,
  invited_by integer,
  socials text NOT NULL DEFAULT '{}'::text,
  url_settings text NOT NULL DEFAULT '{}'::text,
  embed_settings text NOT NULL DEFAULT '{}'::text,
  created_at bigint NOT NULL,
  avatar_sha256 text,
  metadata_policy text NOT NULL DEFAULT 'strip'::text,
  paused_until bigint,
  paused_indefinitely boolean NOT NULL DEFAULT false,
  language text,
  ocr boolean NOT NULL DEFAULT true,
  UNIQUE (email_key),
  UNIQUE (username_key),
  PRIMARY KEY (id),
  FOREIGN KEY (invited_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX users_deleted ON users USING btree (id) WHERE (role = 'DELETED'::text);
CREATE INDEX users_invited_by_index ON users USING btree (invited_by);

CREATE TABLE utm_presets (
  user_id integer NOT NULL,
  name text NOT NULL,
  fields text NOT NULL,
  PRIMARY KEY (user_id, name),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE verify_tokens (
  token_hash text NOT NULL,
  user_id integer NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (token_hash),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX verify_tokens_expires_at_index ON verify_tokens USING btree (expires_at);
CREATE INDEX verify_tokens_user_id_index ON verify_tokens USING btree (user_id);

CREATE TABLE view_countries (
  kind text NOT NULL,
  item_id integer NOT NULL,
  day integer NOT NULL,
  country text NOT NULL,
  views bigint NOT NULL,
  PRIMARY KEY (kind, item_id, day, country)
);

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
);

CREATE TABLE visit_countries (
  url_id integer NOT NULL,
  day integer NOT NULL,
  country text NOT NULL,
  visits bigint NOT NULL,
  PRIMARY KEY (url_id, day, country)
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
);

CREATE TABLE visit_variants (
  url_id integer NOT NULL,
  day integer NOT NULL,
  variant text NOT NULL,
  visits bigint NOT NULL,
  PRIMARY KEY (url_id, day, variant)
);

CREATE TABLE webhook_deliveries (
  id bigint NOT NULL DEFAULT nextval('webhook_deliveries_id_seq'::regclass),
  user_id integer NOT NULL,
  event text NOT NULL,
  unique_id text NOT NULL,
  state text NOT NULL,
  attempts integer NOT NULL,
  created_at bigint NOT NULL,
  attempted_at bigint,
  status integer,
  error text,
  excerpt text,
  duration_ms integer,
  PRIMARY KEY (id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_user_id_id_index ON webhook_deliveries USING btree (user_id, id);

CREATE TABLE webhook_health (
  user_id integer NOT NULL,
  failures integer NOT NULL,
  paused_until bigint NOT NULL,
  disabled_at bigint,
  PRIMARY KEY (user_id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE webhooks (
  user_id integer NOT NULL,
  url_cipher text,
  secret_cipher text,
  format text,
  events text,
  PRIMARY KEY (user_id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE word_fill (
  source text NOT NULL,
  done_id integer NOT NULL,
  until_id integer NOT NULL,
  PRIMARY KEY (source)
);
