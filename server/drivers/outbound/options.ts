import { list, readableBy, type ValuesOf } from '../../shared/variables.js';
import { parseAllowList } from './addresses.js';

/** The variable that names private addresses which webhooks may reach. */
export const outboundVariables = {
  OUTBOUND_ALLOW: list.check(readableBy(parseAllowList)).default([]),
};

/** What requests to addresses given by users may reach. */
export interface OutboundOptions {
  /** Hosts and networks besides public addresses. */
  readonly outboundAllow: readonly string[];
}

/** Reads the options. */
export const outboundOptions = (values: ValuesOf<typeof outboundVariables>): OutboundOptions => ({
  outboundAllow: values.OUTBOUND_ALLOW,
});
