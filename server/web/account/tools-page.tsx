import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { here } from '../address.js';
import { ActionForm } from '../components/form/form.js';
import { Card, CopyField } from '../components/parts.js';
import type { PageProps } from '../page-props.js';
import type { UploaderRecord } from '../records.js';
import { Settings } from './settings.js';

/** What each configuration is for, by its file; others are called as the interface calls them. */
const TOOL_WORDS: Readonly<Record<string, Message>> = {
  'holdall-image.sxcu': msg('ShareX: images and files'),
  'holdall-text.sxcu': msg('ShareX: text'),
  'holdall-url.sxcu': msg('ShareX: short links'),
  'holdall.sh': msg('Shell script with curl'),
  'flameshot.sh': msg('Flameshot on Linux'),
};

const wordsFor = (file: string, tool: string): string => {
  const known = TOOL_WORDS[file];
  return known === undefined ? tool : translateMessage(known);
};

/** Ready-made configurations for upload tools, each with a key of its own, and what the command needs. */
export function ToolsPage({
  site,
  uploaders,
  apiKey,
}: PageProps<{
  readonly uploaders: readonly UploaderRecord[];
  readonly apiKey: string | null;
}>) {
  return (
    <Settings
      site={site}
      title={t('Upload tools')}
      lead={t(
        'Configuration files for other programs. Each download has a new key of its own with only the rights that the program needs; delete it under Security, Named keys.',
      )}
    >
      <Card>
        <ul class="rows">
          {uploaders.map(({ file, tool, url }) => (
            <li key={file}>
              <span class="what">
                {wordsFor(file, tool)}
                <br />
                <span class="hint mono">{file}</span>
              </span>
              <ActionForm action={here(url)} look="plain" icon="download">
                {t('Download')}
              </ActionForm>
            </li>
          ))}
        </ul>
      </Card>
      {apiKey !== null && (
        <Card
          title={t('Command line')}
          hint={t('This command uploads a file and prints its link. It contains your main API key.')}
        >
          {/* Whoever looks over a shoulder does not see the key. */}
          <details class="more">
            <summary>{t('With curl')}</summary>
            <CopyField
              label={t('With curl')}
              value={`curl -F file=@picture.png -H 'Accept: text/plain' -H 'X-API-Key: ${apiKey}' ${site.origin}/v1/image/upload`}
            />
          </details>
        </Card>
      )}
    </Settings>
  );
}
