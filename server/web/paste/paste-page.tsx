import { type ComponentChildren, Fragment } from 'preact';
import { t } from '../../../routers/base/language/i18n.js';
import type { Highlighted } from '../../../routers/base/ports/highlight.js';
import { editPath, here, itemPath, withQuery } from '../address.js';
import { CopyButton, LinkButton } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { isEnded, pasteLifetime, RemovedNotice } from '../components/item/removed.js';
import { Share, sharedLink } from '../components/item/share.js';
import { Heading, Page } from '../components/page/page.js';
import { Facts, Person, Time } from '../components/parts.js';
import { NotifyForm } from '../edit/notify.js';
import { ReportLink } from '../moderation/report-page.js';
import type { PageProps } from '../page-props.js';
import type { Meta } from '../preview.js';
import type { PasteRecord } from '../records.js';
import { rich } from '../rich.js';
import { SealedStage } from '../sealed/sealed-stage.js';
import { hasDiagram, type TextShown } from '../shown/text-file.js';
import { ShownTextOf } from '../shown/text-shown.js';
import { owns } from '../site.js';
import { FileTabs, type ShownFile } from './file-tabs.js';
import { languageName } from './languages.js';
import { pasteName } from './name.js';
import { PasteMenu } from './paste-menu.js';

/**
 * A paste that the reader may see; `burned` if this was its only reading. One that can only be read once is shown
 * unread only to its creator, in the response to its creation.
 */
export function PastePage({
  site,
  paste,
  texts,
  meta,
  mayManage,
  burned = false,
}: PageProps<{
  readonly paste: PasteRecord;
  /** The file that is shown, or all of those that can be read once. */
  readonly texts: readonly { readonly file: ShownFile; readonly text: TextShown }[];
  readonly meta: readonly Meta[];
  readonly mayManage: boolean;
  readonly burned?: boolean;
}>) {
  const [first] = texts;
  const source = first?.text.shown.as === 'source' && !paste.sealed ? first.text.shown.text : null;
  const title = pasteName(paste);
  const isShared = !burned && !isEnded(pasteLifetime(paste));
  const isOpen = !paste.burn && !paste.requiresPassword && paste.isPublic;
  const name = first?.file.name ?? null;
  return (
    <Page
      site={site}
      title={title}
      meta={meta}
      scripts={[
        paste.sealed ? 'sealed' : 'code',
        ...(texts.some(({ text }) => hasDiagram(text)) ? (['diagram'] as const) : []),
      ]}
      width="wide"
      reopens={site.answersForm && !paste.burn}
      made={{ ...paste, link: sharedLink(paste.urlSet, true), change: editPath('paste', paste.uniqueId) }}
    >
      <Heading title={title} lead={factsOf(paste, source)}>
        {isShared && !paste.sealed && (
          <CopyButton text={sharedLink(paste.urlSet, !paste.burn)} look="primary">
            {t('Copy link')}
          </CopyButton>
        )}
        {source && <CopyButton of="code">{t('Copy text')}</CopyButton>}
        {isOpen && (
          <LinkButton href={withQuery(here(paste.urlSet.rawUrl), { file: name })} icon="code">
            {t('Raw')}
          </LinkButton>
        )}
        {owns(site.viewer, paste.uploader) && !burned && (
          <LinkButton href={editPath('paste', paste.uniqueId)} icon="pen">
            {t('Edit')}
          </LinkButton>
        )}
        {!burned && <PasteMenu site={site} paste={paste} name={title} mayManage={mayManage} />}
      </Heading>
      {burned && (
        <p class="notice">
          <Icon name="flame" />
          {t('This paste could only be read once and has been deleted. Copy what you need now.')}
        </p>
      )}
      {paste.burn && !burned && (
        <p class="notice">
          <Icon name="flame" />
          {t(
            'This paste can only be read once. Reading it deletes it, even if you are the reader, so share the link without trying it.',
          )}
        </p>
      )}
      <RemovedNotice of={pasteLifetime(paste)} mine={owns(site.viewer, paste.uploader)} />
      {paste.sealed ? (
        <SealedStage
          page={paste.urlSet.webUrl}
          item={paste}
          of={{ armor: paste.content, url: paste.burn ? null : paste.urlSet.rawUrl }}
        />
      ) : (
        <>
          {!paste.burn && paste.files !== null && (
            <div class="actions">
              <FileTabs files={paste.files} path={itemPath('paste', paste.uniqueId)} current={name} />
              {isOpen && (
                <LinkButton
                  href={`/v1/paste/get/${encodeURIComponent(paste.uniqueId)}/zip`}
                  icon="download"
                  look="quiet"
                >
                  {t('Download all')}
                </LinkButton>
              )}
            </div>
          )}
          {texts.map(({ file, text }, index) => (
            <Fragment key={file.name}>
              {texts.length > 1 && <h2 dir="auto">{file.name}</h2>}
              <ShownTextOf
                text={text}
                label={t('Text of {title}', { title: file.name ?? title })}
                path={file.path}
                part={index === 0 ? '' : `F${index + 1}-`}
              />
            </Fragment>
          ))}
        </>
      )}
      {!burned && (
        <PasteFoot site={site} paste={paste} name={title} isShared={isShared} mayManage={mayManage} />
      )}
    </Page>
  );
}

/** What is worth knowing of it at first, in one line. */
function factsOf(paste: PasteRecord, source: Highlighted | null): ComponentChildren {
  const lines = source?.lines.length;
  return (
    <>
      {[
        lines && t('{count, plural, one {# line} other {# lines}}', { count: lines }),
        source?.language && languageName(source.language),
        paste.requiresPassword
          ? t('Password-protected')
          : paste.isPublic
            ? t('Anyone with the link')
            : t('Private'),
      ]
        .filter(Boolean)
        .join(' · ')}
      {paste.expiresAt && <> · {rich('expires {time}', { time: <Time at={paste.expiresAt} /> })}</>}
    </>
  );
}

/** Where it comes from, its links, and what its owner is told. */
function PasteFoot({
  site,
  paste,
  name,
  isShared,
  mayManage,
}: PageProps<{
  readonly paste: PasteRecord;
  readonly name: string;
  readonly isShared: boolean;
  readonly mayManage: boolean;
}>) {
  return (
    <section class="card" aria-label={t('Details')}>
      <div class="columns">
        <div class="subject">
          <Facts
            of={[
              [t('Created by'), <Person key="from" user={paste.uploader} />],
              [t('Created'), <Time key="at" at={paste.createdAt} />],
              [t('Changed'), paste.updatedAt && <Time key="changed" at={paste.updatedAt} />],
              [
                t('Forked from'),
                paste.forkedFrom && (
                  <a key="source" href={itemPath('paste', paste.forkedFrom)}>
                    {paste.forkedFrom}
                  </a>
                ),
              ],
              [t('Tags'), paste.tags.join(', ')],
            ]}
          />
          {!mayManage && <ReportLink kind="paste" uniqueId={paste.uniqueId} />}
          {owns(site.viewer, paste.uploader) && !paste.burn && (
            <NotifyForm kind="paste" uniqueId={paste.uniqueId} notify={paste.notify} />
          )}
        </div>
        {isShared && (
          <Share
            urls={paste.urlSet}
            name={name}
            above
            direct={paste.burn ? null : { label: t('Raw text'), url: paste.urlSet.rawUrl }}
          />
        )}
      </div>
    </section>
  );
}
