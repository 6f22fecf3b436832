import { z } from 'zod';
import type { SharedKind } from '../../base/kinds.js';
import { contentPageOf } from '../../base/paging.js';
import { creator, signedIn } from '../trpc.js';
import {
  changeLink,
  changeLinkInput,
  createLink,
  type FindSharing,
  linkInput,
  linksInput,
  listLinks,
  newLinkInput,
  removeLink,
  shareLinkRecord,
} from './links.js';
import { sendLinks, sendLinksInput, sentLinks } from './send.js';

/** The scopes for the links of each kind: those of the items themselves. */
const SCOPES = {
  image: ['images:read', 'images:write'],
  collection: ['images:read', 'images:write'],
  paste: ['pastes:read', 'pastes:write'],
} as const satisfies Readonly<Record<SharedKind, readonly string[]>>;

/** The procedures of the share links of one kind: the same for each. */
export function linkProcedures(kind: SharedKind, find: FindSharing) {
  const [reads, writes] = SCOPES[kind];
  return {
    links: signedIn(reads)
      .input(linksInput)
      .output(contentPageOf(shareLinkRecord))
      .query(({ ctx, input }) => listLinks(ctx, find, input)),

    createLink: creator(writes)
      .input(newLinkInput)
      .output(shareLinkRecord)
      .mutation(({ ctx, input }) => createLink(ctx, find, input)),

    changeLink: creator(writes)
      .input(changeLinkInput)
      .output(shareLinkRecord)
      .mutation(({ ctx, input }) => changeLink(ctx, find, input)),

    sendLinks: creator(writes)
      .input(sendLinksInput)
      .output(sentLinks)
      .mutation(({ ctx, input }) => sendLinks(ctx, find, input)),

    deleteLink: signedIn(writes)
      .input(linkInput)
      .output(z.void())
      .mutation(({ ctx, input }) => removeLink(ctx, find, input)),
  };
}
