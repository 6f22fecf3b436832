import { here } from '../address.js';
import { LinkButton } from '../components/button.js';
import { Card, CopyField } from '../components/parts.js';
import type { PageProps } from '../page-props.js';
import type { UploaderRecord } from '../records.js';
import { Settings } from './settings.js';

/** Ready-made configurations for upload tools, and the API key in them. */
export function ToolsPage({
  site,
  uploaders,
  apiKey,
}: PageProps<{
  readonly uploaders: readonly UploaderRecord[];
  readonly apiKey: string;
}>) {
  return (
    <Settings
      site={site}
      title="Upload tools"
      lead="Configuration files for upload tools. Each contains your API key, so keep them private."
    >
      <Card>
        <ul class="rows">
          {uploaders.map(({ file, tool, url }) => (
            <li key={file}>
              <span class="what">
                {tool}
                <br />
                <span class="hint mono">{file}</span>
              </span>
              <LinkButton href={here(url)} icon="download" download>
                Download
              </LinkButton>
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Command line" hint="This command uploads a file and prints its link.">
        <CopyField
          label="With curl"
          value={`curl -F file=@picture.png -H 'Accept: text/plain' -H 'X-API-Key: ${apiKey}' ${site.origin}/v1/image/upload`}
        />
      </Card>
    </Settings>
  );
}
