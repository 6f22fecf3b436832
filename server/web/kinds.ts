/** The words and addresses of each kind of item on pages; what its pages do is in `items.tsx`. */

import type { EventOf, Kind } from '../../routers/base/kinds.js';
import { msg } from '../../routers/base/language/i18n.js';
import type { Message } from '../../routers/base/language/message.js';
import { viewsPath, visitsPath } from './address.js';
import type { IconName } from './components/icon.js';

/** A link to a page in the navigation. */
export type Entry = readonly [href: string, label: Message, icon: IconName];

interface Words<K extends Kind> {
  /** What one is called beside its ID. */
  readonly noun: Message;
  /** The icon of one without a picture. */
  readonly mark: IconName;
  /** The question before one is deleted, and what is said afterwards. */
  readonly deletion: Message;
  readonly deleted: Message;
  /** What is said of one that is closed to its reader. */
  readonly locked: Message;
  /** The titles of the pages on which its owner edits one, and on which others report it. */
  readonly edit: Message;
  readonly report: Message;
  /** The heading of a figure or a list with items of all accounts. */
  readonly title: Message;
  /** The form for a new item. */
  readonly create: Entry;
  /** The list of the viewer's own items. */
  readonly list: Entry;
  /** The page of how often one was opened. */
  counts(uniqueId: string): string;
  /** How the start page presents the kind. */
  readonly entry: { readonly icon: IconName; readonly title: Message; readonly text: Message };
  /** The label of the setting which URL is offered first. */
  readonly preference: Message;
  /** The events that a webhook can receive. */
  readonly events: Readonly<Record<EventOf<K>, Message>>;
}

/** The definition of each kind on pages. */
export const KIND_WORDS: { readonly [K in Kind]: Words<K> } = {
  image: {
    noun: msg('file'),
    mark: 'file',
    deletion: msg('Delete this file?'),
    deleted: msg('The file was deleted'),
    locked: msg('This file is password-protected'),
    edit: msg('Edit file'),
    report: msg('Report this file'),
    title: msg('Files'),
    create: ['/web/image-upload', msg('Upload'), 'upload'],
    list: ['/web/library', msg('Library'), 'image'],
    counts: (uniqueId) => viewsPath('image', uniqueId),
    entry: {
      icon: 'image',
      title: msg('Images and video'),
      text: msg('They show, play and preview properly wherever you share them. Location data is removed.'),
    },
    preference: msg('For images and files'),
    events: {
      'image.created': msg('File uploaded'),
      'image.updated': msg('File changed'),
      'image.deleted': msg('File deleted'),
      'image.opened': msg('File opened'),
    },
  },
  paste: {
    noun: msg('paste'),
    mark: 'paste',
    deletion: msg('Delete this paste?'),
    deleted: msg('The paste was deleted'),
    locked: msg('This paste is password-protected'),
    edit: msg('Edit paste'),
    report: msg('Report this paste'),
    title: msg('Pastes'),
    create: ['/web/paste-create', msg('New paste'), 'paste'],
    list: ['/web/pastes', msg('Pastes'), 'paste'],
    counts: (uniqueId) => viewsPath('paste', uniqueId),
    entry: {
      icon: 'paste',
      title: msg('Text and code'),
      text: msg('With syntax highlighting and links to lines. For a day, forever, or until read once.'),
    },
    preference: msg('For pastes'),
    events: {
      'paste.created': msg('Paste created'),
      'paste.updated': msg('Paste changed'),
      'paste.opened': msg('Paste opened'),
    },
  },
  url: {
    noun: msg('link'),
    mark: 'link',
    deletion: msg('Delete this link?'),
    deleted: msg('The link was deleted'),
    locked: msg('This link is password-protected'),
    edit: msg('Edit link'),
    report: msg('Report this link'),
    title: msg('Links'),
    create: ['/web/url-create', msg('New link'), 'link'],
    list: ['/web/links', msg('Links'), 'link'],
    counts: visitsPath,
    entry: {
      icon: 'link',
      title: msg('Short links'),
      text: msg('With an ID of your choice, a limit on uses, and every visit counted.'),
    },
    preference: msg('For short links'),
    events: {
      'url.created': msg('Short link created'),
      'url.updated': msg('Short link changed'),
      'url.exhausted': msg('Short link reached its use limit'),
      'link.visited': msg('Short link followed'),
    },
  },
};
