/** What is recorded about a visitor: browser, system, whether it is a bot, and how much of the address. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readUserAgent } from '../../routers/stats/user-agent.js';
import { countedAddress, storedAddress } from '../../server/http/network.js';

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
