/**
 * What the domain needs from a chat application (OAuth2 linking and login) and from a messenger (verification
 * by a bot). Implemented in `server/drivers/chat/`; each is absent if it is not configured. `provider.ts` describes
 * how their calls fail.
 */

/** A user's tokens at the chat application. */
export interface ChatAppTokens {
  readonly accessToken: string;
  /** Null if the provider gave none. */
  readonly refreshToken: string | null;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** The owner of a chat-application token. */
export interface ChatAppPerson {
  readonly id: string;
  readonly username: string;
  readonly globalName: string | null;
  /** An absolute URL; the provider's default picture if the user has none. */
  readonly avatar: string;
  /** Null if the provider withholds the address or has not verified it. */
  readonly email: string | null;
}

/** The chat application. Every call throws only `ProviderRefused` or `ProviderDown`. */
export interface ChatApp {
  /** What it is called. */
  readonly label: string;
  /** The provider's consent page; `codeChallenge` is the S256 challenge of the verifier given to `exchange`. */
  authorizeUrl(request: { state: string; codeChallenge: string; redirectUri: string }): string;
  exchange(grant: { code: string; codeVerifier: string; redirectUri: string }): Promise<ChatAppTokens>;
  refresh(refreshToken: string): Promise<ChatAppTokens>;
  /** Revokes an access or refresh token at the provider; an unknown one is not an error. */
  revoke(token: string): Promise<void>;
  whoAmI(accessToken: string): Promise<ChatAppPerson>;
  /**
   * Refuses a token that was issued to another application, because its operator has such tokens of its
   * users. Accepts the token if the provider does not say for which application it was issued.
   */
  requireOurs(accessToken: string): Promise<void>;
}

/** One private message to the bot. */
export interface MessengerUpdate {
  /** Increases with each update; the same id means the same update. */
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
  /** What it is called. */
  readonly label: string;
  /** The bot's name without `@`, as configured or requested from the provider once. */
  botName(): Promise<string>;
  /** The address that opens the chat with the bot and offers to send it `/start <token>`. */
  startUrl(botname: string, token: string): string;
  /** Sends plain text, cut at the messenger's maximum length. */
  send(chatId: string, text: string): Promise<void>;
  /**
   * Reads a webhook call; null for updates that are not private messages. `secret` comes from its
   * header. Throws `WebhookForged` if it is wrong or missing.
   */
  readWebhook(secret: string | null, body: unknown): MessengerUpdate | null;
  /** Makes the messenger push messages to this URL, instead of being polled. */
  pushTo(url: string): Promise<void>;
  /**
   * Fetches messages until `signal` aborts, then returns. One is done once `handle` returns; if that throws, it is
   * delivered again. Only one process may poll.
   */
  poll(handle: (update: MessengerUpdate) => Promise<void>, signal: AbortSignal): Promise<void>;
}

/** A webhook call without the right secret. */
export class WebhookForged extends Error {
  constructor() {
    super('the secret of the webhook call is wrong');
    this.name = 'WebhookForged';
  }
}

/** Where accounts can be linked; each is null if none is configured. */
export interface ChatServices {
  readonly app: ChatApp | null;
  readonly messenger: Messenger | null;
}
