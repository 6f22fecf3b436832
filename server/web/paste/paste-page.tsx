import type { Highlighted } from '../../../routers/ports/highlight.js';
import { deletePath, here } from '../address.js';
import { CopyButton, LinkButton } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { Code, isReordered } from '../components/item/code.js';
import { GoneNotice, isOver, pasteLifetime } from '../components/item/gone.js';
import { Share } from '../components/item/share.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card, Facts, Person, Time } from '../components/parts.js';
import { plural } from '../format.js';
import type { PageProps } from '../page-props.js';
import type { Meta } from '../preview.js';
import type { PasteRecord } from '../records.js';
import { owns } from '../site.js';

/**
 * A paste that the reader may see; `burned` if this was its only reading. One that can only be read once is shown
 * unread only to its creator, in the response to its creation.
 */
export function PastePage({
  site,
  paste,
  text,
  meta,
  mayManage,
  burned = false,
}: PageProps<{
  readonly paste: PasteRecord;
  readonly text: Highlighted;
  readonly meta: readonly Meta[];
  readonly mayManage: boolean;
  readonly burned?: boolean;
}>) {
  return (
    <Page
      site={site}
      title={paste.title}
      meta={meta}
      shell="content"
      width="wide"
      reopens={site.answersForm && !paste.burn}
    >
      <Heading
        title={paste.title}
        lead={[plural(text.lines.length, 'line'), text.language].filter(Boolean).join(' · ')}
      >
        <CopyButton of="code" look="primary">
          Copy text
        </CopyButton>
        <button type="button" class="button plain scripted" data-wrap="code" aria-pressed="false">
          <Icon name="wrap" />
          Wrap lines
        </button>
        {!paste.burn && !paste.requiresPassword && paste.isPublic && (
          <LinkButton href={here(paste.urlSet.rawUrl)} icon="code">
            Raw
          </LinkButton>
        )}
      </Heading>
      {burned && (
        <p class="notice">
          <Icon name="flame" />
          This paste could only be read once and has been deleted. Copy what you need now.
        </p>
      )}
      {paste.burn && !burned && (
        <p class="notice">
          <Icon name="flame" />
          This paste can only be read once. Reading it deletes it, even if you are the reader, so share the
          link without trying it.
        </p>
      )}
      <GoneNotice of={pasteLifetime(paste)} mine={owns(site.viewer, paste.uploader)} />
      {isReordered(text) && (
        <p class="notice">
          <Icon name="warning" />
          This text contains characters that make it look different from what a program reads. They are
          marked.
        </p>
      )}
      <Code text={text} label={`Text of ${paste.title}`} />
      {!burned && <PasteFoot paste={paste} mayManage={mayManage} />}
    </Page>
  );
}

function PasteFoot({ paste, mayManage }: { readonly paste: PasteRecord; readonly mayManage: boolean }) {
  return (
    <div class="columns uneven">
      {!isOver(pasteLifetime(paste)) && (
        <Card title="Share">
          <Share
            urls={paste.urlSet}
            name={paste.title}
            direct={paste.burn ? null : { label: 'Raw text', url: paste.urlSet.rawUrl }}
          />
        </Card>
      )}
      <Card title="Details">
        <Facts
          of={[
            ['Created by', <Person key="from" user={paste.uploader} />],
            ['Created', <Time key="at" at={paste.createdAt} />],
            ['Expires', paste.expiresAt && <Time key="until" at={paste.expiresAt} />],
            ['Access', <PasteDoor key="to" paste={paste} />],
          ]}
        />
        {mayManage && (
          <LinkButton href={deletePath('paste', paste.uniqueId)} look="danger" icon="trash">
            Delete
          </LinkButton>
        )}
      </Card>
    </div>
  );
}

function PasteDoor({ paste }: { readonly paste: PasteRecord }) {
  if (paste.requiresPassword) return <Badge icon="key">Password</Badge>;
  return paste.isPublic ? (
    <Badge icon="globe">Anyone with the link</Badge>
  ) : (
    <Badge icon="lock">Private</Badge>
  );
}
