import { verifiedTopic } from '../../../routers/base/ports/hub.js';
import { openVerification } from '../../../routers/features/messenger/codes.js';
import { type Channel, MISSING, REFUSED, send } from './channel.js';

/** `/ws/verify?telCode=`: tells a waiting page that the account was verified, by messenger or by the mailed code. */
export const verifyChannel: Channel = async (app, connection) => {
  const { socket, query } = connection;
  const code = query.get('telCode') ?? '';
  if (code === '') return socket.close(MISSING, 'telCode is missing');
  const verification = await openVerification(app, code);
  if (verification === null) return socket.close(REFUSED, 'the code is wrong or has expired');
  // A socket that has already closed would never trigger the cleanup below.
  if (socket.readyState !== socket.OPEN) return;
  const { userId, until } = verification;
  send(connection, { type: 'channel_ready' });
  const tell = () => {
    unsubscribe();
    const { frontendUrl, origin } = app.settings;
    send(connection, { type: 'verified', redirect: `${frontendUrl ?? `${origin}/web`}/login` });
    socket.close(1000);
  };
  const unsubscribe = app.hub.subscribe(verifiedTopic(userId), tell);
  const timer = setTimeout(() => socket.close(REFUSED, 'the code has expired'), until - Date.now());
  socket.once('close', () => {
    unsubscribe();
    clearTimeout(timer);
  });
  // The account may have been verified before we subscribed.
  const now = (await app.load.user(userId))?.status ?? 'PENDING';
  if (now !== 'PENDING' && socket.readyState === socket.OPEN) tell();
};
