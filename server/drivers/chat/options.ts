import { z } from 'zod';
import { flag, origin, type Requirement, type ValuesOf } from '../../shared/variables.js';

/** The variables of the chat application and of the messenger's bot. */
export const chatVariables = {
  CHATAPP_CLIENT_ID: z.string().optional(),
  CHATAPP_CLIENT_SECRET: z.string().optional(),
  CHATAPP_API_URL: origin.default('https://discord.com/api'),
  MESSENGER_BOT_TOKEN: z.string().optional(),
  MESSENGER_BOT_NAME: z.string().optional(),
  MESSENGER_WEBHOOK: flag.default(false),
  MESSENGER_API_URL: origin.default('https://api.telegram.org'),
};

/** Which variables need each other. */
export const chatRequirements: readonly Requirement[] = [
  ['CHATAPP_CLIENT_ID', ['CHATAPP_CLIENT_SECRET']],
  ['CHATAPP_CLIENT_SECRET', ['CHATAPP_CLIENT_ID']],
];

/** Our client at the chat application; without an id there is none. */
export interface ChatAppOptions {
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  readonly apiUrl: string;
}

/** Our bot at the messenger; without a token there is none. */
export interface MessengerOptions {
  readonly botToken: string | null;
  readonly botName: string | null;
  /** The messenger pushes messages to `/v1/telegram/webhook` instead of being polled. */
  readonly webhook: boolean;
  readonly apiUrl: string;
}

/** The chat application and the messenger. */
export interface ChatOptions {
  readonly chatapp: ChatAppOptions;
  readonly messenger: MessengerOptions;
}

/** Reads the options. */
export const chatOptions = (values: ValuesOf<typeof chatVariables>): ChatOptions => ({
  chatapp: {
    clientId: values.CHATAPP_CLIENT_ID ?? null,
    clientSecret: values.CHATAPP_CLIENT_SECRET ?? null,
    apiUrl: values.CHATAPP_API_URL,
  },
  messenger: {
    botToken: values.MESSENGER_BOT_TOKEN ?? null,
    botName: values.MESSENGER_BOT_NAME ?? null,
    webhook: values.MESSENGER_WEBHOOK,
    apiUrl: values.MESSENGER_API_URL,
  },
});
