import type { Knex } from 'knex';

/** Collections read at once; their tags stay below the most bindings that a statement can have. */
const BATCH = 200;

interface Tagged {
  readonly id: number;
  readonly owner_id: number;
  readonly trashed_at: number | null;
  readonly tags: string;
}

/** The tags of collections are those of items: an account lists, renames and removes them all at once. */
export async function up(knex: Knex): Promise<void> {
  for (let after = 0; ; ) {
    const rows: Tagged[] = await knex('collections')
      .select('id', 'owner_id', 'trashed_at', 'tags')
      .where('id', '>', after)
      .whereNotNull('tags')
      .orderBy('id')
      .limit(BATCH);
    for (const row of rows) await keep(knex, row);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  await knex.raw('ALTER TABLE collections DROP COLUMN tags');
}

async function keep(knex: Knex, { id, owner_id, trashed_at, tags }: Tagged): Promise<void> {
  const names = (JSON.parse(tags) as string[]).map((tag) => tag.normalize('NFC').trim().replace(/\s+/g, ' '));
  const byKey = new Map(names.map((name) => [name.toLowerCase(), name]));
  const counted = trashed_at === null ? 1 : 0;
  for (const [tag_key, name] of byKey) {
    const [tag] = await knex('tags')
      .insert({ owner_id, tag_key, name, items: counted })
      .onConflict(['owner_id', 'tag_key'])
      .merge({ items: knex.raw('tags.items + ?', [counted]) })
      .returning('id');
    await knex('item_tags').insert({ tag_id: tag.id, kind: 'collection', item_id: id });
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE collections ADD COLUMN tags text');
  const rows: { item_id: number; tag_id: number; name: string }[] = await knex('item_tags')
    .join('tags', 'tags.id', 'item_tags.tag_id')
    .where('kind', 'collection')
    .select('item_id', 'tag_id', 'name')
    .orderBy('tag_key');
  const byItem = new Map<number, string[]>();
  for (const { item_id, name } of rows) byItem.set(item_id, [...(byItem.get(item_id) ?? []), name]);
  for (const [id, names] of byItem)
    await knex('collections').where('id', id).update('tags', JSON.stringify(names));
  for (const { item_id, tag_id } of rows) {
    const kept = await knex('collections').where('id', item_id).whereNull('trashed_at').first('id');
    if (kept !== undefined) await knex('tags').where('id', tag_id).decrement('items', 1);
  }
  await knex('item_tags').where('kind', 'collection').delete();
  await knex.raw('DELETE FROM tags WHERE NOT EXISTS (SELECT 1 FROM item_tags WHERE tag_id = tags.id)');
}
