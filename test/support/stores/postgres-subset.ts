/**
 * PostgreSQL with the features taken away that CockroachDB, YugabyteDB or Citus lack (docs/scaling.md): whoever uses one is
 * refused. With HOLDALL_TEST_SUBSET=1 the databases of all tests are such ones, and every transaction is serialisable.
 */
import pg from 'pg';

/** Whose databases lack them. Not a superuser, for whom nothing can be forbidden. */
export const SUBSET_ROLE = 'holdall_subset';

/** Functions that are forbidden: advisory locks, sizes, snapshots to hand on, messages, what ends other sessions. */
const FORBIDDEN = [
  ...['pg_advisory%', 'pg_try_advisory%', 'pg_database_size', 'pg_total_relation_size', 'pg_export_snapshot'],
  ...[
    'pg_notify',
    'pg_cancel_backend',
    'pg_terminate_backend',
    'set_config',
    'setval',
    'pg_get_serial_sequence',
  ],
];

/** The statements that take them away. */
export const TAKEN_AWAY = `
DO $do$
DECLARE one regprocedure;
BEGIN
  FOR one IN SELECT oid FROM pg_proc WHERE proname LIKE ANY (ARRAY[${FORBIDDEN.map((name) => `'${name}'`).join()}])
  LOOP EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', one); END LOOP;
END $do$;

CREATE FUNCTION refuse_inside() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
  IF transaction_timestamp() <> statement_timestamp() THEN
    RAISE feature_not_supported USING MESSAGE = TG_TAG || ' is not supported inside a transaction';
  END IF;
END $$;
CREATE EVENT TRIGGER refuse_inside ON ddl_command_start EXECUTE FUNCTION refuse_inside();

CREATE FUNCTION refuse_what_is_made() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM pg_class c LEFT JOIN pg_am a ON a.oid = c.relam
      WHERE c.relowner = '${SUBSET_ROLE}'::regrole
        AND (c.relpersistence <> 'p' OR a.amname NOT IN ('heap', 'btree') OR c.reloptions IS NOT NULL))
    OR EXISTS (SELECT FROM pg_trigger WHERE NOT tgisinternal)
    OR EXISTS (SELECT FROM pg_proc WHERE proowner = '${SUBSET_ROLE}'::regrole)
    OR EXISTS (SELECT FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relowner = '${SUBSET_ROLE}'::regrole AND c.relkind = 'r' AND a.attcollation = 'pg_catalog."C"'::regcollation)
  THEN
    RAISE feature_not_supported USING MESSAGE = TG_TAG || ' made something that is not supported';
  END IF;
END $$;
CREATE EVENT TRIGGER refuse_what_is_made ON ddl_command_end EXECUTE FUNCTION refuse_what_is_made();
`;

/** Whether the databases of all tests are such ones. */
export const isSubset = (): boolean => process.env.HOLDALL_TEST_SUBSET === '1';

/** Makes an empty database without these features, as superuser; `client` is connected to another one. */
export async function makeSubsetDatabase(client: pg.Client, server: string, database: string): Promise<void> {
  const known = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [SUBSET_ROLE]);
  if (known.rowCount === 0) await client.query(`CREATE ROLE ${SUBSET_ROLE} LOGIN PASSWORD '${SUBSET_ROLE}'`);
  await client.query(`ALTER ROLE ${SUBSET_ROLE} SET default_transaction_isolation = 'serializable'`);
  await client.query(
    `CREATE DATABASE ${database} OWNER ${SUBSET_ROLE} TEMPLATE template0 STRATEGY file_copy`,
  );
  const url = new URL(server);
  url.pathname = `/${database}`;
  const inside = new pg.Client({ connectionString: url.href });
  await inside.connect();
  try {
    await inside.query(TAKEN_AWAY);
  } finally {
    await inside.end();
  }
}

/** The address of a database for the role that lacks them. */
export function asSubset(address: string): string {
  const url = new URL(address);
  url.username = SUBSET_ROLE;
  url.password = SUBSET_ROLE;
  return url.href;
}
