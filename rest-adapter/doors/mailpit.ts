import { fail } from '../../routers/base/errors.js';
import type { MessageRecord } from '../../routers/features/mail/record.js';
import type { Fields } from '../fields.js';
import { content } from '../reply/reply.js';
import type { ProcedurePath } from '../route.js';
import { transferOf } from '../wire.js';
import { type Door, entrance, json, refuseForm, typed, type Visit } from './door.js';

const API = '/api/v1';
/** What this door says that it is. */
const VERSION = 'v1.27.0';
/** `Name <address>` as two fields. */
function personOf(written: string) {
  const at = written.endsWith('>') ? written.lastIndexOf('<') : -1;
  if (at < 0) return { Name: '', Address: written };
  const name = written.slice(0, at).trim();
  const isQuoted = name.length > 1 && name.startsWith('"') && name.endsWith('"');
  return {
    Name: isQuoted ? name.slice(1, -1).replace(/\\(.)/g, '$1') : name,
    Address: written.slice(at + 1, -1),
  };
}

/** The people of a list in one text; a comma in a quoted name does not end one. */
const peopleOf = (written: string) =>
  written === ''
    ? []
    : (written.match(/(?:"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|[^",])+/g) ?? []).map((one) => personOf(one.trim()));

/** A section of a list, with its search. */
async function listed({ call, fields }: Visit<'inboxes.find'>, search?: string) {
  const [start = 0, limit = 50] = ['start', 'limit'].map((name) => wholeIn(fields, name));
  const page = await call('inboxes.find', { search, start, limit: Math.min(limit, 250) });
  const messages = page.items.map((mail) => ({
    ...{ ID: String(mail.id), MessageID: mail.messageId, Read: !mail.unread, From: personOf(mail.from) },
    ...{ To: mail.to.map(personOf), Cc: mail.cc.map(personOf), Bcc: [], ReplyTo: mail.replyTo.map(personOf) },
    ...{ Subject: mail.subject, Created: mail.receivedAt, Username: mail.email, Tags: mail.tags },
    ...{ Size: mail.size, Attachments: mail.attachments, Snippet: mail.snippet },
  }));
  return json({
    ...{ total: page.all.messages, unread: page.all.unread, count: messages.length, tags: [] },
    ...{ messages_count: page.total, messages_unread: page.unread, start, messages },
  });
}

/** A whole number of the query. */
function wholeIn(fields: Fields, name: string): number | undefined {
  const given = fields.filled(name);
  if (given === undefined) return undefined;
  return /^\d{1,7}$/.test(String(given)) ? Number(given) : refuseForm(`${name}: use a whole number`);
}

const idOf = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);
/** The mail in the path: an id, or `latest`. */
const located = ({ call, wire }: Visit<'inboxes.locate'>) => {
  const given = wire.params.id ?? '';
  // No mail has the id 0.
  return call('inboxes.locate', { id: given.toLowerCase() === 'latest' ? null : (idOf(given) ?? 0) });
};

/** The ids of a body; those that none can be are left out, but do not mean all. */
function idsIn(body: Fields): number[] | undefined {
  const given = body.raw('IDs') ?? [];
  if (!Array.isArray(given)) return refuseForm('IDs: use a list of ids');
  return given.length === 0 ? undefined : given.map((id) => idOf(String(id)) ?? 0);
}

const messageOf = (id: number, { attachments, ...mail }: MessageRecord, size: number) => {
  const files = attachments.map((file, index) => ({
    ...{ PartID: String(index + 1), FileName: file.filename, ContentType: file.contentType },
    ...{ ContentID: file.contentId ?? '', Size: file.size, Checksums: { MD5: '', SHA1: '', SHA256: '' } },
    isInline: file.disposition === 'inline' || (file.disposition === null && file.contentId !== null),
  }));
  const shown = (isInline: boolean) =>
    files.filter((file) => file.isInline === isInline).map(({ isInline: _, ...file }) => file);
  return {
    ...{ ID: String(id), MessageID: mail.messageId, From: personOf(mail.from), To: peopleOf(mail.to) },
    ...{ Cc: peopleOf(mail.cc), Bcc: [], ReplyTo: peopleOf(mail.replyTo), ReturnPath: mail.envelope.from },
    ...{ Subject: mail.subject, Date: mail.date, Tags: mail.tags, Username: mail.envelope.to },
    ListUnsubscribe: { Header: '', Links: [], Errors: '', HeaderPost: '' },
    ...{ Text: mail.text, HTML: mail.html, Size: mail.originalSize ?? size },
    ...{ Inline: shown(true), Attachments: shown(false) },
  };
};

