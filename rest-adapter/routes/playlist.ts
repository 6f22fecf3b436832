import { z } from 'zod';
import { allowArchive } from '../../routers/features/image/allowance.js';
import { listedPlaylist } from '../../routers/features/playlist/record.js';
import { done, message, record } from '../reply/reply.js';
import { route } from '../route.js';
import { passwordOf, permanentOf, type Wire } from '../wire.js';
import { itemFieldsOf } from './image-upload.js';

const identifierOf = ({ params }: Wire) => ({ identifier: params.identifier ?? '' });
const lockedOf = (wire: Wire) => ({ ...identifierOf(wire), password: passwordOf(wire) });
const openedOf = (wire: Wire) => ({ ...lockedOf(wire), head: wire.method === 'HEAD' });
const wordsOf = ({ body }: Wire) => ({
  title: body.text('title'),
  description: body.text('description'),
});
const imagesOf = ({ body }: Wire) => body.list('imagesUids', 'imageUids') as string[];

/** Playlists of images, and archives that are unpacked into one. */
export const playlistRoutes = [
  route('POST', '/image/upload/zip', {
    procedure: 'playlist.upload',
    summary: 'Upload every media file of an archive into a new playlist',
    body: 'file',
    admit: allowArchive,
    errors: [400, 401, 403, 413, 429, 500, 503],
    read: (wire) => ({
      file: wire.file,
      ...itemFieldsOf(wire),
      ...wordsOf(wire),
      // `description` belongs to the playlist.
      desc: wire.body.text('desc'),
    }),
    reply: (unpacked) => message(unpacked, { uniqueId: unpacked.playlist.uniqueId }),
  }),
  route('POST', '/image/playlist/create', {
    procedure: 'playlist.create',
    summary: 'Create a playlist',
    errors: [400, 401, 403, 429],
    read: (wire) => ({
      uniqueId: wire.body.text('uniqueId', 'identifier'),
      imagesUids: wire.body.list('imagesUids', 'imageUids'),
      ...wordsOf(wire),
    }),
    reply: (playlist) => record(playlist),
  }),
  route('GET', '/image/playlist/@me', {
    procedure: 'playlist.mine',
    summary: "The caller's playlists, newest first",
    errors: [400, 401],
    read: ({ query }) => ({ page: query.number('page'), pageSize: query.number('pageSize') }),
    message: z.array(listedPlaylist),
    beside: { totalElements: z.int() },
    reply: ({ playlists, total }) => message(playlists, { extra: { totalElements: total } }),
  }),
  route('GET', '/image/playlist/get/{identifier}', {
    procedure: 'playlist.get',
    summary: 'A playlist with the images that the caller may see',
    errors: [403, 404, 429],
    read: openedOf,
    reply: (playlist) => record(playlist),
  }),
  route('PATCH', '/image/playlist/get/{identifier}', {
    procedure: 'playlist.change',
    summary: 'Change title, description and cover of a playlist',
    errors: [400, 401, 404],
    read: (wire) => ({ ...identifierOf(wire), ...wordsOf(wire), cover: wire.body.text('cover') }),
    reply: (playlist) => record(playlist),
  }),
  route('DELETE', '/image/playlist/get/{identifier}', {
    procedure: 'playlist.delete',
    summary: 'Delete a playlist; its images stay',
    errors: [400, 401, 404],
    read: (wire) => ({ ...identifierOf(wire), ...permanentOf(wire) }),
    reply: done,
  }),
  route('GET', '/image/playlist/get/{identifier}/download', {
    procedure: 'playlist.archive',
    summary: 'A zip of the files of a playlist that the caller may open',
    errors: [403, 404, 429],
    read: openedOf,
    responds: { kind: 'content' },
    reply: (listing) => ({ as: 'zip', listing }),
  }),
  route('PUT', '/image/playlist/get/{identifier}/images', {
    procedure: 'playlist.putImages',
    summary: 'Add images to a playlist, which is created if it does not exist',
    errors: [400, 401, 403, 429],
    read: (wire) => ({ ...identifierOf(wire), imagesUids: imagesOf(wire), ...wordsOf(wire) }),
    reply: (playlist) => record(playlist),
  }),
  route('PUT', '/image/playlist/get/{identifier}/order', {
    procedure: 'playlist.order',
    summary: 'Reorder the images of a playlist',
    errors: [400, 401, 404],
    read: (wire) => ({ ...identifierOf(wire), imagesUids: imagesOf(wire) }),
    reply: (playlist) => record(playlist),
  }),
  route('DELETE', '/image/playlist/get/{identifier}/images/{imageUid}', {
    procedure: 'playlist.takeImage',
    summary: 'Remove an image from a playlist',
    errors: [401, 404],
    read: (wire) => ({ ...identifierOf(wire), imageUid: wire.params.imageUid ?? '' }),
    reply: (playlist) => record(playlist),
  }),
];
