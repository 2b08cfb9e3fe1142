import fc from 'fast-check'
import t from 'tap'
import { parseDuration } from '../../core/schema/semantic/duration.ts'
import { eachDatabase } from '../helpers/databases.ts'
import { openApp } from '../helpers/open-app.ts'
import { tableSchema } from '../schemas/table-schema.ts'

/** Values at the ends of their types: as they are stored, as a client sends them, and on the way from one page to the next. */
t.setTimeout(180_000)

const SQL = `
CREATE TABLE tb_edge (pk_edge bigint PRIMARY KEY, id uuid NOT NULL UNIQUE, narrow real, hour time, extra jsonb, days daterange, length interval);
INSERT INTO tb_edge VALUES
  (1, '00000000-0000-0000-0000-000000000001', 1.1, '24:00', '{"a": "\\\\u0000"}', 'empty', '-1 mon'),
  (2, '00000000-0000-0000-0000-000000000002', -3e38, '00:00', '{}', '[2026-01-01,)', 'PT90M'),
  (3, '00000000-0000-0000-0000-000000000003', 1e-45, '23:59:59.999999', NULL, '(,)', '1 mon -1 day'),
  (4, '00000000-0000-0000-0000-000000000004', NULL, NULL, '[1]', NULL, NULL);
CREATE VIEW v_edge AS SELECT * FROM tb_edge;
`

const SCHEMA = tableSchema(
  {
    name: 'Edge',
    sql_source: 'v_edge',
    relay: true,
    list: 'edges',
    fields: { id: 'ID!', narrow: 'Float', hour: 'Time', extra: 'JSON', days: 'DateRange', length: 'Duration' },
  },
  { queries: [{ name: 'edge_pages', type: '[Edge!]!', relay: true }] },
)

await eachDatabase(
  t,
  async (t, database) => {
    const app = await openApp(t, database, SCHEMA)
    const found = async (where: object): Promise<readonly number[] | string> => {
      const { data, errors } = await app.graphql('query ($w: EdgeWhereInput) { edges(where: $w) { id } }', { w: where })
      if (errors === undefined) return data.edges.map(({ id }: { id: string }) => Number(id.slice(-1)))
      return `${errors[0]?.extensions.code}: ${errors[0]?.message}`
    }

    await t.test('a number that the column cannot come near to is refused before the database sees it', async (t) => {
      t.strictSame(await found({ narrow: { _eq: 1.1 } }), [1], 'compared as the column holds it')
      t.strictSame(await found({ narrow: { _lt: 3.4e38, _neq: 1e-45 } }), [1, 2])
      for (const value of [1e300, -1e39, 1e-300]) {
        t.match(await found({ narrow: { _lt: value } }), /^BAD_USER_INPUT: .*where\.narrow\._lt.* is out of range/)
      }
    })

    await t.test('JSON that cannot be stored is refused, a text that only looks like it is not', async (t) => {
      t.strictSame(await found({ extra: { _contains: { a: '\\u0000' } } }), [1])
      for (const value of ['\u0000', ['\ud800'], { '\udfff': 1 }]) {
        t.match(await found({ extra: { _contains: value } }), /^BAD_USER_INPUT: .*JSON cannot hold/)
      }
    })

    await t.test('ranges and lengths of time are taken as they are given out', async (t) => {
      const { data } = await app.graphql('{ edges { days length } }')
      t.strictSame(
        data.edges.map(({ days, length }: Record<string, string>) => [days, length]),
        [
          ['empty', 'P-1M'],
          ['[2026-01-01,)', 'PT1H30M'],
          ['(,)', 'P1M-1D'],
          [null, null],
        ],
      )
      for (const [index, { days, length }] of data.edges.slice(0, 3).entries()) {
        t.strictSame(await found({ days: { _eq: days }, length: { _eq: length } }), [index + 1])
      }
      t.strictSame(await found({ days: { _contains_range: 'empty' } }), [1, 2, 3])
      t.match(
        await found({ length: { _within_range: { min: 'P178956970Y8M' } } }),
        /^BAD_USER_INPUT: .*Duration must be/,
      )
    })

    await t.test('each length of time that is taken can be read', async (t) => {
      const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -999_999_999, max: 999_999_999 }))
      const iso = fc
        .tuple(
          fc.subarray(['Y', 'M', 'D', 'W']),
          fc.subarray(['H', 'M', 'S']),
          fc.array(number, { minLength: 7, maxLength: 7 }),
        )
        .map(([days, times, n]) => {
          const time = times.map((unit, index) => `${n[index]}${unit}`).join('')
          return `P${days.map((unit, index) => `${n[index + 3]}${unit}`).join('')}${time === '' ? '' : `T${time}`}`
        })
      const unit = fc.constantFrom(
        'year',
        'years',
        'mon',
        'months',
        'week',
        'days',
        'hour',
        'hours',
        'mins',
        'minute',
        'secs',
        '',
      )
      const words = fc
        .tuple(
          fc.array(fc.tuple(number, unit), { maxLength: 4 }),
          fc.constantFrom('', '02:30', '-100:00:01.5', '999999999:59:59'),
        )
        .map(([parts, clock]) => [...parts.map(([n, name]) => `${n} ${name}`), clock].join(' ').trim())
      const taken: string[] = []
      for (const text of fc.sample(fc.oneof(iso, words), { numRuns: 4000, seed: 7 })) {
        try {
          taken.push(parseDuration(text))
        } catch {
          // What the scalar refuses, the database is not asked about.
        }
      }
      t.ok(taken.length > 500, `${taken.length} of 4000`)
      const list = `{${taken.map((text) => `"${text}"`).join(',')}}`
      const { rows } = await app.database.query(
        { name: null, text: 'SELECT count(v::interval) FROM unnest($1::text[]) v' },
        [list],
        null,
      )
      t.equal(Number(rows[0]?.[0]), taken.length)
    })

    await t.test('pages in the order of a time that is the end of the day', async (t) => {
      const walk = async (direction: string, forward: boolean) => {
        const seen: number[] = []
        let cursor: string | null = null
        do {
          const page = forward ? 'first: 1, after: $c' : 'last: 1, before: $c'
          const { data, errors } = await app.graphql(
            `query ($c: String) { edgePages(${page}, orderBy: { hour: ${direction} }) {
              edges { node { id } } pageInfo { hasNextPage hasPreviousPage startCursor } } }`,
            { c: cursor },
          )
          if (errors !== undefined) throw new Error(errors[0]?.message)
          const { edges, pageInfo } = data.edgePages
          seen[forward ? 'push' : 'unshift'](Number(edges[0].node.id.slice(-1)))
          cursor = pageInfo[forward ? 'hasNextPage' : 'hasPreviousPage'] ? pageInfo.startCursor : null
        } while (cursor !== null)
        return seen
      }
      t.strictSame(await walk('ASC', true), [2, 3, 1, 4])
      t.strictSame(await walk('ASC', false), [2, 3, 1, 4])
      t.strictSame(await walk('DESC_NULLS_LAST', true), [1, 3, 2, 4])
      t.strictSame(await walk('DESC_NULLS_LAST', false), [1, 3, 2, 4])
    })
  },
  { pglite: 'always', sql: SQL },
)
