import { z } from 'zod';
import { mainKeyCipher } from '../../../db/account/main-key.js';
import { fail, found } from '../../base/errors.js';
import type { AccountContext } from '../../core/context.js';
import { requireMainCredential } from '../../core/scopes.js';
import { createKey } from '../auth/public.js';
import { CLIENT_FILES, type ClientFile, escaped, quoted } from './client-files.js';

/** A configuration in the list. */
export const uploaderRecord = z.object({ file: z.string(), tool: z.string(), url: z.url() });

/** A configuration for download. */
export const uploaderFile = z.object({ file: z.string(), type: z.string(), text: z.string() });

const LINK = '{json:message.urlSet.shortUrl}';

/** A custom uploader of ShareX 17; values in braces are ShareX's own placeholders. */
function sharex(
  name: string,
  destination: string,
  path: string,
  body: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, string>> = {},
): ClientFile['write'] {
  return (baseUrl, key) =>
    `${JSON.stringify(
      {
        Version: '17.0.0',
        Name: name,
        DestinationType: destination,
        RequestMethod: 'POST',
        RequestURL: `${baseUrl}${path}`,
        Headers: { 'X-API-Key': escaped(key, /[\\{}]/g), Accept: 'application/json' },
        ...body,
        URL: LINK,
        ...more,
        DeletionURL: '{json:message.urlSet.deletionUrl}',
        ErrorMessage: '{json:message}',
      },
      null,
      2,
    )}\n`;
}

const jsonBody = (field: string) => ({
  Body: 'JSON',
  Data: JSON.stringify({ [field]: '{input}' }),
});

/** The start of both scripts. The key is passed to curl through a file, where `ps` does not show it. */
const shellHead = (baseUrl: string, key: string): string => `set -eu
base=${quoted(baseUrl)}
header=${quoted(`header = "X-API-Key: ${escaped(key, /[\\"]/g)}"`)}

send() {
  if answer=$(
    curl --silent --show-error --fail-with-body --header 'Accept: text/plain' --config /dev/fd/3 "$@" 3<<EOF
$header
EOF
  ); then printf '%s\\n' "$answer"
  else
    code=$?
    printf '%s\\n' "$answer" >&2
    exit "$code"
  fi
}
`;

const shell: ClientFile['write'] = (baseUrl, key) => `#!/bin/sh
# Uploads to Holdall and prints the link.
#   holdall.sh FILE...          files
#   holdall.sh https://...      shortens a URL
#   command | holdall.sh        stores standard input as a paste
# This file holds your API key: keep it private.
${shellHead(baseUrl, key)}
if [ $# -eq 0 ]; then
  send --form 'text=<-' "$base/paste/create"
  exit
fi
for item in "$@"; do
  case $item in
    http://* | https://*) send --data-urlencode "url=$item" "$base/url/create" ;;
    *)
      quoted=$(printf %s "$item" | sed 's/[\\\\"]/\\\\&/g')
      send --form "file=@\\"$quoted\\"" "$base/image/upload"
      ;;
  esac
done
`;

const flameshot: ClientFile['write'] = (baseUrl, key) => `#!/bin/sh
# Takes a screenshot with Flameshot, uploads it to Holdall and copies the link.
# This file holds your API key: keep it private.
${shellHead(baseUrl, key)}
picture=$(mktemp)
trap 'rm -f "$picture"' EXIT
flameshot gui --raw >"$picture"
[ -s "$picture" ] || exit 0
link=$(send --form "file=@\\"$picture\\";filename=screenshot.png;type=image/png" "$base/image/upload")
echo "$link"
if command -v wl-copy >/dev/null; then printf %s "$link" | wl-copy
elif command -v xclip >/dev/null; then printf %s "$link" | xclip -selection clipboard
fi
`;

const UPLOADERS: readonly ClientFile[] = [
  {
    file: 'holdall-image.sxcu',
    tool: 'ShareX: images and files',
    scopes: ['images:write'],
    type: 'application/json; charset=utf-8',
    write: sharex(
      'Holdall images and files',
      'ImageUploader, FileUploader',
      '/image/upload',
      { Body: 'MultipartFormData', FileFormName: 'file' },
      { ThumbnailURL: '{json:message.urlSet.rawUrl}?width=320' },
    ),
  },
  {
    file: 'holdall-text.sxcu',
    tool: 'ShareX: text',
    scopes: ['pastes:write'],
    type: 'application/json; charset=utf-8',
    write: sharex('Holdall text', 'TextUploader', '/paste/create', jsonBody('text')),
  },
  {
    file: 'holdall-url.sxcu',
    tool: 'ShareX: short links',
    scopes: ['urls:write'],
    type: 'application/json; charset=utf-8',
    write: sharex('Holdall links', 'URLShortener', '/url/create', jsonBody('url')),
  },
  {
    file: 'holdall.sh',
    tool: 'Shell script with curl',
    scopes: ['images:write', 'pastes:write', 'urls:write'],
    type: 'text/x-shellscript',
    write: shell,
  },
  {
    file: 'flameshot.sh',
    tool: 'Flameshot on Linux',
    scopes: ['images:write'],
    type: 'text/x-shellscript',
    write: flameshot,
  },
];

/** Those of the list that older clients know, and all. */
const ALL: readonly ClientFile[] = [...UPLOADERS, ...CLIENT_FILES];

/** The configurations and their download URLs; with `all` also those for other products' clients. */
export const listUploaders = (baseUrl: string, all: boolean): z.output<typeof uploaderRecord>[] =>
  (all ? ALL : UPLOADERS).map(({ file, tool }) => ({
    file,
    tool,
    url: `${baseUrl}/user/get/@me/uploaders/${file}`,
  }));

/** One configuration with the caller's API key; 404 for an unknown name. */
export async function writeUploader(
  ctx: AccountContext,
  file: string,
): Promise<z.output<typeof uploaderFile>> {
  const { app, account } = ctx;
  const uploader = found(ALL.find((each) => each.file === file));
  requireMainCredential(account);
  const cipher = await mainKeyCipher(app.db.read, account.id);
  if (cipher === null)
    fail('NOT_FOUND', 'Your main API key is switched off: get this file with a key of its own (POST)');
  const text = uploader.write(app.settings.baseUrl, app.secrets.decrypt(cipher));
  return { file, type: uploader.type, text };
}

/** One configuration with a new named key that may do what the tool does and nothing else; 404 for an unknown name. */
export async function writeUploaderWithKey(
  ctx: AccountContext,
  file: string,
): Promise<z.output<typeof uploaderFile>> {
  const { tool, scopes, type, write, alsoReads = false } = found(ALL.find((each) => each.file === file));
  const { key } = await createKey(ctx, {
    name: tool,
    scopes: [...scopes],
    expiresAt: null,
    asVisitor: false,
    createOnly: !alsoReads,
  });
  return { file, type, text: write(ctx.app.settings.baseUrl, key) };
}
