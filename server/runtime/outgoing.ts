import { DomainError } from '../../routers/base/errors.js';
import type { Log } from '../../routers/base/ports/log.js';
import type { MailServices } from '../../routers/base/ports/mail/mail-services.js';
import type { Secrets } from '../../routers/base/ports/secrets.js';
import type { Services } from '../../routers/core/context.js';
import { openChallenge } from '../drivers/challenge/open.js';
import { openChat } from '../drivers/chat/index.js';
import { openDomainProofs } from '../drivers/domains/proof.js';
import { openMail } from '../drivers/mail/index.js';
import type { ReadingApart } from '../drivers/mail/reading/apart.js';
import { openOidc } from '../drivers/oidc/index.js';
import { parseAllowList } from '../drivers/outbound/addresses.js';
import { openTargetLooks } from '../drivers/outbound/look-at-target.js';
import { openFileFetcher, openWebhooks } from '../drivers/outbound/open.js';
import type { Config } from './config/config.js';

/** Everything by which the installation reaches servers that are not its own database, store or scanner. */
type Outgoing = Pick<Services, 'chat' | 'challenge' | 'webhooks' | 'files' | 'targetLooks' | 'domainProofs'>;

const refuse = () => Promise.reject(new DomainError('DEMO'));

/** Opens what reaches other servers; in a demo every one of these refuses, whatever is configured. */
export function openOutgoing(config: Config, secrets: Secrets, log: Log): Outgoing {
  if (config.demo)
    return {
      chat: { app: null, messenger: null },
      // Proofs of work are checked here.
      challenge: openChallenge({ publicMail: { ...config.publicMail, turnstile: null } }, secrets),
      webhooks: { refusal: refuse, deliver: refuse },
      files: { fetch: refuse },
      targetLooks: { look: refuse },
      domainProofs: { find: refuse },
    };
  const allow = parseAllowList(config.outboundAllow);
  return {
    chat: openChat(config, log),
    challenge: openChallenge(config, secrets),
    webhooks: openWebhooks(config),
    files: openFileFetcher(config),
    targetLooks: openTargetLooks(allow),
    domainProofs: openDomainProofs({ resolvers: config.mail.resolvers, allow }),
  };
}

/** As `openOutgoing`, for what is opened anew whenever its settings change. */
export function openChanging(
  config: Config,
  reading: ReadingApart,
  log: Log,
): { readonly mail: MailServices; readonly oidc: Services['oidc'] } {
  const mail = openMail(config, reading, log);
  if (!config.demo) return { mail, oidc: openOidc(config.oidc) };
  return {
    // Mail that comes is taken; its sender is not looked up, and nothing is fetched for it.
    mail: {
      ...mail,
      transport: { label: null, send: refuse },
      store: null,
      authenticate: async () => null,
    },
    oidc: [],
  };
}
