/** SQL dumps are read in every usual spelling and charset, and what is cut off or cannot be read is an error. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDump } from '../../server/operations/import/tables/dump.js';
import { statementsOf } from '../../server/operations/import/tables/sql/statements.js';
import type { Row } from '../../server/operations/import/tables/tables.js';
import { text } from '../../server/operations/import/tables/values.js';

const test = suite<{ folder: string }>('import: SQL dumps');
test.before(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'holdall-test-'));
});
test.after(({ folder }) => rm(folder, { recursive: true, force: true }));

let files = 0;

async function rowsOf(folder: string, dump: string | Buffer, table = 'links'): Promise<Row[]> {
  const path = join(folder, `${++files}.sql`);
  await writeFile(path, dump);
  const tables = await openDump(path);
  const rows: Row[] = [];
  for await (const row of tables.rows(table)) rows.push(row);
  return rows;
}

const TABLE =
  'CREATE TABLE `links` (\n  `code` varchar(9) NOT NULL,\n  `url` text,\n  PRIMARY KEY (`code`)\n);\n';
const EXPECTED = [
  { code: 'a', url: "it's; \\ (x), `y` -- z" },
  { code: 'b', url: null },
];

for (const [spelling, dump] of Object.entries({
  mysqldump: `-- MySQL dump 10.13\n/*!40101 SET NAMES utf8mb4 */;\n${TABLE}LOCK TABLES \`links\` WRITE;\n/*!40000 ALTER TABLE \`links\` DISABLE KEYS */;\nINSERT INTO \`links\` VALUES ('a','it\\'s; \\\\ (x), \`y\` -- z'),('b',NULL);\nUNLOCK TABLES;\n-- Dump completed on 2024-05-06\n`,
  'two spaces': `${TABLE}INSERT  IGNORE INTO \`links\` VALUES ('a','it''s; \\\\ (x), \`y\` -- z'),('b',NULL);`,
  replace: `${TABLE}REPLACE INTO \`shop\`.\`links\` (\`code\`, \`url\`) VALUES ('a','it\\'s; \\\\ (x), \`y\` -- z');REPLACE  INTO shop.links VALUES ('b',null);`,
  'on one line, without quotes, in lower case':
    `create table if not exists links (code varchar(9) not null default 'x,)', url text, n int default (1+(2)), primary key (code), key u (url(20)));insert into links(url,code)values('it\\'s; \\\\ (x), \`y\` -- z','a'),(null,'b')`
      .replaceAll(/, n int default \(1\+\(2\)\)/g, '')
      .concat(';'),
  'comments everywhere': `/* it's a comment; */ # it's one\n-- it's another\n${TABLE}/* one */INSERT /* two; */ INTO links -- three's\nVALUES # four's\n('a',/* five, */'it\\'s; \\\\ (x), \`y\` -- z')\n,('b' , NULL )/* end */;`,
  'executed comments': `/*!50001 ${TABLE.replace(';\n', '')} */;/*M!100000 INSERT INTO links VALUES */ ('a','it\\'s; \\\\ (x), \`y\` -- z'),('b',NULL);`,
  'what follows the rows': `${TABLE}INSERT INTO links VALUES ('a','it\\'s; \\\\ (x), \`y\` -- z'),('b',NULL) ON DUPLICATE KEY UPDATE url = VALUES(url), code = CONCAT('(', code);`,
  'bytes and hex': `${TABLE}INSERT INTO links VALUES (_binary 'a',0x${Buffer.from(EXPECTED[0]?.url ?? '').toString('hex')}),(X'62',NULL);`,
  'double quotes': `${TABLE}INSERT INTO "links" VALUES ("a","it's; \\\\ (x), \`y\` -- z"),("b",NULL);`,
  delimiters: `${TABLE}DELIMITER ;;\nCREATE TRIGGER t BEFORE INSERT ON links FOR EACH ROW BEGIN INSERT INTO links VALUES (NEW.code, 1); END ;;\nDELIMITER ;\nINSERT INTO links VALUES ('a','it\\'s; \\\\ (x), \`y\` -- z'),('b',NULL);`,
  'Windows line ends':
    `${TABLE}INSERT INTO links VALUES\n('a','it\\'s; \\\\ (x), \`y\` -- z'),\n('b',NULL);\n`.replaceAll(
      '\n',
      '\r\n',
    ),
  'PostgreSQL with COPY': `--\n-- PostgreSQL database dump\n--\n\\restrict abc\nSET client_encoding = 'UTF8';\nSET standard_conforming_strings = on;\nCREATE FUNCTION f() RETURNS trigger AS $f$ BEGIN; it's; END $f$;\nCREATE TABLE public.links (\n    code text NOT NULL,\n    url text\n);\nCOPY public.links (code, url) FROM stdin;\na\tit's; \\\\ (x), \`y\` -- z\nb\t\\N\n\\.\n\nALTER TABLE ONLY public.links ADD CONSTRAINT p PRIMARY KEY (code);\n--\n-- PostgreSQL database dump complete\n--\n\\unrestrict abc\n`,
  'PostgreSQL with INSERT':
    `-- PostgreSQL database dump\nSET standard_conforming_strings = on;\nCREATE TABLE public."links" ("code" text, "url" text);\nINSERT INTO public."links" OVERRIDING SYSTEM VALUE VALUES ('a', 'it''s; \\ (x), \`y\` -- z');\nINSERT INTO public.links VALUES (E'\\b'::text, NULL);\n-- PostgreSQL database dump complete\n`.replace(
      "E'\\b'",
      "E'b'",
    ),
  'SQLite .dump':
    `PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE [links] (code TEXT, "url" TEXT);\nINSERT INTO links VALUES('a',replace('it''s; \\ (x), \`y\`-NL- z','NL','-'));\nINSERT INTO links VALUES(unistr('\\u0062'),NULL);\nCOMMIT;\n`.replace(
      "-NL- z','NL','-'",
      " NL z','NL','--'",
    ),
}))
  test(`is read: ${spelling}`, async ({ folder }) => {
    const rows = await rowsOf(folder, dump);
    assert.equal(
      rows.map(({ code, url }) => ({ code: text(code), url: text(url) })),
      EXPECTED,
    );
    // However the file is cut into pieces, the statements are the same.
    const escapes = !/PostgreSQL|PRAGMA/.test(dump);
    const inPieces = async (size: number) => {
      const found: unknown[] = [];
      const pieces = async function* () {
        for (let at = 0; at < dump.length; at += size) yield dump.slice(at, at + size);
      };
      for await (const statement of statementsOf('x', { escapes, end: null, pieces })) found.push(statement);
      return found;
    };
    const whole = await inPieces(dump.length);
    for (const size of [1, 2, 3, 7, 64]) assert.equal(await inPieces(size), whole, `pieces of ${size}`);
  });

