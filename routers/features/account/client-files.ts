import type { Scope } from '../../core/scopes.js';

/** What a program needs to store things here, as a file. */
export interface ClientFile {
  readonly file: string;
  readonly tool: string;
  readonly type: string;
  /** What a key of its own is for. */
  readonly scopes: readonly Scope[];
  /** Whether that key does more than add things. */
  readonly alsoReads?: boolean;
  /** Its text; it contains the API key and must be kept as secret. */
  write(baseUrl: string, key: string): string;
}

const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const SCRIPT = 'text/x-shellscript';

/** The doors are at the root of the host, beside `/v1`. */
const originOf = (baseUrl: string): string => new URL(baseUrl).origin;
const jsonFile =
  (of: (origin: string, key: string) => unknown): ClientFile['write'] =>
  (baseUrl, key) =>
    `${JSON.stringify(of(originOf(baseUrl), key), null, 2)}\n`;
const textFile =
  (of: (origin: string, key: string) => readonly string[]): ClientFile['write'] =>
  (baseUrl, key) =>
    `${of(originOf(baseUrl), key).join('\n')}\n`;

/** Quotes a word for a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** A text with a backslash before each of these characters. */
export const escaped = (text: string, characters: RegExp): string => text.replace(characters, '\\$&');
/** A line of curl's configuration: the key is passed through a file, where `ps` does not show it. */
const headerLine = (key: string): string =>
  quoted(`header = "Authorization: Bearer ${escaped(key, /[\\"]/g)}"`);

/** A script that stores files and prints the address of the bytes of each on a line. */
const printing =
  (first: string): ClientFile['write'] =>
  (baseUrl, key) =>
    `#!/bin/sh
# ${first}
# This file holds an API key: keep it private.
set -eu
header=${headerLine(key)}
for item in "$@"; do
  quoted=$(printf %s "$item" | sed 's/[\\\\"]/\\\\&/g')
  curl --silent --show-error --fail-with-body --config /dev/fd/3 --form "file=@\\"$quoted\\"" ${quoted(`${originOf(baseUrl)}/`)} 3<<EOF
$header
EOF
done
`;

const aliases: ClientFile['write'] = (
  baseUrl,
  key,
) => `# Read by ". aliases.sh" in ~/.profile. It holds an API key: keep it private.
_holdall() {
  curl --silent --show-error --fail-with-body --config /dev/fd/3 "$@" 3<<EOF
$_holdall_header
EOF
}
_holdall_header=${headerLine(key)}
_holdall_at=${quoted(originOf(baseUrl))}
# up FILE: stores it; once FILE: opens once; short ADDRESS: makes a short link; note: stores what comes in
up() { _holdall --upload-file "$1" "$_holdall_at/"; }
once() { _holdall --form "oneshot=@$1" "$_holdall_at/"; }
short() { _holdall --form-string "url=$1" "$_holdall_at/"; }
note() { _holdall --data-binary @- "$_holdall_at/documents"; echo; }
`;

