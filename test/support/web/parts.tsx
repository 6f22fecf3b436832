/** A page of all parts, each in every state that it has: what a designer looks at, and a test. */
import type { ComponentChildren } from 'preact';
import { msg } from '../../../routers/base/language/i18n.js';
import { CopyButton, LinkButton, Submit } from '../../../server/web/components/button.js';
import { Check, Select } from '../../../server/web/components/form/choices.js';
import { LastDay, Minute } from '../../../server/web/components/form/date.js';
import { Amount, Field, TextArea } from '../../../server/web/components/form/field.js';
import { untouched } from '../../../server/web/components/form/form.js';
import { Holds, Lifetime, Options } from '../../../server/web/components/form/new-item.js';
import { Switch } from '../../../server/web/components/form/switch.js';
import { Icon } from '../../../server/web/components/icon.js';
import { Chips } from '../../../server/web/components/list/filter.js';
import { Pager } from '../../../server/web/components/list/pager.js';
import { Rows } from '../../../server/web/components/list/rows.js';
import { Table } from '../../../server/web/components/list/table.js';
import { Menu } from '../../../server/web/components/menu.js';
import { Badge, Card, CopyField, Empty, Facts, Sign, Time } from '../../../server/web/components/parts.js';
import type { Paged } from '../../../server/web/records.js';

const AT = '2026-11-29T12:00:00.000Z';
const LOOKS = ['primary', 'plain', 'quiet', 'danger'] as const;
const LONG = 'a-name-that-is-much-longer-than-the-column-in-which-it-stands-and-has-no-space.tar.gz';
const NAMES = ['summer.jpg', 'تقرير.pdf', LONG];

const NEW = { lives: { maxExpiryDays: null, defaultExpiryDays: 30 } };

const paged = (page: number, total: number, isCapped?: true): Paged<number> => ({
  ...{ page, total, pageSize: 25, ...(isCapped ? { isCapped } : {}) },
  items: Array.from({ length: 25 }, (_, index) => index),
});

const Part = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <section data-part={name}>
    <h2>{name}</h2>
    {children}
  </section>
);

/** The page of all parts, with a style sheet at this address. */
export const PartsPage = ({ styles, dir }: { readonly styles: string; readonly dir: 'ltr' | 'rtl' }) => (
  <html lang={dir === 'rtl' ? 'ar' : 'en'} dir={dir}>
    <head>
      <title>Parts</title>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <link rel="stylesheet" href={styles} />
    </head>
    <body>
      <main>
        <h1>Parts</h1>
        <Actions />
        <Fields />
        <Lists />
        <Words />
      </main>
    </body>
  </html>
);

const Actions = () => (
  <Part name="Buttons and menus">
    {LOOKS.map((look) => (
      <form key={look} class="actions">
        <Submit look={look} icon="plus">
          {look}
        </Submit>
        <Submit look={look}>{look}</Submit>
        <LinkButton look={look} href="#buttons" icon="link">
          {look}
        </LinkButton>
        <button type="button" class={`button ${look}`} aria-disabled="true">
          not now
        </button>
      </form>
    ))}
    <div class="actions">
      <CopyButton text="copied" look="plain" label="Copy the link" />
      {[false, true].map((open) => (
        <Menu key={String(open)} look="button plain" label={open ? 'Open menu' : 'Menu'} open={open}>
          <a href="#buttons">Go there</a>
          <button type="button" class="danger">
            <Icon name="trash" /> Delete
          </button>
        </Menu>
      ))}
    </div>
  </Part>
);

