import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { here } from '../address.js';
import { ActionForm } from '../components/form/form.js';
import { Qr } from '../components/item/qr.js';
import { Card, CopyField } from '../components/parts.js';
import type { PageProps } from '../page-props.js';
import type { UploaderRecord } from '../records.js';
import { Settings } from './settings.js';

/** What a configuration is called here, by its file; others are called as the interface calls them. */
const TOOL_WORDS: Readonly<Record<string, Message>> = {
  'holdall-image.sxcu': msg('ShareX: images and files'),
  'holdall-text.sxcu': msg('ShareX: text'),
  'holdall-url.sxcu': msg('ShareX: short links'),
  'holdall.sh': msg('Shell script with curl'),
  'flameshot.sh': msg('Flameshot on Linux'),
  'aliases.sh': msg('Short commands for the shell'),
};

interface Group {
  readonly title: Message;
  /** What to do with the files. */
  readonly steps: Message;
  readonly files: RegExp;
}

/** The configurations by what their users have before them; what is in none stands in the last. */
const GROUPS: readonly Group[] = [
  {
    title: msg('Windows'),
    steps: msg('1. Install ShareX. 2. Download these files. 3. Double-click each one and confirm.'),
    files: /\.sxcu$/,
  },
  {
    title: msg('Linux and Mac'),
    steps: msg('Download a script, make it executable and bind it to a key, or run it in a terminal.'),
    files: /^(?:(?:holdall|flameshot|ksnip|aliases)\.sh|pastebinit\.conf)$/,
  },
  {
    title: msg('Editors and notes'),
    steps: msg('A picture that you paste into a text is uploaded, and its link put in its place.'),
    files: /^(?:picgo|typora|obsidian)\./,
  },
  {
    title: msg('Assistants'),
    steps: msg('Programs that speak the Model Context Protocol (MCP) find, read and store things here.'),
    files: /^mcp/,
  },
  {
    title: msg('Other programs'),
    steps: msg('Programs made for another product: enter this address and key there.'),
    files: /^/,
  },
];

/** Files for phones, which stand in the card with the QR code. */
const FOR_PHONES = /^(?:ios|android)\.txt$/;

/** Ready-made configurations for upload tools, each with a key of its own, by device. */
export function ToolsPage({
  site,
  uploaders,
  apiKey,
}: PageProps<{
  readonly uploaders: readonly UploaderRecord[];
  readonly apiKey: string | null;
}>) {
  const left = uploaders.filter(({ file }) => !FOR_PHONES.test(file));
  const groups = GROUPS.map((group) => ({
    ...group,
    tools: left.filter(({ file }) => GROUPS.find(({ files }) => files.test(file)) === group),
  }));
  return (
    <Settings
      site={site}
      title={t('Upload tools')}
      lead={t(
        'Each download has a new key of its own with only the rights that the program needs; delete it under API keys.',
      )}
    >
      <div class="tools">
        <Card
          title={t('iPhone and Android')}
          hint={t(
            'Open this address on the phone and add it to the home screen. Android then has it under Share.',
          )}
        >
          <Qr text={site.origin} label={t('QR code of {address}', { address: site.origin })} />
          <Tools of={uploaders.filter(({ file }) => FOR_PHONES.test(file))} />
        </Card>
        <Card
          title={t('Terminal')}
          hint={t('The holdall command uploads files, texts and folders. It asks for a key once.')}
        >
          <CopyField label={t('Sign in')} value={`npx @holdall/client login ${site.origin}`} />
          <CopyField label={t('Upload')} value="npx @holdall/client upload picture.png" />
          {apiKey !== null && (
            // Whoever looks over a shoulder does not see the key.
            <details class="more">
              <summary>{t('With curl')}</summary>
              <p class="hint">
                {t('This command uploads a file and prints its link. It contains your main API key.')}
              </p>
              <CopyField
                label={t('With curl')}
                value={`curl -F file=@picture.png -H 'Accept: text/plain' -H 'X-API-Key: ${apiKey}' ${site.origin}/v1/image/upload`}
              />
            </details>
          )}
        </Card>
        {groups.map(({ title, steps, tools }) => (
          <Card key={title} title={translateMessage(title)} hint={translateMessage(steps)}>
            <Tools of={tools} />
          </Card>
        ))}
      </div>
    </Settings>
  );
}

/** Configurations to download. */
function Tools({ of }: { readonly of: readonly UploaderRecord[] }) {
  return (
    <ul class="rows">
      {of.map(({ file, tool, url }) => (
        <li key={file}>
          <span class="what">
            {TOOL_WORDS[file] === undefined ? tool : translateMessage(TOOL_WORDS[file])}
            <br />
            <span class="hint mono">{file}</span>
          </span>
          <ActionForm action={here(url)} look="plain" icon="download">
            {t('Download')}
          </ActionForm>
        </li>
      ))}
    </ul>
  );
}