const OK = typed('text/plain', 'ok');
const MESSAGE = `${API}/message/{id}`;
/** Whoever shows the token of a mailbox has no account, so the procedures say who may ask. */
const reading = <const P extends ProcedurePath>(
  path: string,
  procedures: readonly P[],
  answer: (visit: Visit<P>) => Promise<ReturnType<typeof json> | ReturnType<typeof content>>,
) => entrance('GET', path, { procedures, open: true, answer });

/** The API of Mailpit, version 1: reading and deleting. */
export const mailpit: Door = {
  entrances: [
    reading(`${API}/info`, ['inboxes.count'], async ({ call }) => {
      const { messages, unread } = await call('inboxes.count', undefined);
      return json({
        ...{ Version: VERSION, LatestVersion: VERSION, Database: '', DatabaseSize: 0 },
        ...{ Messages: messages, Unread: unread, Tags: {}, RuntimeStats: {} },
      });
    }),
    reading(`${API}/tags`, ['inboxes.count'], async ({ call }) => {
      await call('inboxes.count', undefined);
      return json([]);
    }),
    reading(`${API}/messages`, ['inboxes.find'], (visit) => listed(visit)),
    reading(`${API}/search`, ['inboxes.find'], (visit) => listed(visit, visit.fields.string('query'))),
    reading(MESSAGE, ['inboxes.locate', 'inboxes.mark', 'email.message'], async (visit) => {
      const { id, ...at } = await located(visit);
      const mail = await visit.call('email.message', { ...at, whole: true });
      if (mail.unread) await visit.call('inboxes.mark', { ids: [id], read: true });
      return json(messageOf(id, mail, mail.text.length + mail.html.length));
    }),
    reading(`${MESSAGE}/headers`, ['inboxes.locate', 'email.message'], async (visit) => {
      const { id: _, ...at } = await located(visit);
      const { headers } = await visit.call('email.message', at);
      return json(
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.split('\n')])),
      );
    }),
    reading(`${MESSAGE}/raw`, ['inboxes.locate', 'email.raw'], async (visit) => {
      const { id: _, ...at } = await located(visit);
      return content(await visit.call('email.raw', { ...at, transfer: transferOf(visit.wire) }));
    }),
    reading(`${MESSAGE}/part/{part}`, ['inboxes.locate', 'inboxes.part'], async (visit) => {
      const { id: _, ...at } = await located(visit);
      const part = idOf(visit.wire.params.part ?? '') ?? 0;
      const index = part > 0 ? part - 1 : fail('NOT_FOUND');
      return content(await visit.call('inboxes.part', { ...at, index, transfer: transferOf(visit.wire) }));
    }),
    entrance('PUT', `${API}/messages`, {
      ...{ procedures: ['inboxes.mark'], open: true },
      answer: async ({ call, wire: { body } }) => {
        const search = body.filled('Search');
        await call('inboxes.mark', { ids: idsIn(body), search, read: body.boolean('Read') ?? false });
        return OK;
      },
    }),
    entrance('DELETE', `${API}/messages`, {
      ...{ procedures: ['inboxes.remove'], open: true },
      answer: async ({ call, wire: { body } }) => {
        await call('inboxes.remove', { ids: idsIn(body) });
        return OK;
      },
    }),
    entrance('DELETE', `${API}/search`, {
      ...{ procedures: ['inboxes.remove'], open: true },
      answer: async ({ call, fields }) => {
        // An empty search would delete everything.
        const search = fields.filled('query') ?? refuseForm('query: say which messages');
        await call('inboxes.remove', { search });
        return OK;
      },
    }),
  ],
  mailboxIn: (header) => {
    const [, pair = ''] = /^\s*basic\s+(\S{1,4000})\s*$/i.exec(header('authorization') ?? '') ?? [];
    const [, address, token] = /^([^:]+):(.+)$/.exec(Buffer.from(pair, 'base64').toString('utf8')) ?? [];
    return address === undefined || token === undefined ? null : { address: address.toLowerCase(), token };
  },
  refuse: ({ status, message }) => json({ Error: message }, status),
};
