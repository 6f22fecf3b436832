/** Hosts of accounts behind Caddy, with the settings of docs/operations.md: a certificate for each host that is proven. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../harness.js';
import { type DnsStandin, startDns } from '../standins/dns.js';
import { ROOT } from '../support/root.js';
import { type RunningProxy, startProxy } from '../support/servers/proxy.js';
import { freePort } from '../support/servers/server-process.js';

const test = suite('certificates on demand');
let folder: string;
let dns: DnsStandin;
let server: TestServer;
let caddy: RunningProxy | null;
let securePort: number;

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdall-caddy-'));
  dns = await startDns();
  server = await startServer({ MAIL_RESOLVERS: dns.address, DOMAINS: 'open', TRUST_PROXY: 'true' });
  securePort = await freePort();
  const [, documented = ''] =
    /With\nCaddy:\n\n```\n(.+?)\n```/s.exec(await readFile(join(ROOT, 'docs/operations.md'), 'utf8')) ?? [];
  assert.match(documented, 'on_demand');
  const proxy = {
    name: 'caddy' as const,
    // Its own authority instead of a public one, and ports that anybody may have.
    settings: async (port: number, upstream: string) =>
      documented
        .replace(
          '{\n',
          `{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\thttp_port ${port}\n\thttps_port ${securePort}\n`,
        )
        .replaceAll('127.0.0.1:8012', upstream),
    command: (file: string) => ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'],
  };
  caddy = await startProxy(proxy, server.origin, folder);
});
test.after(async () => {
  await caddy?.stop();
  await server.close();
  await dns.close();
  await rm(folder, { recursive: true, force: true });
});

/** The answer of a host by TLS, and the names in its certificate. */
async function secure(host: string, path: string) {
  const at = { host: '127.0.0.1', port: securePort, servername: host, headers: { host } };
  const asked = httpsRequest({ ...at, path, agent: false, rejectUnauthorized: false }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  const { subjectaltname } = (answer.socket as TLSSocket).getPeerCertificate();
  return { names: subjectaltname, status: answer.statusCode, location: answer.headers.location };
}

test('a host proves itself by http, gets a certificate once it is active, and no other host does', async () => {
  if (caddy === null) return;
  const { key } = await server.account();
  const [proven, unknown] = ['go.ann.example', 'go.nobody.example'];
  const added = await server.request('POST', '/domains', { key, json: { host: proven } });
  const { token } = added.body.message;
  const refused = (host: string) =>
    secure(host, '/').then(
      () => assert.unreachable(`${host} has a certificate`),
      (error: Error) => assert.match(error.message, /alert|handshake|disconnected|reset/i),
    );
  await refused(proven);
  const asked = httpRequest(`${caddy.origin}/.well-known/holdall/${token}`, {
    headers: { host: proven },
  }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  assert.equal([answer.statusCode, (await text(answer)).trim()], [200, token]);

  dns.records.set(`${proven} TXT`, [`holdall=${token}`]);
  const checked = await server.request('POST', `/domains/${proven}/check`, { key });
  assert.is(checked.body.message.state, 'active', checked.text);
  const json = { url: 'https://target.example/', uniqueId: 'Promo', domain: proven };
  await server.request('POST', '/url/create', { key, json });
  assert.equal(await secure(proven, '/promo'), {
    ...{ names: `DNS:${proven}`, status: 301, location: 'https://target.example/' },
  });
  await refused(unknown);
});

test.run();
