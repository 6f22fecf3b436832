/** The pastes, links and mails of the demo. */

const NOTES = `# Weekend at the lake

Three days, two tents, one car. The pictures are in the collection *Weekend at the lake*.

| day | plan                  | who cooks |
| --- | --------------------- | --------- |
| Fri | drive, build the camp | Theo      |
| Sat | the ridge, 14 km      | Mira      |
| Sun | swim, pack, drive     | nobody    |

- [x] tents
- [x] stove and gas
- [ ] somebody asks about the boat
`;

const SCRIPT = `#!/bin/sh
# Sends a file to Holdall and prints its address.
# HOLDALL=https://holdall.example.org, HOLDALL_KEY from Settings, API keys
set -eu
curl --fail --silent -H "Authorization: Bearer $HOLDALL_KEY" -T "$1" "$HOLDALL/\${1##*/}"
`;

const LOG = `2026-03-14T09:21:07Z INFO  backup started
2026-03-14T09:21:07Z INFO  1,204 files since the last one
2026-03-14T09:21:31Z WARN  /srv/photos/raw is slow: 3.1 MB/s
2026-03-14T09:24:02Z INFO  backup complete, 2.4 GB
`;

const COMPOSE = `services:
  holdall:
    image: holdall
    ports: ["8012:8012"]
    environment:
      HOST: 0.0.0.0
      BASE_URL: https://holdall.example.org
    volumes: ["holdall:/data"]
volumes:
  holdall:
`;

/** The pastes. */
export const PASTES = [
  { title: 'Weekend at the lake', text: NOTES, language: 'markdown', tags: ['trip'] },
  { title: 'upload.sh', text: SCRIPT, language: 'bash', tags: ['tools'] },
  { title: 'compose.yaml', text: COMPOSE, language: 'yaml', tags: ['tools'] },
  { title: 'backup.log', text: LOG, language: null, tags: [], private: true },
] as const;

/** The short links. They lead to domains that are there for examples. */
export const LINKS = [
  { url: 'https://example.org/lake/directions', uniqueId: 'the-lake', note: 'For the invitation' },
  { url: 'https://example.com/spring?utm_source=poster', uniqueId: 'spring', note: 'Poster, from March on' },
  { url: 'https://example.net/docs/getting-started', uniqueId: 'start', note: null },
] as const;

/** The mails of the mailbox, the newest last. */
export const MAILS = [
  {
    ...{
      name: 'Camp at the lake',
      address: 'booking@example.org',
      subject: 'Your booking: two tents, 12 to 14 June',
    },
    text: 'Hello,\r\n\r\nyour place is reserved. Arrive before 20:00; the gate code is 4711.\r\n\r\nSee you at the lake!\r\n',
    html: null,
  },
  {
    ...{ name: 'Mira', address: 'mira@example.com', subject: 'Who brings the stove?' },
    text: 'I have gas, but no stove any more. Can you take yours?\r\n\r\nM.\r\n',
    html: null,
  },
  {
    ...{ name: 'Example Shop', address: 'no-reply@example.net', subject: 'Your code is 482913' },
    text: 'Your code is 482913. It is valid for ten minutes.\r\n',
    html: '<h1>Sign in</h1><p>Your code is <strong>482913</strong>. It is valid for ten minutes.</p>',
  },
] as const;
