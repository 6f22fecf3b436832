/**
 * What the domain needs from a chat application (OAuth2 linking and login) and from a messenger
 * (verification by a bot). `server/chat/` supplies both; either is absent when it is not configured. How their calls
 * fail stands in `provider.ts`.
 */

/** Tokens of one person at the chat application. */
export interface ChatAppTokens {
  readonly accessToken: string;
  /** Null when the provider gave none. */
  readonly refreshToken: string | null;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Who a chat-application token belongs to. */
export interface ChatAppPerson {
  readonly id: string;
  readonly username: string;
  readonly globalName: string | null;
  /** An absolute URL; the provider's default picture when the person has none. */
  readonly avatar: string;
  /** Null when the provider withholds the address or has not verified it. */
  readonly email: string | null;
}

/** The chat application. Every call throws `ProviderRefused` or `ProviderDown` and nothing else. */
export interface ChatApp {
  /** The provider's consent page; `codeChallenge` is the S256 challenge of the verifier given to `exchange`. */
  authorizeUrl(request: { state: string; codeChallenge: string; redirectUri: string }): string;
  exchange(grant: { code: string; codeVerifier: string; redirectUri: string }): Promise<ChatAppTokens>;
  refresh(refreshToken: string): Promise<ChatAppTokens>;
  /** Ends a token, access or refresh, at the provider; one it does not know is not an error. */
  revoke(token: string): Promise<void>;
  whoAmI(accessToken: string): Promise<ChatAppPerson>;
  /**
   * Refuses a token that the provider issued to another application, whose operator holds such tokens of its users. A
   * provider that does not tell to which application it issued a token is believed.
   */
  requireOurs(accessToken: string): Promise<void>;
}

/** One private message to the bot. */
export interface MessengerUpdate {
  /** Rises with each update; the same number twice is the same update. */
  readonly updateId: number;
  readonly chatId: string;
  readonly userId: string;
  readonly username: string | null;
  readonly name: string;
  /** The token of `/start <token>`; null for every other text. */
  readonly startToken: string | null;
}

/** The messenger's bot. Calls throw `ProviderRefused` or `ProviderDown`. */
export interface Messenger {
  /** The bot's name without `@`, as configured or asked from the provider once. */
  botName(): Promise<string>;
  /** Sends plain text; longer than the messenger takes is cut. */
  send(chatId: string, text: string): Promise<void>;
  /**
   * Reads a webhook call; null for updates that are no private message. `secret` is the header
   * `X-Telegram-Bot-Api-Secret-Token`. Throws `WebhookForged` when it is wrong or missing.
   */
  readWebhook(secret: string | null, body: unknown): MessengerUpdate | null;
}

/** A webhook call that does not carry the right secret. */
export class WebhookForged extends Error {
  constructor() {
    super('the secret of the webhook call is wrong');
    this.name = 'WebhookForged';
  }
}
