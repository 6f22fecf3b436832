-- The schema after all migrations on postgres. Made by `npm run db:schema`; a test compares it.

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

CREATE TABLE hub_notes (
  id bigint NOT NULL DEFAULT nextval('hub_notes_id_seq'::regclass),
  sender text NOT NULL,
  topic text NOT NULL,
  message text NOT NULL,
  sent_at bigint NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX hub_notes_sent_at_index ON hub_notes USING btree (sent_at);

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
  UNIQUE (lookup_id),
  PRIMARY KEY (id),
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX images_created ON images USING btree (created_at);
CREATE INDEX images_day_size ON images USING btree (((created_at / 86400000)), size) WHERE (is_public AND (password_hash IS NULL));
CREATE INDEX images_expires ON images USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX images_owner ON images USING btree (owner_id, created_at);
CREATE INDEX images_sha256_index ON images USING btree (sha256);

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
  PRIMARY KEY (id),
  FOREIGN KEY (mail_id) REFERENCES mail_messages(id) ON DELETE CASCADE
);
CREATE INDEX mail_attachments_mail_id_index ON mail_attachments USING btree (mail_id);

CREATE TABLE mail_contents (
  mail_id bigint NOT NULL,
  content text NOT NULL,
  PRIMARY KEY (mail_id),
  FOREIGN KEY (mail_id) REFERENCES mail_messages(id) ON DELETE CASCADE
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
  UNIQUE (mailbox_id, message_id),
  PRIMARY KEY (id),
  FOREIGN KEY (mailbox_id) REFERENCES mailboxes(id) ON DELETE CASCADE
);
CREATE INDEX mail_messages_mailbox_id_id_index ON mail_messages USING btree (mailbox_id, id);
CREATE INDEX mail_messages_removed ON mail_messages USING btree (removed_at) WHERE (removed_at IS NOT NULL);

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
  UNIQUE (address),
  PRIMARY KEY (id),
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE SET NULL,
  FOREIGN KEY (suspended_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX mailboxes_owner_id_index ON mailboxes USING btree (owner_id);
CREATE INDEX mailboxes_suspended_by_index ON mailboxes USING btree (suspended_by);

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
  UNIQUE (lookup_id),
  PRIMARY KEY (id),
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX pastes_created ON pastes USING btree (created_at);
CREATE INDEX pastes_expires ON pastes USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX pastes_owner ON pastes USING btree (owner_id, created_at);

CREATE TABLE playlist_items (
  playlist_id integer NOT NULL,
  image_id integer NOT NULL,
  position integer NOT NULL,
  PRIMARY KEY (playlist_id, image_id),
  FOREIGN KEY (image_id) REFERENCES images(id) ON DELETE CASCADE,
  FOREIGN KEY (playlist_id) REFERENCES playlists(id) ON DELETE CASCADE
);
CREATE INDEX playlist_items_image_id_index ON playlist_items USING btree (image_id);

CREATE TABLE playlists (
  id integer NOT NULL DEFAULT nextval('playlists_id_seq'::regclass),
  unique_id text NOT NULL,
  lookup_id text NOT NULL,
  owner_id integer NOT NULL,
  title text NOT NULL,
  description text,
  cover_image_id integer,
  views bigint NOT NULL,
  created_at bigint NOT NULL,
  UNIQUE (lookup_id),
  PRIMARY KEY (id),
  FOREIGN KEY (cover_image_id) REFERENCES images(id) ON DELETE SET NULL,
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX playlists_cover_image_id_index ON playlists USING btree (cover_image_id);
CREATE INDEX playlists_owner_id_id_index ON playlists USING btree (owner_id, id);

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
  UNIQUE (object_key),
  UNIQUE (unique_id),
  PRIMARY KEY (id),
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX reservations_expires_at_index ON reservations USING btree (expires_at);
CREATE INDEX reservations_owner_id_index ON reservations USING btree (owner_id);

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
  UNIQUE (token_hash),
  PRIMARY KEY (id),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_expires_at_index ON sessions USING btree (expires_at);
CREATE INDEX sessions_user_id_index ON sessions USING btree (user_id);

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
  UNIQUE (lookup_id),
  PRIMARY KEY (id),
  FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX short_urls_created ON short_urls USING btree (created_at);
CREATE INDEX short_urls_expires ON short_urls USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX short_urls_owner ON short_urls USING btree (owner_id, created_at);

CREATE TABLE url_visits (
  id bigint NOT NULL DEFAULT nextval('url_visits_id_seq'::regclass),
  url_id integer NOT NULL,
  visited_at bigint NOT NULL,
  user_agent text,
  ip_address text,
  referrer_host text,
  visits integer NOT NULL DEFAULT 1,
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
  UNIQUE (email_key),
  UNIQUE (username_key),
  PRIMARY KEY (id),
  FOREIGN KEY (invited_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX users_deleted ON users USING btree (id) WHERE (role = 'DELETED'::text);
CREATE INDEX users_invited_by_index ON users USING btree (invited_by);

CREATE TABLE verify_tokens (
  token_hash text NOT NULL,
  user_id integer NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (token_hash),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX verify_tokens_expires_at_index ON verify_tokens USING btree (expires_at);
CREATE INDEX verify_tokens_user_id_index ON verify_tokens USING btree (user_id);

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
