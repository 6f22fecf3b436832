import { unreachable } from '../answer.js';
import { HoldallError } from '../error.js';
import { messageOf } from '../refusal.js';
import { ask } from '../request.js';
import { headersFor, type UploadTarget } from '../target.js';
import type { FolderTask } from './task.js';

/** How many contents a server is asked about at once. */
const MAX_ASKED = 1_000;

interface Placed {
  readonly uniqueId: string;
  readonly path: string;
}

/** The collection of a folder. */
export interface FolderCollection {
  readonly uniqueId: string;
  /** Its page. */
  readonly url: string;
  readonly items: readonly { readonly uniqueId: string }[];
}

/** The caller's lasting file for each of these contents that it has. */
export const knownFiles = (target: UploadTarget, hashes: readonly string[], signal?: AbortSignal) =>
  filesOf(target, hashes, { signal });

/** The newest file of the caller for each of these contents, which may be one that was sent just now, with an end. */
export const newestFiles = (target: UploadTarget, hashes: readonly string[], signal?: AbortSignal) =>
  filesOf(target, hashes, { signal, ending: true });

async function filesOf(
  target: UploadTarget,
  hashes: readonly string[],
  { signal, ...which }: { readonly signal: AbortSignal | undefined; readonly ending?: true },
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (let at = 0; at < hashes.length; at += MAX_ASKED) {
    const body = { sha256: hashes.slice(at, at + MAX_ASKED), ...which };
    const files = (await call(target, 'POST', '/image/known', body, signal)) as {
      readonly sha256: string;
      readonly uniqueId: string;
    }[];
    for (const { sha256, uniqueId } of files) found.set(sha256, uniqueId);
  }
  return found;
}

/** Makes the collection of a folder. */
export function makeCollection(task: FolderTask, signal?: AbortSignal): Promise<FolderCollection> {
  const { fields, uniqueId, title } = task;
  const body = {
    title: title.trim().slice(0, 200) || 'Folder',
    ...(uniqueId === undefined ? {} : { uniqueId }),
    isPublic: fields.private !== true,
    ...(fields.password === undefined ? {} : { password: fields.password }),
    ...(fields.tags === undefined ? {} : { tags: fields.tags }),
    ...(fields.expiresAt === undefined || fields.expiresAt === 'never'
      ? {}
      : { expiresAt: fields.expiresAt }),
  };
  return call(task.target, 'POST', '/collection', body, signal) as Promise<FolderCollection>;
}

/** A collection of the caller; null if there is none of this id. */
export async function collectionOf(
  target: UploadTarget,
  uniqueId: string,
  signal?: AbortSignal,
): Promise<FolderCollection | null> {
  try {
    return (await call(target, 'GET', `/collection/${uniqueId}`, null, signal)) as FolderCollection;
  } catch (error) {
    if (error instanceof HoldallError && error.status === 404) return null;
    throw error;
  }
}

/** Appends files to a collection, all or none. */
export async function place(
  target: UploadTarget,
  uniqueId: string,
  items: readonly Placed[],
  signal?: AbortSignal,
): Promise<void> {
  await call(target, 'POST', `/collection/${uniqueId}/items`, { items }, signal);
}

async function call(
  target: UploadTarget,
  method: 'GET' | 'POST',
  path: string,
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const answer = await ask({
    method,
    url: `${target.origin}/v1${path}`,
    headers: {
      Accept: 'application/json',
      ...headersFor(target),
      ...(body === null ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === null ? {} : { body: new Blob([JSON.stringify(body)]) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    throw signal?.aborted === true ? signal.reason : unreachable(target.origin || 'The server', error);
  });
  return messageOf(target.origin, answer.status, answer.text, answer.header('retry-after'));
}