test('charsets: what is named, byte order marks, and packed files', async ({ folder }) => {
  const dump = (charset: string) =>
    `SET NAMES ${charset};\n${TABLE}INSERT INTO links VALUES ('größe','Grüße €');`;
  const inLatin = Buffer.from(dump('latin1').replace('€', '\u0080'), 'latin1');
  const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(dump('utf8'), 'utf16le')]);
  for (const bytes of [
    inLatin,
    marked,
    Buffer.from(marked).swap16(),
    Buffer.from(`\ufeff${dump('utf8mb4')}`),
    gzipSync(dump('utf8')),
    gzipSync(inLatin),
  ])
    assert.equal(await rowsOf(folder, bytes), [{ code: 'größe', url: 'Grüße €' }]);
  const kyrillic = Buffer.concat([
    Buffer.from(`SET NAMES cp1251;\n${TABLE}INSERT INTO links VALUES ('`),
    Buffer.from([0xec, 0xe8, 0xf0]),
    Buffer.from("',NULL);"),
  ]);
  assert.is((await rowsOf(folder, kyrillic))[0]?.code, 'мир');
  const [row] = await rowsOf(folder, Buffer.from(dump('utf8'), 'latin1'));
  assert.throws(() => text(row?.code), /not UTF-8/);
});

test('what is cut off, foreign, or of two databases is an error that says so', async ({ folder }) => {
  const whole = `-- MySQL dump 10.13\n${TABLE}INSERT INTO links VALUES ('a',NULL);\n-- Dump completed on 2024-05-06\n`;
  assert.is((await rowsOf(folder, whole)).length, 1);
  const refusals: [string | Buffer, RegExp][] = [
    [`${TABLE}INSERT INTO links VALUES ('a',NULL),('b','`, /cut off/],
    [`${TABLE}INSERT INTO links VALUES ('a',NULL)`, /cut off/],
    [`${TABLE}/*!40000 ALTER TABLE`, /cut off/],
    [whole.slice(0, whole.indexOf('-- Dump completed')), /cut off/],
    [
      '-- PostgreSQL database dump\nCREATE TABLE links (code text);\nCOPY links (code) FROM stdin;\na\n',
      /cut off/,
    ],
    [`${TABLE}${TABLE}`, /twice/],
    [Buffer.concat([Buffer.from('PGDMP'), Buffer.alloc(100)]), /custom format/],
    [gzipSync(Buffer.from('SQLite format 3\0')), /unpack/],
    [gzipSync(whole).subarray(0, 60), /cannot be read/],
    [`${TABLE}INSERT INTO links SELECT * FROM other;`, /cannot be read/],
    [`${TABLE}INSERT INTO links VALUES ('a');`, /1 values for 2 columns/],
  ];
  for (const [dump, reason] of refusals) {
    const error = await rowsOf(folder, dump).then(
      () => null,
      (thrown: Error) => thrown,
    );
    assert.match(error?.message ?? 'nothing', reason, dump.toString().slice(-80));
  }
});

test('what is no dump has no tables', async ({ folder }) => {
  for (const dump of ['{"no": "dump"}', '', 'SELECT 1;']) {
    const path = join(folder, `${++files}.sql`);
    await writeFile(path, dump);
    assert.is((await (await openDump(path)).schema()).size, 0);
  }
});

test('the schema: types, defaults and what columns refer to', async ({ folder }) => {
  const path = join(folder, 'schema.sql');
  await writeFile(
    path,
    `CREATE TABLE \`a\` (\`id\` int(10) unsigned NOT NULL AUTO_INCREMENT, \`open\` tinyint(1) NOT NULL DEFAULT '1' COMMENT 'it''s, (x)', \`b_id\` int DEFAULT NULL, CONSTRAINT \`f\` FOREIGN KEY (\`b_id\`) REFERENCES \`b\` (\`id\`) ON DELETE CASCADE);
     CREATE TABLE public.c (kind character varying(9) DEFAULT 'x'::text, a int REFERENCES public."a"(id));
     ALTER TABLE ONLY public.c ADD CONSTRAINT k FOREIGN KEY (kind) REFERENCES public.b(id);`,
  );
  const schema = await (await openDump(path)).schema();
  assert.equal(schema.get('a'), [
    { name: 'id', type: 'int', default: null, refersTo: null },
    { name: 'open', type: 'tinyint', default: '1', refersTo: null },
    { name: 'b_id', type: 'int', default: null, refersTo: 'b' },
  ]);
  assert.equal(schema.get('c'), [
    { name: 'kind', type: 'character', default: 'x', refersTo: 'b' },
    { name: 'a', type: 'int', default: null, refersTo: 'a' },
  ]);
});

test.run();
