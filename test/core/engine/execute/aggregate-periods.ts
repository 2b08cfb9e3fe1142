import type { AuthoredSchema } from '../../../../core/doors/command.ts'
import type { ExecuteWorld } from '../../../helpers/execute-world.ts'
import type { TestLike } from '../../../helpers/services.ts'

/** Days and points in time at the ends of their periods; the column that is no zoned time is UTC. */
export const VISITS = `
CREATE TABLE tb_visit (id INTEGER PRIMARY KEY, seen_on DATE, seen_at TIMESTAMP, seen_day TEXT);
INSERT INTO tb_visit VALUES
  (1, '2023-12-31', '2023-12-31 23:59:59.999999', 'x'), (2, '2024-01-01', '2024-01-01 00:00:00', 'x'),
  (3, '2024-02-29', '2024-02-29 12:30:00.5', 'y'), (4, '2024-03-31', '2024-03-31 01:30:00', 'y'),
  (5, '2024-04-01', '2024-03-31 02:30:00', 'y'), (6, NULL, NULL, 'z'), (7, '0001-01-01', '1969-12-31 23:00:00', 'z');
`
export const VISIT: NonNullable<AuthoredSchema['types']>[number] = {
  name: 'Visit',
  sql_source: 'tb_visit',
  aggregate: true,
  fields: [
    { name: 'id', type: 'ID!' },
    { name: 'seen_on', type: 'Date' },
    { name: 'seen_at', type: 'DateTime' },
    // Its name is that of a period of another.
    { name: 'seen_at_day', type: 'String', column: 'seen_day' },
  ],
}

export async function periods(t: TestLike, world: ExecuteWorld): Promise<void> {
  const countsOf = async (key: string): Promise<unknown> => {
    const { data, errors } = await world.run(`{ visitsGroups(groupBy: [${key}]) { keys { ${key} } count } }`)
    t.strictSame(errors, [], key)
    return data.visitsGroups.map(({ keys, count }: { keys: Record<string, unknown>; count: number }) => [
      keys[key],
      count,
    ])
  }

  await t.test('groups by the periods that days and times fall into', async (t) => {
    const days: Readonly<Record<string, unknown>> = {
      seenOnYear: [
        ['0001-01-01', 1],
        ['2023-01-01', 1],
        ['2024-01-01', 4],
        [null, 1],
      ],
      seenOnQuarter: [
        ['0001-01-01', 1],
        ['2023-10-01', 1],
        ['2024-01-01', 3],
        ['2024-04-01', 1],
        [null, 1],
      ],
      seenOnMonth: [
        ['0001-01-01', 1],
        ['2023-12-01', 1],
        ['2024-01-01', 1],
        ['2024-02-01', 1],
        ['2024-03-01', 1],
        ['2024-04-01', 1],
        [null, 1],
      ],
      // The first of January of 2024 and of the year 1 are Mondays.
      seenOnWeek: [
        ['0001-01-01', 1],
        ['2023-12-25', 1],
        ['2024-01-01', 1],
        ['2024-02-26', 1],
        ['2024-03-25', 1],
        ['2024-04-01', 1],
        [null, 1],
      ],
      seenAtYear: [
        ['1969-01-01', 1],
        ['2023-01-01', 1],
        ['2024-01-01', 4],
        [null, 1],
      ],
      seenAtWeek: [
        ['1969-12-29', 1],
        ['2023-12-25', 1],
        ['2024-01-01', 1],
        ['2024-02-26', 1],
        ['2024-03-25', 2],
        [null, 1],
      ],
      seenAtHour: [
        ['1969-12-31T23:00:00+00:00', 1],
        ['2023-12-31T23:00:00+00:00', 1],
        ['2024-01-01T00:00:00+00:00', 1],
        ['2024-02-29T12:00:00+00:00', 1],
        ['2024-03-31T01:00:00+00:00', 1],
        ['2024-03-31T02:00:00+00:00', 1],
        [null, 1],
      ],
      // The field of that name, which no period takes.
      seenAtDay: [
        ['x', 2],
        ['y', 3],
        ['z', 2],
      ],
    }
    for (const [key, wanted] of Object.entries(days)) t.strictSame(await countsOf(key), wanted, key)
  })

  await t.test('periods beside values and each other, ordered, paged, as variables', async (t) => {
    const { data, errors } = await world.run(
      `query ($by: [VisitGroupBy!]! = [seenAtMonth]) {
        visitsGroups(groupBy: [seenAtMonth, seenAtDay, seenAtYear], orderBy: [{ keys: { seenAtMonth: DESC_NULLS_LAST } }], limit: 2) {
          keys { m: seenAtMonth seenAtYear seenAtDay } min { seenAt }
        }
        given: visitsGroups(groupBy: $by, having: { count: { _gt: 1 } }) { count max { seenAt } }
      }`,
      { by: ['seenAtQuarter'] },
    )
    t.strictSame(errors, [])
    t.strictSame(data, {
      visitsGroups: [
        {
          keys: { m: '2024-03-01', seenAtYear: '2024-01-01', seenAtDay: 'y' },
          min: { seenAt: '2024-03-31T01:30:00+00:00' },
        },
        {
          keys: { m: '2024-02-01', seenAtYear: '2024-01-01', seenAtDay: 'y' },
          min: { seenAt: '2024-02-29T12:30:00.5+00:00' },
        },
      ],
      given: [{ count: 4, max: { seenAt: '2024-03-31T02:30:00+00:00' } }],
    })
    const other = await world.run('{ visitsGroups(groupBy: [seenAtMonth]) { keys { seenAt } } }')
    t.match(other.errors, [{ message: /"seenAt" is not one of the fields of groupBy/ }])
    t.throws(() => world.operation('{ visitsGroups(groupBy: [seenOnHour]) { count } }'), /"seenOnHour" does not exist/)
  })

  await t.test('numbers about the rows of an interface', async (t) => {
    const { data, errors } = await world.run(`{
      thingsAggregate { count countDistinct { name } }
      thingsGroups(groupBy: [name], orderBy: [{ count: DESC }], limit: 1) { __typename count }
      few: thingsAggregate(where: { name: { _startswith: "Shelf" } }) { __typename count min { name } }
      things { id name }
    }`)
    t.strictSame(errors, [])
    const names: readonly string[] = data.things.map(({ name }: { name: string }) => name)
    const shelves = names.filter((name) => name.startsWith('Shelf'))
    t.strictSame(data.thingsAggregate, { count: names.length, countDistinct: { name: new Set(names).size } })
    t.match(data.thingsGroups, [{ __typename: 'ThingGroup', count: 1 }])
    t.strictSame(data.few, {
      __typename: 'ThingAggregate',
      count: shelves.length,
      min: { name: [...shelves].sort()[0] },
    })
  })
}
