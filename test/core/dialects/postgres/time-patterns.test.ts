import t from 'tap'
import { TIME_PATTERNS } from '../../../../core/dialects/postgres/primitives/time-patterns.ts'
import { render } from '../../../../core/engine/sql/fragment.ts'
import { createPostgresDatabase, runOnServer } from '../../../helpers/databases.ts'
import { requireService } from '../../../helpers/services.ts'

/** A pattern that matched a text which the cast refuses would fail lists, and one that is too narrow would hide what is stored. */

const pattern = (type: 'timestamptz' | 'date'): string => render(TIME_PATTERNS[type], () => '').text

t.test('patterns of times', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const name = new URL(await createPostgresDatabase(t)).pathname.slice(1)
  // As the sessions of a driver.
  await runOnServer(name, `ALTER DATABASE ${name} SET TimeZone = 'UTC'`)
  const misses = async (query: string) => (await runOnServer(name, query)).map((row) => row.v)

  await t.test('match all that the database writes', async (t) => {
    const days = `SELECT to_json(d) #>> '{}' AS v FROM (
        SELECT '4714-11-24 BC'::date + (n::bigint * 5873 % 2147483493)::int AS d FROM generate_series(0, 40000) n
        UNION ALL SELECT unnest('{4714-11-24 BC,4714-12-31 BC,4713-01-01 BC,0001-12-31 BC,0001-01-01,9999-12-31,5874897-12-31,5874896-02-29,5874800-02-29,infinity,-infinity}'::date[])) days`
    t.same(await misses(`SELECT v FROM (${days}) all_days WHERE v !~ ${pattern('date')} LIMIT 5`), [])
    const times = `SELECT to_json(d) #>> '{}' AS v FROM (
        SELECT to_timestamp(-210866803200 + n * 235870013.5) AS d FROM generate_series(0, 40000) n
        UNION ALL SELECT unnest('{4714-11-24 00:00:00+00 BC,4713-01-01 BC,294276-12-31 23:59:59.999999+00,294276-02-29,294272-02-29,290000-02-29,infinity,-infinity}'::timestamptz[])) times`
    t.same(await misses(`SELECT v FROM (${times}) all_times WHERE v !~ ${pattern('timestamptz')} LIMIT 5`), [])
  })

  await t.test('match nothing that the cast refuses', async () => {
    const years = `SELECT y || d || clock || zone || era AS v FROM
        unnest('{0000,0001,0004,0100,0400,1900,2000,2023,2024,4712,4713,4714,4715,9999,10000,290000,293600,294272,294275,294276,294277,300000,5874000,5874800,5874896,5874897,5874898}'::text[]) y,
        unnest('{-01-01,-02-28,-02-29,-02-30,-04-31,-11-23,-11-24,-12-31,-13-01,-00-10}'::text[]) d,
        unnest('{"",T00:00,T23:59:59.999999999," 12:30:00.5",T24:00:00,T12:60}'::text[]) clock,
        unnest('{"",Z,+00,-00:00,+14:59,-14:59:59,+15:00}'::text[]) zone, unnest('{""," BC"}'::text[]) era`
    for (const type of ['timestamptz', 'date'] as const) {
      // Fails if one of the texts cannot be cast.
      await runOnServer(
        name,
        `SELECT count(v::${type}) FROM (${years}) all_texts WHERE CASE WHEN v ~ ${pattern(type)} THEN v::${type} IS NOT NULL END`,
      )
    }
  })
})
