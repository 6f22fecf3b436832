import { t } from '../../../routers/base/language/i18n.js';
import { Select } from '../components/form/choices.js';

/** On which host a link is; nothing for an account without hosts of its own. */
export function DomainChoice({
  hosts,
  value,
}: {
  readonly hosts: readonly string[];
  readonly value: string | null;
}) {
  if (hosts.length === 0) return null;
  return (
    <Select
      name="domain"
      label={t('Domain')}
      value={value}
      options={[['', t('That of this server')], ...hosts.map((host) => [host, host] as const)]}
    />
  );
}