const Fields = () => (
  <Part name="Fields">
    <Card title="Usual" hint="What a card says about its fields.">
      <Field name="empty" label="Empty" placeholder="https://" />
      <Field name="filled" label="Filled and needed" value={LONG} required />
      <Field name="hint" label="With a hint" hint="What may stand here." />
      <Amount name="amount" label="Amount" value="3" />
      <TextArea name="text" label="Text" value={'first line\nsecond line'} />
      <Select
        name="choice"
        label="Choice"
        value="b"
        options={[
          ['a', 'first'],
          ['b', 'second'],
        ]}
      />
      <LastDay name="day" label="Last day" value="2026-12-31T23:59:59.999Z" />
      <Minute name="minute" label="Minute" value="2026-12-31T23:59" />
      <Check name="off" label="Off" hint="What it does." />
      <Check name="on" label="On" checked />
      <Switch
        site={{ answersForm: false, address: '/' }}
        action="#switch"
        name="size"
        label="Size"
        chosen="medium"
        options={[
          ['small', 'Small', 'S'],
          ['medium', 'Medium', 'M'],
        ]}
        home="/"
      />
      <Options state={untouched} holds={<Holds site={NEW} />}>
        <Lifetime site={NEW} state={untouched} />
      </Options>
    </Card>
    <Card title="Refused">
      <Field
        name="refused"
        label="Refused"
        value="x"
        error="At least 3 characters."
        hint="What may stand here."
      />
      <TextArea name="refused-text" label="Refused text" value="" error="Write something." />
      <Select name="refused-choice" label="Refused choice" options={[['', 'none']]} error="Choose one." />
      <LastDay name="refused-day" label="Refused day" value="tomorrow" error="This is no date." />
    </Card>
  </Part>
);

const Lists = () => (
  <Part name="Lists">
    <Chips all="#all" chosen={LONG} of={NAMES.map((tag, count) => ({ tag, href: '#tag', count }))} />
    <Rows
      rows={NAMES}
      rowKey={(name) => name}
      row={(name) => ({
        name,
        href: '#row',
        mark: { icon: 'file' },
        signs: <Sign icon="lock" says="Private" />,
        line: ['file', <Time key="at" at={AT} />, null],
        menu: <a href="#row">Open</a>,
      })}
      pick={(name) => <input type="checkbox" aria-label={`Choose ${name}`} />}
    />
    <Table
      caption="Records"
      rows={NAMES}
      rowKey={(name) => name}
      columns={[
        { head: msg('Name'), cell: (name) => name, kind: 'long' },
        { head: msg('Size'), cell: (name) => name.length, kind: 'number' },
        { head: msg('Created'), cell: () => <Time at={AT} />, kind: 'short' },
        {
          ...{ head: msg('Decision'), kind: 'opens' },
          cell: (name) => (
            <details class="more" open={name === LONG}>
              <summary>Decide</summary>
              <p>{LONG}</p>
            </details>
          ),
        },
      ]}
    />
    {[paged(0, 60), paged(1, 60), paged(2, 60), paged(9, 60), paged(3, 20_000, true)].map((list) => (
      <Pager key={`${list.page} ${list.total}`} list={list} href={(page) => `#${page}`} />
    ))}
    <Empty icon="inbox" title="Nothing here yet">
      <LinkButton href="#new">Make one</LinkButton>
    </Empty>
  </Part>
);

const Words = () => (
  <Part name="Words">
    {(['plain', 'good', 'warn', 'bad'] as const).map((look) => (
      <Badge key={look} look={look} icon="clock">
        {look}
      </Badge>
    ))}
    <div class="notice done" role="status">
      <Icon name="check" />
      <p>It was saved.</p>
    </div>
    <div class="notice problem" role="alert">
      <Icon name="warning" />
      <p>It could not be saved.</p>
    </div>
    <p class="banner">A word of the operator to everybody.</p>
    <CopyField label="Link" value={`https://holdall.example/${LONG}`} />
    <Facts
      of={[
        ['Size', '3 MB'],
        ['Name', LONG],
        ['Nothing', null],
      ]}
    />
    <p>
      Text with <code>{LONG}</code> and <a href="#link">an address</a>.
    </p>
    <p class="hint">What is read second.</p>
  </Part>
);
