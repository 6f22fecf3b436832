/**
 * Requests as the newest legacy web client makes them. Its server calls with an administrator's key and the odd
 * request header `Access-Control-Allow-Origin`, and forwards the visitor's address; its pages call with cookies, or
 * with the visitor's own key, and always with an `Origin`.
 */
import { type Answer, type RequestOptions, startServer, type TestServer } from '../../harness.js';

/** The origin of the legacy client's pages. */
export const PORTAL = 'http://portal.example:3000';

/** A server with a portal, as an operator who runs the legacy client configures it. */
export const startWithPortal = (env: Record<string, string> = {}): Promise<TestServer> =>
  startServer({ FRONTEND_URL: PORTAL, CORS_ORIGINS: PORTAL, ...env });

/** The legacy client: its server side, and one browser with its cookies. */
export interface LegacyClient {
  /** A call of the client's server: the portal's key unless another is given, no cookie, no `Origin`. */
  server(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** A call of a page in the browser: `Origin`, cookies, and a key only if one is given. */
  browser(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** Signs the browser in; returns the account as the client keeps it. */
  signIn(email: string, password: string): Promise<Answer>;
  /** The cookie header of the browser. */
  cookies(): string;
}

/** A legacy client of this server, with the key that its operator gave it. */
export function legacyClient(server: TestServer, portalKey: string): LegacyClient {
  const jar = new Map<string, string>();
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const browser: LegacyClient['browser'] = async (method, path, options = {}) => {
    const answer = await server.request(method, path, {
      ...options,
      headers: { origin: PORTAL, ...(jar.size > 0 ? { cookie: cookies() } : {}), ...options.headers },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (value === '' || /max-age=0/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };
  return {
    browser,
    cookies,
    server: (method, path, options = {}) =>
      server.request(method, path, {
        key: portalKey,
        ...options,
        headers: {
          'access-control-allow-origin': '*',
          'x-forwarded-for': '203.0.113.9',
          'x-real-ip': '203.0.113.9',
          ...options.headers,
        },
      }),
    signIn: (email, password) => browser('POST', '/auth/login', { json: { email, password } }),
  };
}
