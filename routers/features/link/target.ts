import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import type { Settings } from '../../core/settings.js';

/**
 * Names that are a URI scheme even if only digits follow the colon: `tel:112` is no host `tel` with port 112. From the
 * IANA register and from what browsers and telephones handle, without words that are common names of hosts (`git`,
 * `proxy`). A name with a dot is always a host.
 */
const SCHEMES = new Set(
  (
    'about acct acr aim android-app apt bitcoin bitcoincash blob bluetooth callto chrome chrome-extension cid coap ' +
    'coaps data dav dict ed2k edge ethereum facetime facetime-audio fax fb feed file filesystem ftp ftps geo gopher ' +
    'gtalk h323 http https hxxp hxxps iax icap im imap imaps intent ipfs ipns ipp ipps irc ircs itms itms-apps jabber ' +
    'jar javascript ldap ldaps lightning litecoin livescript magnet mailto market mid mms mmsto mocha modem ' +
    'moz-extension msteams mumble news nfs nntp otpauth payto pres rlogin rmi rsync rtmp rtsp rtsps sftp sgn sip ' +
    'sips skype smb sms smsto smtp snews snmp ssh steam stun stuns svn tel telnet tftp tg turns udp urn vbscript ' +
    'view-source viber webcal whatsapp ws wss wtai wyciwyg xmpp ymsgr z3950 zoommtg zoomus'
  ).split(' '),
);

/** Whether a name in lower case, without a dot, is a scheme rather than a host. */
const isScheme = (name: string): boolean => SCHEMES.has(name);

