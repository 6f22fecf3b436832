import { isbot } from 'isbot';
import { remembering } from './remembering.js';

/** What a User-Agent header says; "" if unknown. */
export interface Agent {
  /** Name of the browser or of the bot. */
  readonly browser: string;
  readonly system: string;
  readonly bot: boolean;
}

type Names = readonly (readonly [RegExp, string])[];

/** The bots that visit most, by the names that people know; the first that fits. */
const BOTS: Names = [
  // It pretends to be the two others.
  [/facebookexternalhit\S{0,20} Facebot Twitterbot/i, 'iMessage'],
  [/Discordbot/i, 'Discord'],
  [/TelegramBot/i, 'Telegram'],
  [/WhatsApp\//i, 'WhatsApp'],
  [/Slackbot|Slack-ImgProxy/i, 'Slack'],
  [/Bluesky Cardyb/i, 'Bluesky'],
  [/Mastodon|Pleroma|Misskey|Akkoma/i, 'Fediverse'],
  [/kakaotalk-scrap/i, 'KakaoTalk'],
  [/line-poker/i, 'LINE'],
  [/facebookexternalhit|facebookcatalog|meta-external/i, 'Facebook'],
  [/Twitterbot/i, 'Twitter'],
  [/LinkedInBot/i, 'LinkedIn'],
  [/Pinterest/i, 'Pinterest'],
  [/SkypeUriPreview|MicrosoftPreview/i, 'Microsoft'],
  [/Google|AdsBot/, 'Google'],
  [/bingbot|BingPreview/i, 'Bing'],
  [/Applebot/i, 'Apple'],
  [/DuckDuck(?:Go-Favicons-)?Bot/i, 'DuckDuckGo'],
  [/Yandex\w{0,30}(?:Bot|\/)/i, 'Yandex'],
  [/Baiduspider/i, 'Baidu'],
  [/GPTBot|ChatGPT|OAI-SearchBot/i, 'OpenAI'],
  [/Claude(?:Bot|-)/i, 'Anthropic'],
  [/Perplexity/i, 'Perplexity'],
  [/AhrefsBot|SemrushBot|MJ12bot|DotBot|PetalBot|Bytespider|CCBot/i, 'Crawler'],
  [/HeadlessChrome|Puppeteer|Playwright|PhantomJS|Lighthouse/i, 'Headless browser'],
  [/^curl\//i, 'curl'],
  [/^Wget\//i, 'Wget'],
  [/^(?:python|aiohttp|Scrapy|httpx)/i, 'Python'],
  [/^(?:node|axios|got|undici|bun)\b/i, 'Node.js'],
  [/^Go-http-client/i, 'Go'],
  [/^(?:okhttp|Java|Apache-HttpClient)/i, 'Java'],
  [/^(?:Mozilla|Opera)\/|bot\b|crawl|spider|slurp|preview/i, 'Other bot'],
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

/** Every browser says that it is Mozilla or Opera. */
const BROWSER = /^(?:Mozilla|Opera)\//;
/** Browsers are compatible with nothing since Internet Explorer, and have no home page or address to write to. */
const STRANGE = /compatible(?!; (?:MSIE|Konqueror))|bot(?:-\w{1,20})?\/\d|https?:|www\.|[\w-]@[\w-]/i;
/** What tools for privacy leave of it. */
const SILENT = 'Mozilla/5.0';
/** The name of a telephone may be any word: Monitor X1, CUBOT. */
const DEVICE = /^Mozilla\/5\.0 \([^()]*Android.*?\) (?=AppleWebKit|Gecko)/;

const isProgram = (header: string): boolean =>
  header !== SILENT &&
  (!BROWSER.test(header) || STRANGE.test(header) || isbot(header.replace(DEVICE, 'Mozilla/5.0 (Android) ')));

/** Detects browsers, systems and bots. What is no browser is a bot, and so is a visitor without a User-Agent. */
export const readUserAgent: (header: string | null) => Agent = remembering((header) => {
  if (header.trim() === '') return { browser: '', system: '', bot: true };
  const system = nameIn(SYSTEMS, header);
  const bot = isProgram(header);
  const name = bot ? nameIn(BOTS, header) || 'Other program' : nameIn(BROWSERS, header);
  return { browser: name, system, bot };
});

/** Bots, by name, that follow links for people and read no page, or show or print it: they get what a browser gets. */
const TOOLS: ReadonlySet<string> = new Set([
  ...['curl', 'Wget', 'Python', 'Node.js', 'Go', 'Java'],
  'Headless browser',
]);

/** Whether a visitor reads pages to show a preview of them, or to index them; a tool that fetches an address does not. */
export function readsForPreview(header: string | null): boolean {
  const { bot, browser } = readUserAgent(header);
  if (!bot || header === null) return false;
  // Preview programs without a known name say where to read about them.
  return browser === 'Other program' ? STRANGE.test(header) : browser !== '' && !TOOLS.has(browser);
}
