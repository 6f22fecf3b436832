import { deletePath, here } from '../address.js';
import { languages } from '../colour.js';
import { CopyButton, LinkButton, Submit } from '../components/button.js';
import { Code } from '../components/code.js';
import { Check, Field, FileInput, Select, TextArea } from '../components/field.js';
import { Form, type FormState, ticked, typed, untouched } from '../components/form.js';
import { GoneNotice, isOver, pasteLifetime } from '../components/gone.js';
import { Icon } from '../components/icon.js';
import { Heading, Page } from '../components/page.js';
import { Badge, Card, Facts, Person, Time } from '../components/parts.js';
import { Share } from '../components/share.js';
import { plural } from '../format.js';
import type { Highlighted } from '../highlight.js';
import type { Meta } from '../preview.js';
import type { PasteRecord } from '../records.js';
import { owns, type Site } from '../site.js';
import { KeyField, lifetimes, NewPassword, Options } from './shared.js';

const languageChoices = [['', 'Guess it'], ...languages.map((name) => [name, name] as const)] as const;

/** The form for a new paste: typed text, or a file. */
export function PasteCreatePage({
  site,
  state = untouched,
}: {
  readonly site: Site;
  readonly state?: FormState | undefined;
}) {
  const { errors } = state;
  return (
    <Page site={site} title="New paste">
      <Heading title="New paste" lead="Text or code, up to 1 MB." />
      <Form action="/web/paste-create" state={state} files>
        {site.viewer === null && <KeyField site={site} />}
        <Field
          name="title"
          label="Title"
          value={typed(state, 'title')}
          error={errors.title}
          maxLength={200}
          optional
        />
        <TextArea
          name="text"
          label="Text"
          value={typed(state, 'text')}
          error={errors.text}
          rows={14}
          code
          spellcheck={false}
        />
        <div class="pair">
          <Select
            name="language"
            label="Language"
            value={typed(state, 'language')}
            options={languageChoices}
          />
          <Select name="expiresIn" label="Keep" value={typed(state, 'expiresIn')} options={lifetimes} />
        </div>
        <Options state={state}>
          <div class="form">
            <div class="field">
              <label for="file">
                A file instead of typed text<span class="optional"> optional</span>
              </label>
              <FileInput lost={state.lost.includes('file')} />
            </div>
            <NewPassword state={state} />
            <Check name="private" label="Only I can see it" checked={ticked(state, 'private', false)} />
            <Check
              name="burn"
              label="Burn after reading"
              hint="It can be read once, then it is gone."
              checked={ticked(state, 'burn', false)}
            />
          </div>
        </Options>
        <div class="actions">
          <Submit icon="plus">Create paste</Submit>
        </div>
      </Form>
    </Page>
  );
}

/**
 * A paste that the reader may see; `burned` when this was its one reading. One that burns and is not burned is
 * seen by its maker alone, in the answer to its making.
 */
export function PastePage({
  site,
  paste,
  text,
  meta,
  mayManage,
  burned = false,
}: {
  readonly site: Site;
  readonly paste: PasteRecord;
  readonly text: Highlighted;
  readonly meta: readonly Meta[];
  readonly mayManage: boolean;
  readonly burned?: boolean;
}) {
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
          This was the one reading. The paste is gone; keep what you need.
        </p>
      )}
      {paste.burn && !burned && (
        <p class="notice">
          <Icon name="flame" />
          This paste can be read once. Whoever opens its link first deletes it by reading, you included: hand
          the link out without trying it.
        </p>
      )}
      <GoneNotice of={pasteLifetime(paste)} mine={owns(site.viewer, paste.uploader)} />
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
          <Share urls={paste.urlSet} name={paste.title} direct={paste.burn ? null : 'Raw text'} />
        </Card>
      )}
      <Card title="Details">
        <Facts
          of={[
            ['From', <Person key="from" user={paste.uploader} />],
            ['Created', <Time key="at" at={paste.createdAt} />],
            ['Gone after', paste.expiresAt && <Time key="until" at={paste.expiresAt} />],
            ['Open to', <PasteDoor key="to" paste={paste} />],
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
