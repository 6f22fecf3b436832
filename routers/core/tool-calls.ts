import { namedKeyOf } from '../../db/account/named-key.js';
import { audit } from './audit.js';
import type { Context } from './context.js';
import { requireCaller } from './trpc.js';

/** Puts into the audit log that an agent calls a tool, and the name of its key. */
export async function noteToolCall(ctx: Context, tool: string): Promise<void> {
  const account = await requireCaller(ctx);
  const { db } = ctx.app;
  const named = account.key?.isMain === false ? await namedKeyOf(db.read, account.id, account.key.id) : null;
  const info = { tool, key: named?.name ?? 'main key' };
  await db.write((trx) =>
    audit({ address: ctx.address, account }, trx, 'tool.called', { subject: account.id, info }),
  );
}
