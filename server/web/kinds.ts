/** The words and addresses of each kind of item on pages; what its pages do is in `items.tsx`. */
import type { EventOf, Kind } from '../../routers/kinds.js';
import type { IconName } from './components/icon.js';

/** A link to a page in the navigation. */
export type Entry = readonly [href: string, label: string, icon: IconName];

interface Words<K extends Kind> {
  /** As in "Delete this link?". */
  readonly noun: string;
  /** The heading of a figure or a list with items of all accounts. */
  readonly title: string;
  /** The form for a new item. */
  readonly create: Entry;
  /** The list of the viewer's own items. */
  readonly list: Entry;
  /** How the start page presents the kind. */
  readonly entry: { readonly icon: IconName; readonly title: string; readonly text: string };
  /** The label of the setting which URL is offered first. */
  readonly preference: string;
  /** The events that a webhook can receive. */
  readonly events: Readonly<Record<EventOf<K>, string>>;
}

/** The definition of each kind on pages. */
export const KIND_WORDS: { readonly [K in Kind]: Words<K> } = {
  image: {
    noun: 'item',
    title: 'Uploads',
    create: ['/web/image-upload', 'Upload', 'upload'],
    list: ['/web/library', 'Library', 'image'],
    entry: {
      icon: 'image',
      title: 'Images and video',
      text: 'They show, play and preview properly wherever you share them. Location data is removed.',
    },
    preference: 'For images and files',
    events: { 'image.created': 'Upload created', 'image.deleted': 'Upload deleted' },
  },
  paste: {
    noun: 'paste',
    title: 'Pastes',
    create: ['/web/paste-create', 'New paste', 'paste'],
    list: ['/web/pastes', 'Pastes', 'scroll'],
    entry: {
      icon: 'paste',
      title: 'Text and code',
      text: 'With syntax highlighting and links to lines. For a day, forever, or until read once.',
    },
    preference: 'For pastes',
    events: { 'paste.created': 'Paste created' },
  },
  url: {
    noun: 'link',
    title: 'Links',
    create: ['/web/url-create', 'New link', 'link'],
    list: ['/web/links', 'Links', 'chart'],
    entry: {
      icon: 'link',
      title: 'Short links',
      text: 'With an ID of your choice, a limit on uses, and every visit counted.',
    },
    preference: 'For short links',
    events: { 'url.created': 'Short link created', 'url.exhausted': 'Short link reached its use limit' },
  },
};
