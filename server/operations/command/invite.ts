import { parseArgs } from 'node:util';
import { CommandError, numberOption, UsageError } from '../../../client/bin/command.js';
import { printLink } from '../../../client/bin/terminal.js';
import { issueOwnerCode } from '../../../routers/features/auth/first-owner.js';
import { readConfig } from '../../runtime/config/config.js';
import { asOwner } from './as-owner.js';
import { hasDatabase } from './require-database.js';

/** `holdall invite`: creates an invite code; for the owner as long as there is none. */
export async function invite(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { role: { type: 'string' }, uses: { type: 'string' }, expires: { type: 'string' } },
  });
  if (values.role?.toUpperCase() === 'BANNED') throw new UsageError('an invite cannot have the role BANNED');
  const config = readConfig();
  const isNew = !hasDatabase(config);
  const address = await asOwner(config, async ({ app, api }) => {
    const at = (code: string) => `${config.origin}/web/register?inviteCode=${encodeURIComponent(code)}`;
    if (api === null) {
      if (Object.keys(values).length > 0)
        throw new CommandError(
          'this installation has no owner yet: run `holdall invite` without options to invite the owner',
        );
      process.stderr.write(
        'this installation has no owner yet: whoever registers at this address becomes its owner\n',
      );
      return at((await issueOwnerCode(app)) ?? '');
    }
    const [made] = await api.admin.createInvites({
      role: values.role ?? null,
      maxUses: numberOption('uses', values.uses) ?? null,
      expiresAt: values.expires ?? null,
    });
    return at(made?.code ?? '');
  });
  // Without DATA_DIR in this shell, the installation may not be where the user expects it.
  if (isNew) process.stderr.write(`created a new installation in ${config.dataDir}\n`);
  printLink(address);
}
