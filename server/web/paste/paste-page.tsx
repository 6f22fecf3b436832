import { Fragment } from 'preact';
import { t } from '../../../routers/base/language/i18n.js';
import { deletePath, editPath, here, itemPath, revisionsPath, viewsPath, withQuery } from '../address.js';
import { CopyButton, LinkButton } from '../components/button.js';
import { ActionForm } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { isEnded, pasteLifetime, RemovedNotice } from '../components/item/removed.js';
import { Share, sharedLink } from '../components/item/share.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card, CopyField, Facts, Person, Time } from '../components/parts.js';
import { FavouriteButton } from '../edit/favourite.js';
import { NotifyForm } from '../edit/notify.js';
import { ReportLink } from '../moderation/report-page.js';
import type { PageProps } from '../page-props.js';
import type { Meta } from '../preview.js';
import type { PasteRecord } from '../records.js';
import { SealedStage } from '../sealed/sealed-stage.js';
import { ShareButton } from '../share/share-button.js';
import { hasDiagram, type TextShown } from '../shown/text-file.js';
import { ShownTextOf } from '../shown/text-shown.js';
import { mayMake, owns, viewerMay } from '../site.js';
import { FileTabs, type ShownFile } from './file-tabs.js';
import { languageName } from './languages.js';

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
  const isOpen = !paste.burn && !paste.requiresPassword && paste.isPublic;
  const name = first?.file.name ?? null;
  return (
    <Page
      site={site}
      title={paste.title}
      meta={meta}
      scripts={[
        paste.sealed ? 'sealed' : 'code',
        ...(texts.some(({ text }) => hasDiagram(text)) ? (['diagram'] as const) : []),
      ]}
      width="wide"
      reopens={site.answersForm && !paste.burn}
      made={{ ...paste, link: sharedLink(paste.urlSet, true), change: editPath('paste', paste.uniqueId) }}
    >
      <Heading
        title={paste.title}
        lead={
          source &&
          [
            t('{count, plural, one {# line} other {# lines}}', { count: source.lines.length }),
            source.language && languageName(source.language),
          ]
            .filter(Boolean)
            .join(' · ')
        }
      >
        {source && (
          <>
            <CopyButton of="code" look="primary">
              {t('Copy text')}
            </CopyButton>
            <button type="button" class="button plain scripted" data-wrap="code" aria-pressed="false">
              <Icon name="wrap" />
              {t('Wrap lines')}
            </button>
          </>
        )}
        {isOpen && (
          <LinkButton href={withQuery(here(paste.urlSet.rawUrl), { file: name })} icon="code">
            {t('Raw')}
          </LinkButton>
        )}
        {isOpen && paste.files !== null && (
          <LinkButton href={`/v1/paste/get/${encodeURIComponent(paste.uniqueId)}/zip`} icon="download">
            {t('Download all')}
          </LinkButton>
        )}
      </Heading>
      {!burned && !isEnded(pasteLifetime(paste)) && (
        <CopyField label={t('Link')} value={sharedLink(paste.urlSet, !paste.burn)} />
      )}
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
          {!paste.burn && <FileTabs paste={paste} path={itemPath('paste', paste.uniqueId)} current={name} />}
          {texts.map(({ file, text }, index) => (
            <Fragment key={file.name}>
              {texts.length > 1 && <h2 dir="auto">{file.name}</h2>}
              <ShownTextOf
                text={text}
                label={t('Text of {title}', { title: file.name ?? paste.title })}
                path={file.path}
                part={index === 0 ? '' : `F${index + 1}-`}
              />
            </Fragment>
          ))}
        </>
      )}
      {!burned && <PasteFoot site={site} paste={paste} mayManage={mayManage} />}
    </Page>
  );
}

interface FootProps {
  readonly paste: PasteRecord;
  readonly mayManage: boolean;
}

function PasteFoot({ site, paste, mayManage }: PageProps<FootProps>) {
  return (
    <div class="columns uneven">
      {!isEnded(pasteLifetime(paste)) && (
        <Card title={t('Share')}>
          <Share
            urls={paste.urlSet}
            name={paste.title}
            above
            direct={paste.burn ? null : { label: t('Raw text'), url: paste.urlSet.rawUrl }}
          />
        </Card>
      )}
      <Card title={t('Details')}>
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
            [t('Expires'), paste.expiresAt && <Time key="until" at={paste.expiresAt} />],
            [t('Access'), <PasteDoor key="to" paste={paste} />],
          ]}
        />
        {!mayManage && <ReportLink kind="paste" uniqueId={paste.uniqueId} />}
        {owns(site.viewer, paste.uploader) && !paste.burn && (
          <NotifyForm kind="paste" uniqueId={paste.uniqueId} notify={paste.notify} />
        )}
        <PasteActions site={site} paste={paste} mayManage={mayManage} />
        {mayManage && (
          <LinkButton href={deletePath('paste', paste.uniqueId)} look="danger" icon="trash">
            {t('Delete')}
          </LinkButton>
        )}
      </Card>
    </div>
  );
}

/** What the reader can do with it besides reading. */
function PasteActions({ site, paste, mayManage }: PageProps<FootProps>) {
  const own = owns(site.viewer, paste.uploader);
  return (
    <div class="actions">
      {own && (
        <LinkButton href={editPath('paste', paste.uniqueId)} icon="pen">
          {t('Edit')}
        </LinkButton>
      )}
      {own && <FavouriteButton kind="paste" uniqueId={paste.uniqueId} favourite={paste.favourite} />}
      {own && !paste.burn && <ShareButton kind="paste" uniqueId={paste.uniqueId} />}
      {viewerMay(site.viewer, 'seeVisitors', paste.uploader) && !paste.burn && (
        <LinkButton href={viewsPath('paste', paste.uniqueId)} icon="chart">
          {t('Views')}
        </LinkButton>
      )}
      {mayManage && !paste.burn && (
        <LinkButton href={revisionsPath(paste.uniqueId)} icon="scroll">
          {t('Revisions')}
        </LinkButton>
      )}
      {mayMake(site.viewer) && !paste.burn && (mayManage || !paste.requiresPassword) && (
        <ActionForm action={`/web/paste-fork/${encodeURIComponent(paste.uniqueId)}`} look="plain" icon="copy">
          {t('Fork')}
        </ActionForm>
      )}
    </div>
  );
}

function PasteDoor({ paste }: { readonly paste: PasteRecord }) {
  if (paste.requiresPassword) return <Badge icon="key">{t('Password')}</Badge>;
  return paste.isPublic ? (
    <Badge icon="globe">{t('Anyone with the link')}</Badge>
  ) : (
    <Badge icon="lock">{t('Private')}</Badge>
  );
}