/** Long enough for real URLs, short enough for a header. */
const MAX_LENGTH = 8_000;
const NO_ADDRESS = localizable('This is not a valid URL');
const OTHER_SCHEME = localizable('Only http and https URLs can be shortened');
/** The limits of the domain name system; browsers' parsers do not check them. */
const MAX_HOST = 253;
const MAX_LABEL = 63;
const LOOPBACK = new Set(['localhost', '[::1]', '[::]', '0.0.0.0', '[::ffff:0:0]']);
/** The whole loopback block, and its IPv4-mapped IPv6 form. */
const LOOPBACK_BLOCK = /^(?:127\.|\[::ffff:7f[0-9a-f]{2}:)/;

/**
 * The target of a link from what the caller typed: trimmed, with `https://` added if it has no scheme, otherwise
 * unchanged (contract §4, Short URLs). Fails with 400 for other schemes, for credentials, and for a target on this
 * service.
 */
export function readTarget(text: string, settings: Settings): string {
  const given = withoutInvisibleEnds(text);
  if (given === '') fail('TARGET_REFUSED', 'Send the URL to shorten in "url"');
  if (given.length > MAX_LENGTH)
    fail('TARGET_REFUSED', localizable('A URL can have at most {max} characters', { max: MAX_LENGTH }));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u001f\u007f]/.test(given)) fail('TARGET_REFUSED', 'A URL cannot contain control characters');
  const target = withScheme(given);
  const url = URL.canParse(target) ? new URL(target) : null;
  if (url === null || !isResolvable(url.hostname)) fail('TARGET_REFUSED', NO_ADDRESS);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') fail('TARGET_REFUSED', OTHER_SCHEME);
  // `tel:112` is no host with a port. By the parsed name, in which case, width and invisible characters are gone.
  if (/^[^/?#]+:/.test(given) && target !== given && isScheme(url.hostname))
    fail('TARGET_REFUSED', OTHER_SCHEME);
  if (url.username !== '' || url.password !== '') {
    fail('TARGET_REFUSED', 'A URL that contains a username or password cannot be shortened');
  }
  if (isOwnHost(url, settings)) fail('TARGET_REFUSED', 'A short link cannot point to this service itself');
  return target;
}

/** Without white space around it, nor what comes along invisibly when an address is copied. */
function withoutInvisibleEnds(text: string): string {
  const isInvisible = (at: number) => /[\s\u200b\u2060\ufeff]/.test(text.charAt(at));
  let [from, to] = [0, text.length];
  while (from < to && isInvisible(from)) from += 1;
  while (to > from && isInvisible(to - 1)) to -= 1;
  return text.slice(from, to);
}

function withScheme(given: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) return given;
  // An address in quotes, or a formula of a spreadsheet, would become the name of a host.
  if (/^["'=]/.test(given) || /^https?:/i.test(given)) fail('TARGET_REFUSED', NO_ADDRESS);
  if (given.startsWith('//')) return `https:${given}`;
  // Probably a typo: a host without a domain needs its scheme, a port or a path.
  if (/^[^./?#:]+$/.test(given)) fail('TARGET_REFUSED', NO_ADDRESS);
  const hostAndPort = /^[^/?#:]+:\d{1,5}(?:[/?#]|$)/.test(given);
  if (!hostAndPort && /^[a-z][a-z0-9+.-]*:/i.test(given)) fail('TARGET_REFUSED', OTHER_SCHEME);
  return `https://${given}`;
}

const hostOf = (url: URL): string => {
  const name = url.hostname.replace(/\.$/, '');
  return `${LOOPBACK.has(name) || LOOPBACK_BLOCK.test(name) ? 'localhost' : name}:${url.port}`;
};

function isOwnHost(url: URL, settings: Settings): boolean {
  const own = [settings.origin, ...Object.values(settings.shortUrls)];
  return own.some((address) => address !== null && hostOf(new URL(address)) === hostOf(url));
}

/** Whether a host, as the URL parser returns it, can be looked up: every label has 1 to 63 characters. */
function isResolvable(hostname: string): boolean {
  const labels = hostname.replace(/\.$/, '').split('.');
  return hostname.length <= MAX_HOST && labels.every(({ length }) => length > 0 && length <= MAX_LABEL);
}

/** What is passed on to a target together with its own address; more is left out. */
const MAX_FORWARDED = 4_000;

/**
 * A target with the query of a visit behind its own, before its fragment. The password of the link stays here, and so
 * does a query that is too long to be one.
 */
export function withForwarded(target: string, query: string): string {
  const passed = query
    .replace(/^\?/, '')
    .split('&')
    .filter((part) => part !== '' && !/^password(?:=|$)/i.test(part))
    .join('&');
  if (passed === '' || passed.length > MAX_FORWARDED) return target;
  const [, address = target, fragment = ''] = /^([^#]*)(#.*)?$/s.exec(target) ?? [];
  const sign = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${sign}${passed}${fragment}`;
}

/** A target with more of a path behind its own, before its query; `rest` is decoded, and leads nowhere up. */
export function withRest(target: string, rest: string): string {
  if (rest === '') return target;
  const [, address = target, behind = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? [];
  const below = rest.split('/').map(encodeURIComponent).join('/');
  return `${address}${address.endsWith('/') ? '' : '/'}${below}${behind}`;
}

const PLAIN_LOCATION = /^[\u0020-\u007e]*$/;
/** Scheme, host with port, and the rest, in every spelling that `readTarget` accepts. */
const PARTS = /^(https?:[/\\]*)([^/\\?#]*)(.*)$/is;

/**
 * The URL for a `Location` header: an international host in its ASCII form, because clients look it up as it is
 * written; elsewhere only non-ASCII characters are percent-encoded.
 */
export function asLocation(target: string): string {
  const [, scheme = '', host = '', rest = ''] = PARTS.exec(target) ?? [];
  if (PLAIN_LOCATION.test(target) && !host.includes('%')) return target;
  // Lone surrogates have no UTF-8 form; they become the replacement character.
  const encoded = (text: string) => text.toWellFormed().replace(/[^\u0021-\u007e ]+/gu, encodeURIComponent);
  return scheme + asciiHost(host) + encoded(rest);
}

function asciiHost(host: string): string {
  if (PLAIN_LOCATION.test(host) && !host.includes('%')) return host;
  const port = /:\d*$/.exec(host)?.[0] ?? '';
  return new URL(`http://${host}`).hostname + port;
}
