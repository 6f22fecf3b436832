import { t } from '../../../routers/base/language/i18n.js';
import { CopyButton } from '../components/button.js';
import { Heading, Page } from '../components/page/page.js';
import { Facts, Person, Time } from '../components/parts.js';
import { ReportLink } from '../moderation/report-page.js';
import type { PageProps } from '../page-props.js';
import { FileTabs, type ShownFile } from '../paste/file-tabs.js';
import { languageName } from '../paste/languages.js';
import { pasteName } from '../paste/name.js';
import type { PasteRecord } from '../records.js';
import { SealedStage } from '../sealed/sealed-stage.js';
import { hasDiagram, type TextShown } from '../shown/text-file.js';
import { ShownTextOf } from '../shown/text-shown.js';

/** A paste that a share link opens: without its own addresses, which may be closed to the reader. */
export function SharedPastePage({
  site,
  paste,
  file,
  text,
  action,
}: PageProps<{
  readonly paste: PasteRecord;
  readonly file: ShownFile;
  readonly text: TextShown;
  /** The path of the share link. */
  readonly action: string;
}>) {
  const title = pasteName(paste);
  const language = text.shown.as === 'source' && !paste.sealed ? text.shown.text.language : null;
  return (
    <Page
      site={site}
      title={title}
      scripts={[paste.sealed ? 'sealed' : 'code', ...(hasDiagram(text) ? (['diagram'] as const) : [])]}
      width="wide"
    >
      <Heading title={title} lead={language && languageName(language)}>
        {text.shown.as === 'source' && !paste.sealed && (
          <CopyButton of="code" look="primary">
            {t('Copy text')}
          </CopyButton>
        )}
      </Heading>
      {paste.sealed ? (
        <SealedStage page={site.origin + action} item={paste} of={{ armor: paste.content, url: null }} />
      ) : (
        <>
          {paste.files !== null && <FileTabs files={paste.files} path={action} current={file.name} />}
          <ShownTextOf
            text={text}
            label={t('Text of {title}', { title: file.name ?? title })}
            path={file.path}
          />
        </>
      )}
      <Facts
        of={[
          [t('Created by'), <Person key="from" user={paste.uploader} />],
          [t('Created'), <Time key="at" at={paste.createdAt} />],
        ]}
      />
      <ReportLink kind="paste" uniqueId={paste.uniqueId} />
    </Page>
  );
}
