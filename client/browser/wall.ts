/** The wall of a request: shows what comes in as soon as it is there, and takes away what leaves. */
import { find } from './find.js';
import { listen } from './listen.js';

/** A file as the server describes it. */
interface WallFile {
  readonly fileId: string;
  readonly name: string;
  readonly sender: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly url: string | null;
}

/** As many as the page has at first; older ones make room. */
const MAX_SHOWN = 60;
/** Also what leaves without a word, because it was deleted elsewhere or has expired, is gone after this long. */
const CHECK_MS = 60_000;

const wall = find(document.body, '[data-wall]');
const empty = find(document.body, '[data-empty]');
const id = encodeURIComponent(wall.dataset.wall ?? '');
const ticket = wall.dataset.ticket ?? '';

const withTicket = (path: string): string =>
  ticket === '' ? path : `${path}${path.includes('?') ? '&' : '?'}ticket=${encodeURIComponent(ticket)}`;
const shownOf = (fileId: string) => wall.querySelector(`[data-file="${CSS.escape(fileId)}"]`);

/** An entry made of the template of the page. */
function entryOf(file: WallFile): Element {
  const row = find<HTMLTemplateElement>(document.body, '#wall-entry').content.firstElementChild?.cloneNode(
    true,
  );
  if (!(row instanceof HTMLElement)) throw new Error('the page has no template of an entry');
  row.dataset.file = file.fileId;
  const image = find<HTMLImageElement>(row, 'img');
  if (file.url === null) image.remove();
  else {
    image.src = withTicket(`${new URL(file.url).pathname}?width=800`);
    image.alt = file.name;
    if (file.width !== null && file.height !== null) [image.width, image.height] = [file.width, file.height];
  }
  find(row, 'figcaption').textContent = file.url === null ? file.name : (file.sender ?? '');
  return row;
}

function count(): void {
  while (wall.children.length > MAX_SHOWN) wall.lastElementChild?.remove();
  empty.hidden = wall.children.length > 0;
}

/** What the wall shows now, as the server has it. */
async function read(): Promise<void> {
  const answer = await fetch(withTicket(`/v1/request/open/${id}/wall?size=${MAX_SHOWN}`)).catch(() => null);
  if (answer === null) return;
  if (answer.status === 404) return location.reload();
  if (!answer.ok) return;
  const { message } = (await answer.json()) as {
    readonly message: { readonly content: readonly WallFile[] };
  };
  // What is there already stays as it is, so that no picture is loaded twice.
  wall.replaceChildren(...message.content.map((file) => shownOf(file.fileId) ?? entryOf(file)));
  count();
}

listen(withTicket(`/ws/wall?id=${id}`), {
  onReturn: () => void read(),
  onEvent: (event) => {
    if (event.type === 'changed') return location.reload();
    const file = event.file as WallFile | undefined;
    if (event.type === 'removed') shownOf(String(event.fileId))?.remove();
    if (file !== undefined && shownOf(file.fileId) === null) wall.prepend(entryOf(file));
    count();
  },
});
setInterval(() => void read(), CHECK_MS);
