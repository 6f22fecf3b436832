/** What a User-Agent header says; "" if unknown. */
export interface Agent {
  /** Name of the browser or of the bot. */
  readonly browser: string;
  readonly system: string;
  readonly bot: boolean;
}

type Names = readonly (readonly [RegExp, string])[];

const BOTS: Names = [
  [/Discordbot/i, 'Discord'],
  [/TelegramBot/i, 'Telegram'],
  [/WhatsApp\//i, 'WhatsApp'],
  [/Slackbot|Slack-ImgProxy/i, 'Slack'],
  [/facebookexternalhit|facebookcatalog|meta-external/i, 'Facebook'],
  [/Twitterbot/i, 'Twitter'],
  [/LinkedInBot/i, 'LinkedIn'],
  [/SkypeUriPreview|MicrosoftPreview/i, 'Microsoft'],
  [/Google|AdsBot/, 'Google'],
  [/bingbot|BingPreview/i, 'Bing'],
  [/Applebot/i, 'Apple'],
  [/DuckDuck(?:Go-Favicons-)?Bot/i, 'DuckDuckGo'],
  [/Yandex\w{0,30}(?:Bot|\/)/i, 'Yandex'],
  [/Baiduspider/i, 'Baidu'],
  [/GPTBot|ChatGPT|OAI-SearchBot/i, 'OpenAI'],
  [/Claude(?:Bot|-)/i, 'Anthropic'],
  [/AhrefsBot|SemrushBot|MJ12bot|DotBot|PetalBot|Bytespider|CCBot/i, 'Crawler'],
  [/HeadlessChrome|Puppeteer|Playwright|PhantomJS|Lighthouse/i, 'Headless browser'],
  [/^curl\//i, 'curl'],
  [/^Wget\//i, 'Wget'],
  [/^(?:python|aiohttp|Scrapy|httpx)/i, 'Python'],
  [/^(?:node|axios|got|undici|bun)\b/i, 'Node.js'],
  [/^Go-http-client/i, 'Go'],
  [/^(?:okhttp|Java|Apache-HttpClient)/i, 'Java'],
  // CUBOT is a phone brand.
  [/(?<!cu)bot\b|crawl|spider|slurp|preview|fetcher|scanner|monitor|archiver|validator/i, 'Other bot'],
];

const BROWSERS: Names = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera|OPiOS\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/YaBrowser\//, 'Yandex Browser'],
  [/Vivaldi\//, 'Vivaldi'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|Chromium\/|CriOS\//, 'Chrome'],
  [/^(?=.*Version\/\d).*Safari\/|^(?=.*AppleWebKit\/).*Mobile\//, 'Safari'],
  [/MSIE |Trident\//, 'Internet Explorer'],
];

const SYSTEMS: Names = [
  [/Windows/, 'Windows'],
  [/iPhone|iPad|iPod/, 'iOS'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];

const nameIn = (names: Names, text: string): string =>
  names.find(([pattern]) => pattern.test(text))?.[1] ?? '';

/**
 * Detects browsers, systems and bots. Every browser identifies as Mozilla or Opera, so anything else counts
 * as a program, as does a missing User-Agent.
 */
export function readUserAgent(header: string | null): Agent {
  if (header === null || header.trim() === '') return { browser: '', system: '', bot: true };
  const system = nameIn(SYSTEMS, header);
  const bot = nameIn(BOTS, header);
  if (bot !== '') return { browser: bot, system, bot: true };
  if (!/^(?:Mozilla|Opera)\//.test(header)) return { browser: 'Other program', system, bot: true };
  return { browser: nameIn(BROWSERS, header), system, bot: false };
}