const AGENT_SCOPES: readonly Scope[] = [
  ...(['images:read', 'images:write', 'pastes:read', 'pastes:write'] as const),
  ...(['urls:read', 'urls:write', 'mail:read'] as const),
];
const agent = (file: string, tool: string, type: string, write: ClientFile['write']): ClientFile => ({
  ...{ file, tool, type, write, scopes: AGENT_SCOPES, alsoReads: true },
});
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** The files of clients that were made for other products, and of agents. */
export const CLIENT_FILES: readonly ClientFile[] = [
  {
    ...{ file: 'picgo.json', tool: 'PicGo, PicList (lankong)', type: JSON_TYPE, scopes: ['images:write'] },
    write: jsonFile((server, key) => ({
      picBed: {
        ...{ current: 'lankong', uploader: 'lankong' },
        lankong: {
          ...{ lskyProVersion: 'V2', server, token: `Bearer ${key}`, strategyId: '', albumId: '' },
          ...{ permission: 1, ignoreCertErr: false, syncDelete: false },
        },
      },
      picgoPlugins: { 'picgo-plugin-lankong': true },
    })),
  },
  {
    ...{ file: 'typora.sh', tool: 'Typora', type: SCRIPT, scopes: ['images:write'] },
    write: printing(
      'Typora: Preferences, Image, Image Uploader: Custom Command, with the path of this file.',
    ),
  },
  {
    ...{ file: 'obsidian.json', tool: 'Obsidian: Image auto upload', type: JSON_TYPE },
    scopes: ['images:write'],
    write: jsonFile((origin, key) => ({
      ...{ uploader: 'PicGo', uploadServer: `${origin}/upload?key=${encodeURIComponent(key)}` },
      ...{ deleteServer: '', remoteServerMode: true, uploadByClipSwitch: true, workOnNetWork: false },
    })),
  },
  {
    ...{ file: 'ksnip.sh', tool: 'ksnip', type: SCRIPT, scopes: ['images:write'] },
    write: printing('ksnip: Settings, Uploader: Script, with the path of this file; copy script output: on.'),
  },
  {
    ...{ file: 'yourls.txt', tool: 'YOURLS', type: TEXT, scopes: ['urls:read', 'urls:write'] },
    alsoReads: true,
    write: textFile((origin, key) => [
      ...['API address:', `${origin}/yourls-api.php`, 'Signature:', key, 'As one address:'],
      `${origin}/yourls-api.php?signature=${encodeURIComponent(key)}&action=shorturl&format=simple&url=`,
    ]),
  },
  {
    ...{ file: 'shlink.txt', tool: 'Shlink', type: TEXT, scopes: ['urls:read', 'urls:write'] },
    alsoReads: true,
    write: textFile((origin, key) => ['Server:', origin, 'API key:', key]),
  },
  {
    ...{ file: 'aliases.sh', tool: 'curl', type: SCRIPT, write: aliases },
    scopes: ['images:write', 'pastes:write', 'urls:write'],
  },
  {
    ...{ file: 'pastebinit.conf', tool: 'pastebinit', type: TEXT, scopes: ['pastes:write'] },
    write: textFile((origin, key) => {
      const { protocol, host } = new URL(origin);
      return [
        `# Save it in ~/.pastebin.d. Then: command | pastebinit -b ${origin}`,
        ...['[pastebin]', `basename = ${host}`, ...(protocol === 'https:' ? ['https = True'] : [])],
        ...['post_page = v1/paste/create', 'paste_regexp = "uniqueId":"([^"]+)"', 'target_page = r/'],
        ...['[format]', 'content = text', 'title = title', 'key = key'],
        // A percent sign begins a reference there.
        ...['[defaults]', 'title =', `key = ${key.replaceAll('%', '%%')}`],
      ];
    }),
  },
  {
    ...{ file: 'ios.txt', tool: 'iOS: Shortcuts', type: TEXT, scopes: ['images:write'] },
    write: textFile((origin, key) => [
      'Shortcuts, new shortcut, Details: Show in Share Sheet (files, images).',
      'Action "Get Contents of URL":',
      ...[`  URL: ${origin}/`, '  Method: POST', `  Headers: Authorization = Bearer ${key}`],
      '  Request Body: Form, one field "file" of type File = Shortcut Input',
      'Action "Copy to Clipboard": Contents of URL',
    ]),
  },
  {
    ...{ file: 'android.txt', tool: 'Android: HTTP Shortcuts', type: TEXT, scopes: ['images:write'] },
    write: textFile((origin, key) => [
      `Without any app: open ${origin} in Chrome, menu, "Install app"; it is in the list of "Share".`,
      'With the app "HTTP Shortcuts":',
      ...[`  URL: ${origin}/`, '  Method: POST', `  Headers: Authorization = Bearer ${key}`],
      '  Request Body: Parameters (form-data), one parameter "file" of type File',
      '  Trigger: allow receiving of shared files; Response: copy to clipboard',
    ]),
  },
  {
    ...{ file: 'mailpit.env', tool: 'Mailpit', type: TEXT, scopes: ['mail:read', 'mail:write'] },
    alsoReads: true,
    write: textFile((origin, key) => [
      `MAILPIT_URL=${origin}`,
      'MAILPIT_USERNAME=holdall',
      `MAILPIT_PASSWORD=${quoted(key)}`,
    ]),
  },
  agent(
    ...(['mcp.json', 'MCP: Claude Code, Cursor', JSON_TYPE] as const),
    jsonFile((origin, key) => ({
      mcpServers: { holdall: { type: 'http', url: `${origin}/mcp`, headers: bearer(key) } },
    })),
  ),
  agent(
    ...(['mcp-vscode.json', 'MCP: VS Code', JSON_TYPE] as const),
    jsonFile((origin, key) => ({
      servers: { holdall: { type: 'http', url: `${origin}/mcp`, headers: bearer(key) } },
    })),
  ),
  agent(
    ...(['mcp-codex.toml', 'MCP: Codex', TEXT] as const),
    textFile((origin, key) => [
      '[mcp_servers.holdall]',
      `url = ${JSON.stringify(`${origin}/mcp`)}`,
      `http_headers = { Authorization = ${JSON.stringify(`Bearer ${key}`)} }`,
    ]),
  ),
];
