import { hashSecret } from '../../routers/auth/secrets.js';
import { verificationOpenUntil } from '../../routers/messenger/codes.js';
import { verifiedTopic } from '../../routers/ports/hub.js';
import { type Channel, MISSING, REFUSED, send } from './channel.js';

/** `/ws/verify?telCode=`: tells a person's page that the messenger has verified the account. */
export const verifyChannel: Channel = async (app, connection) => {
  const { socket, query } = connection;
  const code = query.get('telCode') ?? '';
  if (code === '') return socket.close(MISSING, 'telCode is missing');
  let ready = false;
  let verified = false;
  const tell = () => {
    const { frontendUrl, origin } = app.settings;
    send(connection, { type: 'verified', redirect: `${frontendUrl ?? `${origin}/web`}/login` });
    socket.close(1000);
  };
  // Listens before it looks, so that nothing falls in between.
  const unsubscribe = app.hub.subscribe(verifiedTopic(hashSecret(code)), () => {
    verified = true;
    if (ready) tell();
  });
  socket.once('close', unsubscribe);
  const until = await verificationOpenUntil(app, code);
  if (until === null && !verified) return socket.close(REFUSED, 'the code is wrong or expired');
  send(connection, { type: 'channel_ready' });
  ready = true;
  if (verified) return tell();
  const timer = setTimeout(() => socket.close(REFUSED, 'the code is expired'), (until ?? 0) - Date.now());
  socket.once('close', () => clearTimeout(timer));
};
