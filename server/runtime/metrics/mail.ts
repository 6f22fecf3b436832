import type { SmtpFigures } from '../../../routers/base/ports/mail/smtp.js';
import type { Metric } from './metric.js';

/** The mails that come by SMTP to this process. */
export const mailMetrics = ({ pending, refused }: SmtpFigures): Metric[] => [
  {
    name: 'holdall_mails_pending',
    help: 'Mails that have come by SMTP and are not stored yet, by what they wait for.',
    type: 'gauge',
    combine: 'sum',
    samples: samplesOf('state', pending),
  },
  {
    name: 'holdall_mails_refused_total',
    help: 'Recipients and mails that were refused by SMTP, by reason.',
    type: 'counter',
    combine: 'sum',
    samples: samplesOf('reason', refused),
  },
];

const samplesOf = (label: string, values: Readonly<Record<string, number>>): Metric['samples'] =>
  Object.entries(values).map(([name, value]) => ({ suffix: '', labels: { [label]: name }, value }));
