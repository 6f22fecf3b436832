import { KIND_NAMES, type Kind } from '../../base/kinds.js';
import type { WebhookEventType } from '../../base/ports/outbound.js';

/** The event that tells webhooks that something of this kind was opened. */
export const openedEvent = (kind: Kind | 'collection'): WebhookEventType =>
  kind === 'collection' ? 'collection.opened' : KIND_NAMES[kind].openedEvent;
