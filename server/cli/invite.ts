import { parseArgs } from 'node:util';
import { numberOption } from '../../client/bin/command.js';
import { printLinks } from '../../client/bin/terminal.js';
import { issueOwnerCode } from '../../routers/auth/first-owner.js';
import { asOwner } from './as-owner.js';

/** `holdall invite`: while there is no owner, the invite of the owner. */
export async function invite(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { role: { type: 'string' }, uses: { type: 'string' }, expires: { type: 'string' } },
  });
  const address = await asOwner(async ({ config, app, api }) => {
    const at = (code: string) => `${config.origin}/web/register?inviteCode=${encodeURIComponent(code)}`;
    if (api === null) return at((await issueOwnerCode(app)) ?? '');
    const [made] = await api.admin.createInvites({
      role: values.role ?? null,
      maxUses: numberOption('uses', values.uses) ?? null,
      expiresAt: values.expires ?? null,
    });
    return at(made?.code ?? '');
  });
  printLinks([address]);
}
