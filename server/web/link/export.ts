import { Readable } from 'node:stream';
import type { OpenEntry } from '../../../rest-adapter/reply/zip-stream.js';
import { unlessRemoved } from '../../../routers/base/errors.js';
import { all, PAGE_SIZE, textLines } from '../account/export-lists.js';
import type { PageRequest } from '../request.js';

/** All short links of an account. */
export const listLinks =
  ({ library }: PageRequest['call']) =>
  (page: number) =>
    library.urls({ page, pageSize: PAGE_SIZE });

/** The visits in the logs of an account's links, each log as JSON lines, read while it is sent. */
export async function* linkEntries({ call }: PageRequest): AsyncGenerator<OpenEntry> {
  for await (const { uniqueId, fullId, domain, visits } of all(listLinks(call))) {
    if (visits === 0) continue;
    const log = await unlessRemoved(call.url.exportVisits({ uniqueId: fullId, format: 'json' }));
    if (log === null) continue;
    const content = Readable.from(textLines(log.each()));
    yield {
      name: `links/${domain === null ? '' : `${domain}/`}${uniqueId} visits.jsonl`,
      mtime: new Date(),
      content,
    };
  }
}
