import { DomainError } from '../../../routers/base/errors.js';
import { wallTopic } from '../../../routers/base/ports/hub.js';
import { openWall, ticketOfGuest } from '../../../routers/features/request/find.js';
import { onWall } from '../../../routers/features/request/wall.js';
import { type Channel, MISSING, REFUSED, send } from './channel.js';

/** The longest delay of a timer; a wall that ends later than that closes with the first message after its end. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * `/ws/wall?id=`, with `ticket` or `password` if there is one: says what comes to a wall (`{type: 'added', file}`) and what
 * leaves it (`{type: 'removed', fileId}`), and `{type: 'changed'}` if the wall itself did. Closes when the wall is no
 * longer open to this guest.
 */
export const wallChannel: Channel = async (app, connection) => {
  const { socket, query, context } = connection;
  const id = query.get('id') ?? '';
  if (id === '') return socket.close(MISSING, 'id is missing');
  let shown: { readonly password: string | null; readonly ticket: string | null } = {
    ...{ password: query.get('password'), ticket: query.get('ticket') },
  };
  const close = (): void => socket.close(REFUSED, 'the wall is not open');
  const open = () =>
    openWall(context(), id, shown).catch((error: unknown) => {
      if (error instanceof DomainError) return null;
      throw error;
    });
  const request = await open();
  if (request === null) return close();
  // The password is checked once; from then on its ticket stands for it, until the owner changes it.
  shown = { password: null, ticket: ticketOfGuest(app, request) };
  if (socket.readyState !== socket.OPEN) return;

  /** What a message is about is looked up once for all screens of this process. */
  const describe = (fileId: string) =>
    app.singleFlight(`wall:${request.id}:${fileId}`, async () => {
      const now = await open();
      return now === null ? null : onWall(app, now, fileId);
    });
  const tell = async (fileId: string): Promise<void> => {
    if ((await open()) === null) return close();
    const file = await describe(fileId);
    send(connection, file === null ? { type: 'removed', fileId } : { type: 'added', file });
  };
  const unsubscribe = app.hub.subscribe(wallTopic(request.id), ({ fileId }) => {
    const told =
      typeof fileId === 'string'
        ? tell(fileId)
        : open().then((now) => (now === null ? close() : send(connection, { type: 'changed' })));
    told.catch((error: unknown) => {
      app.log.warn({ err: error }, 'a wall could not be told of a change');
      socket.close(1011);
    });
  });
  const left = request.endsAt === null ? MAX_DELAY_MS : request.endsAt - Date.now();
  const timer = setTimeout(close, Math.min(left, MAX_DELAY_MS)).unref();
  socket.once('close', () => {
    unsubscribe();
    clearTimeout(timer);
  });
  // It may have been closed to this guest before changes of it were heard here.
  if ((await open()) === null) return close();
  send(connection, { type: 'channel_ready' });
};
