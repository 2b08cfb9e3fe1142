import t from 'tap'
import { createPostgresDatabase, openDatabase } from '../../helpers/databases.ts'
import { requireService, type TestLike } from '../../helpers/services.ts'

/** Each would change a text. What an administrator has set for the database changes no text that svc reads or writes. */
const SETTINGS = {
  timezone: '<-0530>+05:30',
  datestyle: 'SQL, DMY',
  intervalstyle: 'postgres_verbose',
  extra_float_digits: '-5',
  bytea_output: 'escape',
  array_nulls: 'off',
}

const READ = {
  name: 'read',
  text: `SELECT (0.1::float8 + 0.2::float8)::text, 1.1::float4::text, to_jsonb(0.1::float8 + 0.2::float8)::text,
    '\\x005cff'::bytea::text, '1 day 02:03:04'::interval::text, '2026-03-08T02:30:00Z'::timestamptz::text, to_jsonb('2026-03-08T02:30:00Z'::timestamptz)::text,
    '2026-02-01'::date::text, ($1::text[])[2] IS NULL`,
  readOnly: true,
}

const read = async (t: TestLike, settings: Record<string, string>) => {
  const url = await createPostgresDatabase(t, { world: { settings } })
  const database = await openDatabase(t, url)
  return (await database.query(READ, ['{a,NULL}'], null)).rows
}

t.test('settings of the database', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  t.strictSame(await read(t, SETTINGS), [
    [
      '0.30000000000000004',
      '1.1',
      '0.30000000000000004',
      '\\x005cff',
      'P1DT2H3M4S',
      '2026-03-08 02:30:00+00',
      '"2026-03-08T02:30:00+00:00"',
      '2026-02-01',
      't',
    ],
  ])
})
