import { codeOf } from '../../../../db/engine/error-code.js';
import { colour } from '../../highlight/colour.js';
import { renderNotebook } from '../../markdown/notebook.js';
import { renderMarkdown } from '../../markdown/render.js';
import { extractMedia } from '../archive/extract.js';
import { listArchive } from '../archive/list.js';
import { exif } from './exif.js';
import { hasDecodedHeic } from './heic.js';
import { pictureTool } from './picture-tool.js';
import { playback } from './playback.js';
import { poster } from './poster.js';
import { rendition } from './rendition.js';
import { READY, type TaskName, type TaskReply, type TaskRequest, type TaskRunner } from './tasks.js';
import { thumbhash } from './thumbhash.js';

const workers: { readonly [Name in TaskName]: TaskRunner<Name> } = {
  rendition,
  pictureTool,
  thumbhash,
  exif,
  documentWords: async (task) => (await import('../reading/document.js')).documentWords(task),
  pictureWords: async (task) => (await import('../reading/picture.js')).pictureWords(task),
  poster,
  playback,
  unpack: ({ path, folder, limits }) => extractMedia(path, folder, limits),
  list: ({ path }) => listArchive(path),
  markdown: ({ text }) => renderMarkdown(text),
  notebook: ({ text }) => renderNotebook(text),
  colour: ({ text, language, name }) => colour(text, language, name),
  mail: async (task) => (await import('../../mail/reading/tasks.js')).takeMail(task),
  mailFiles: async (task) => (await import('../../mail/reading/tasks.js')).takeFiles(task),
  mailHtml: async ({ html }) => (await import('../../mail/sanitise.js')).sanitiseMail(html),
  mailWords: async ({ html, limit }) =>
    (await import('../../mail/reading/html-words.js')).wordsOfHtml(html, limit),
};

const work = ({ name, input }: TaskRequest): Promise<unknown> =>
  (workers[name] as (input: TaskRequest['input']) => Promise<unknown>)(input);

/** File system errors have the name of the system call; those of decoders do not. */
const faultOf = (error: unknown): string | null =>
  error instanceof Error && 'syscall' in error ? codeOf(error) || null : null;

async function answer(request: TaskRequest): Promise<TaskReply> {
  try {
    return { output: await work(request), spent: hasDecodedHeic() };
  } catch (error) {
    return {
      error: error instanceof Error ? error.message : String(error),
      fault: faultOf(error),
      spent: hasDecodedHeic(),
    };
  }
}

process.on('message', async (request: TaskRequest) => {
  process.send?.(await answer(request));
});
process.on('disconnect', () => process.exit());
// Terminal signals reach the whole process group; the parent waits for running work before it exits.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => undefined);
process.send?.(READY);
