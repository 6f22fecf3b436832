import { parseArgs } from 'node:util';
import { CommandError, numberOption, UsageError } from '../../client/bin/command.js';
import { printLink } from '../../client/bin/terminal.js';
import { issueOwnerCode } from '../../routers/auth/first-owner.js';
import { readConfig } from '../config/config.js';
import { asOwner } from './as-owner.js';
import { hasDatabase } from './require-database.js';

/** `holdall invite`: while there is no owner, the invite of the owner. */
export async function invite(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { role: { type: 'string' }, uses: { type: 'string' }, expires: { type: 'string' } },
  });
  if (values.role?.toUpperCase() === 'BANNED') throw new UsageError('nobody is invited to be BANNED');
  const config = readConfig();
  const isNew = !hasDatabase(config);
  const address = await asOwner(config, async ({ app, api }) => {
    const at = (code: string) => `${config.origin}/web/register?inviteCode=${encodeURIComponent(code)}`;
    if (api === null) {
      if (Object.keys(values).length > 0)
        throw new CommandError(
          "nobody owns this installation yet: the first invite, `holdall invite` alone, is the owner's",
        );
      process.stderr.write('nobody owns this installation yet: who registers here becomes its owner\n');
      return at((await issueOwnerCode(app)) ?? '');
    }
    const [made] = await api.admin.createInvites({
      role: values.role ?? null,
      maxUses: numberOption('uses', values.uses) ?? null,
      expiresAt: values.expires ?? null,
    });
    return at(made?.code ?? '');
  });
  // Somebody who has not set DATA_DIR in this shell would look for it in vain.
  if (isNew) process.stderr.write(`made a new installation in ${config.dataDir}\n`);
  printLink(address);
}
