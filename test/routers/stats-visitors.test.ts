/** What is recorded about a visitor: browser, system, whether it is a bot, and how much of the address. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countedAddress, storedAddress } from '../../routers/base/network.js';
import { readUserAgent } from '../../routers/features/stats/user-agent.js';

const agents = suite('user agents');
const known: [string, string, string, boolean][] = [
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    'Chrome',
    'Windows',
    false,
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
    'Edge',
    'Windows',
    false,
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15',
    'Safari',
    'macOS',
    false,
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1',
    'Safari',
    'iOS',
    false,
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox', 'Linux', false],
  [
    'Mozilla/5.0 (Linux; Android 14; CUBOT NOTE 50) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
    'Chrome',
    'Android',
    false,
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    'Samsung Internet',
    'Android',
    false,
  ],
  ['Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)', 'Discord', '', true],
  ['TelegramBot (like TwitterBot)', 'Telegram', '', true],
  [
    'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Google',
    'Android',
    true,
  ],
  ['WhatsApp/2.23.20.0', 'WhatsApp', '', true],
  ['curl/8.5.0', 'curl', '', true],
  ['python-requests/2.32', 'Python', '', true],
  ['SomeThing/1.0', 'Other program', '', true],
  ['Mozilla/5.0 (compatible; NobodysCrawler/1.0)', 'Other bot', '', true],
  ['Mozilla/5.0', '', '', false],
];
for (const [header, browser, system, bot] of known) {
  agents(`${browser || 'nothing'} in ${header.slice(0, 60)}`, () => {
    assert.equal(readUserAgent(header), { browser, system, bot });
  });
}
const android = (device: string, rest = '') =>
  `Mozilla/5.0 (Linux; Android 14; ${device}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36${rest}`;
const apple = (rest: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148${rest}`;
const people: readonly string[] = [
  // Devices may have any name.
  ...['Google Pixel 8 Pro', 'Monitor Z3', 'Preview Tab 2', 'Spider (5) Crawler', 'SCANNER 7 Build/UP1A'].map(
    (device) => android(device),
  ),
  // Pages inside applications.
  android('SM-X200 Build/UP1A; wv', ' GoogleApp/15.2.33.28.arm64'),
  android('SM-X200; wv', ' [FB_IAB/FB4A;FBAV/470.0.0.0;]'),
  android('SM-X200; wv', ' Instagram 337.0.0.35.90 Android'),
  android('SM-X200; wv', ' Line/14.0.0/IAB'),
  ...[
    ' GSA/320.0 Safari/604.1',
    ' [Pinterest/iOS]',
    ' [LinkedInApp]/9.29',
    ' MicroMessenger/8.0.49',
    ' Twitter for iPhone/10.34',
  ].map(apple),
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) discord/1.0.9 Chrome/120.0 Electron/28.2 Safari/537.36',
  // Old and rare browsers.
  'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)',
  'Mozilla/5.0 (compatible; Konqueror/4.9; Linux) KHTML/4.9.5 (like Gecko)',
  'Opera/9.80 (J2ME/MIDP; Opera Mini/7.1/29.3; U; en) Presto/2.8.119 Version/11.10',
  'Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15',
];
for (const header of people)
  agents(`a person sends ${header}`, () => assert.is(readUserAgent(header).bot, false));
const programs: readonly (readonly [string, string])[] = [
  ['Mozilla/5.0 (compatible; NewThing/2.0) Chrome/140.0 Safari/537.36', 'Other bot'],
  [android('Nexus 5', ' (compatible; Unheard/1.0)'), 'Other bot'],
  [android('Pixel 2; Storebot-Google/1.0'), 'Google'],
  ['Mozilla/5.0 (X11; Linux x86_64) Previews/1.0 (+https://previews.example/about)', 'Other bot'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Safari/537.36 (links@checker.example)', 'Other bot'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    'iMessage',
  ],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 'Facebook'],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Bluesky Cardyb/1.1; +mailto:a@bsky.example)',
    'Bluesky',
  ],
  ['Viber/21.0', 'Other program'],
];
for (const [header, name] of programs)
  agents(`${name} sends ${header}`, () => {
    const { browser, bot } = readUserAgent(header);
    assert.equal([browser, bot], [name, true]);
  });
agents('a visitor without a user agent is a bot', () => {
  assert.equal(readUserAgent(null), { browser: '', system: '', bot: true });
});
agents.run();

const addresses = suite('stored addresses');
addresses('full keeps them', () => assert.is(storedAddress('192.0.2.77', 'full'), '192.0.2.77'));
addresses('truncated keeps the network', () => {
  assert.is(storedAddress('192.0.2.77', 'truncated'), '192.0.2.0');
  assert.is(storedAddress('2001:db8:1:2:3:4:5:6', 'truncated'), '2001:db8:1::');
  assert.is(storedAddress('::ffff:192.0.2.77', 'truncated'), '192.0.2.0');
  assert.is(storedAddress('unknown', 'truncated'), null);
});
addresses('none keeps nothing', () => assert.is(storedAddress('192.0.2.77', 'none'), null));
addresses('limits count an IPv6 /64 as one address, and every IPv4 address separately', () => {
  for (const [address, counted] of [
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:DB8:1:2::', '2001:db8:1:2::'],
    ['2001:db8:1:3:3:4:5:6', '2001:db8:1:3::'],
    ['fe80::1%eth0', 'fe80::'],
    ['::ffff:192.0.2.77', '192.0.2.77'],
    ['192.0.2.77', '192.0.2.77'],
    ['', ''],
  ] as const)
    assert.is(countedAddress(address), counted);
});
addresses.run();
