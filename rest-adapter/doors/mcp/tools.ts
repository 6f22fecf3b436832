import { z } from 'zod';
import { inputsOf, typeOf } from '../../../routers/index.js';
import type { ProcedurePath } from '../../route.js';

/** A tool of an agent: a procedure under another name. */
export interface Tool {
  readonly name: string;
  readonly procedure: ProcedurePath;
  readonly description: string;
  /** Whether what it does cannot be undone. */
  readonly destroys: boolean;
}

const tool = (name: string, procedure: ProcedurePath, description: string, destroys = false): Tool => ({
  ...{ name, procedure, description, destroys },
});
const destroying = (name: string, procedure: ProcedurePath, description: string): Tool =>
  tool(name, procedure, description, true);

/** Every tool. What a key may not call is not in its list. */
export const TOOLS: readonly Tool[] = [
  tool(
    'upload_file',
    'upload.source',
    'Store a file, given by its address ("url") or in "base64" (at most 8 MiB)',
  ),
  tool('list_files', 'library.images', 'List the own files, newest first'),
  tool('get_file', 'image.info', 'Describe a file'),
  tool('read_file', 'image.text', 'Read the text of a file that is a text'),
  tool('list_archive', 'image.entries', 'List what is in an archive'),
  tool('change_file', 'image.change', 'Change the description, tags, privacy or end of a file'),
  destroying('delete_file', 'image.delete', 'Delete a file'),
  tool('create_paste', 'paste.create', 'Store a text'),
  tool('list_pastes', 'library.pastes', 'List the own pastes, newest first'),
  tool('read_paste', 'paste.get', 'Read a paste'),
  tool('change_paste', 'paste.change', 'Change the text or the fields of a paste'),
  tool('list_paste_revisions', 'paste.revisions', 'List what a paste was before'),
  tool('compare_paste', 'paste.diff', 'Compare two revisions of a paste'),
  destroying('delete_paste', 'paste.delete', 'Delete a paste'),
  tool('create_link', 'url.create', 'Make a short link'),
  tool('list_links', 'url.list', 'List the own short links'),
  tool('get_link', 'url.own', 'Describe an own short link'),
  tool('list_visits', 'url.visits', 'List the visits of own short links'),
  tool('link_statistics', 'stats.link', 'Statistics of a short link'),
  tool('change_link', 'url.change', 'Change the target or the fields of a short link'),
  destroying('delete_link', 'url.delete', 'Delete a short link'),
  tool('find_items', 'library.items', 'Find own files, pastes and links together'),
  tool('list_tags', 'library.tags', 'List the own tags'),
  tool('rename_tag', 'library.renameTag', 'Rename a tag, or join it with another'),
  destroying('remove_tag', 'library.removeTag', 'Take a tag from everything that has it'),
  tool('list_trash', 'trash.list', 'List what is in the trash'),
  tool('restore_items', 'trash.restore', 'Take items out of the trash'),
  tool('list_collections', 'collection.mine', 'List the own collections'),
  tool('get_collection', 'collection.get', 'Describe an own collection with its files'),
  tool('create_collection', 'collection.create', 'Make a collection of files'),
  tool('change_collection', 'collection.change', 'Change the fields of a collection'),
  tool('add_to_collection', 'collection.addItems', 'Add files to a collection'),
  destroying('delete_collection', 'collection.delete', 'Delete a collection; its files stay'),
  tool('list_requests', 'request.mine', 'List the links by which others upload'),
  tool('create_request', 'request.create', 'Make a link by which others upload'),
  destroying('delete_request', 'request.delete', 'Delete a link by which others upload'),
  tool('create_mailbox', 'email.create', 'Make an address that receives mail'),
  tool('list_mailboxes', 'email.mine', 'List the own mailboxes'),
  tool(
    'find_mails',
    'inboxes.find',
    'Find mails in all own mailboxes (from: to: subject: is:unread before: after: words)',
  ),
  tool('read_mail', 'email.message', 'Read a mail'),
  tool('wait_for_mail', 'email.wait', 'Wait up to 60 s for a mail, and get its codes and links'),
  tool('mark_mail', 'email.markRead', 'Mark a mail as read or unread'),
  destroying('delete_mail', 'email.deleteMessage', 'Delete a mail'),
  destroying('delete_mailbox', 'email.delete', 'Delete a mailbox with its mails'),
  tool('get_account', 'user.me', 'Describe the account of the key'),
];

/** Inputs of procedures that no agent gives. */
const INTERNAL = new Set([
  'transfer',
  'query',
  'host',
  'ifMatch',
  'parts',
  'file',
  'fileName',
  'source',
  'origin',
  'collect',
]);
/** Bytes of a file in base64, at most. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

const upload = {
  url: z.string().min(1).max(8_000).optional(),
  base64: z
    .string()
    .min(1)
    .max(Math.ceil(MAX_FILE_BYTES / 3) * 4)
    .optional(),
};

/** The fields of a tool's input. */
function shapeOf({ procedure }: Tool): Readonly<Record<string, z.ZodType>> {
  const shape: Record<string, z.ZodType> = Object.assign(
    {},
    ...inputsOf(procedure).map((input) => (input as z.ZodObject).shape),
  );
  for (const name of Object.keys(shape)) if (INTERNAL.has(name)) delete shape[name];
  if (procedure !== 'upload.source') return shape;
  const { text: _, form: __, ...fields } = shape;
  return { ...upload, ...fields };
}

/** A tool as agents read it. */
export function described(tool: Tool) {
  const { $schema: _, ...schema } = z.toJSONSchema(z.object(shapeOf(tool)), {
    ...{ io: 'input', unrepresentable: 'any', target: 'draft-7' },
  });
  const reads = typeOf(tool.procedure) === 'query';
  return {
    ...{ name: tool.name, description: tool.description },
    inputSchema: schema as { type: 'object' },
    annotations: {
      ...{ readOnlyHint: reads, destructiveHint: tool.destroys },
      openWorldHint: tool.procedure === 'upload.source',
    },
  };
}

/** What an agent gives to a tool, as the input of its procedure; null if it is not what the tool takes. */
export function inputFor(tool: Tool, given: Readonly<Record<string, unknown>>): object | undefined | null {
  const shape = shapeOf(tool);
  if (Object.keys(given).some((name) => !Object.hasOwn(shape, name))) return null;
  if (tool.procedure !== 'upload.source') return Object.keys(shape).length === 0 ? undefined : given;
  const { url, base64, ...fields } = given;
  const sent = z.object(upload).safeParse({ url, base64 });
  if (!sent.success || (url === undefined) === (base64 === undefined)) return null;
  return { ...fields, text: url ?? base64, form: url === undefined ? 'base64' : 'url', source: 'API' };
}
