import t from 'tap'
import { createSqlite } from '../../helpers/databases.ts'
import { openExecuteWorld } from '../../helpers/execute-world.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

/**
 * A column of SQLite holds any value, whatever its type. What is no value of its field is null and an error at its place, counts as a
 * null in conditions and orders, and fails no list.
 */

const SQL = `
CREATE TABLE event (id INTEGER PRIMARY KEY, at TEXT, day TEXT, clock VARCHAR(20), stamp DATETIME, born DATE, price DECIMAL TEXT, size INTEGER);
INSERT INTO event VALUES
  (1, '2024-01-02 03:04:05', '2024-01-02', '08:30', '2024-01-02 03:04:05', '2024-01-02', '1.50', 5),
  (2, 'soon', 'someday', 'noon', 'soon', 'never', 'free', 'wide'),
  (3, 20240101, 1.5, x'00', 1704067200, '2023-02-29', '', 1.5),
  (4, '"quoted\\', '', '25:00', '', 'x', '1,5', '');
CREATE VIEW v_event AS SELECT id, at, day, clock, stamp, born, price, size FROM event;
`
const NAMES = { at: 'DateTime', day: 'Date', clock: 'Time', stamp: 'DateTime', born: 'Date', price: 'Decimal' } as const
const SCHEMA = tableSchema(
  {
    name: 'Event',
    sql_source: 'v_event',
    list: 'events',
    aggregate: true,
    fields: { id: 'Int!', ...NAMES, size: 'Int' },
  },
  {
    mutations: [
      {
        name: 'touch',
        type: 'Event',
        sql_source: 'fn_touch',
        operation: 'CUSTOM',
        arguments: [{ name: 'id', type: 'Int!' }],
      },
    ],
  },
)

t.test('columns of SQLite', async (t) => {
  const { run } = await openExecuteWorld(
    t,
    await createSqlite(t, { sql: SQL, scripts: { fn_touch: '-- :id int\nSELECT * FROM v_event WHERE id = :id;' } }),
    SCHEMA,
  )
  const names = Object.keys(NAMES)
  const ids = async (args: string): Promise<readonly number[]> => {
    const { data, errors } = await run(`{ events(${args}) { id } }`)
    t.same(errors, [], args)
    return data.events.map(({ id }: { readonly id: number }) => id)
  }

  await t.test('are read', async (t) => {
    const { data, errors } = await run(`{ events(orderBy: [{ id: ASC }]) { id ${names.join(' ')} } }`)
    t.same(data.events[0], {
      id: 1,
      at: '2024-01-02T03:04:05+00:00',
      day: '2024-01-02',
      clock: '08:30:00',
      stamp: '2024-01-02T03:04:05+00:00',
      born: '2024-01-02',
      price: '1.50',
    })
    const nothing = Object.fromEntries(names.map((name) => [name, null]))
    t.same(
      data.events.slice(1),
      [2, 3, 4].map((id) => ({ id, ...nothing })),
    )
    t.same(
      errors.map(({ path, message }) => `${path?.join('.')} ${message}`),
      [1, 2, 3].flatMap((row) =>
        names.map((name) => `events.${row}.${name} What is stored for Event.${name} is not a value of its type.`),
      ),
    )
    t.equal((errors[0]!.cause as Error).message, 'Event.at holds "?soon"')
  })

  for (const name of names) {
    await t.test(`conditions on ${name}`, async (t) => {
      const [one] = (await run(`{ events(where: { id: { _eq: 1 } }) { ${name} } }`)).data.events
      const value = JSON.stringify(one[name])
      t.same(await ids(`where: { ${name}: { _eq: ${value} } }`), [1])
      t.same(await ids(`where: { ${name}: { _gte: ${value} } }`), [1])
      t.same(await ids(`where: { ${name}: { _neq: ${value} } }`), [])
      t.same(await ids(`where: { _not: { ${name}: { _eq: ${value} } } }`), [])
      t.same(await ids(`where: { ${name}: { _is_null: true } }, orderBy: [{ id: ASC }]`), [2, 3, 4])
      t.same(await ids(`orderBy: [{ ${name}: ASC_NULLS_LAST }, { id: ASC }]`), [1, 2, 3, 4])
      t.same(await ids(`orderBy: [{ ${name}: DESC_NULLS_LAST }, { id: ASC }]`), [1, 2, 3, 4])
    })
  }

  await t.test('are counted, added and grouped', async (t) => {
    const { data, errors } = await run(`{
      eventsAggregate { count countDistinct { at price size } sum { price size } avg { size } min { at day clock price } max { stamp born } }
      eventsGroups(groupBy: [at], orderBy: [{ keys: { at: ASC_NULLS_LAST } }]) { keys { at } count } }`)
    t.same(errors, [])
    t.same(data, {
      eventsAggregate: {
        count: 4,
        countDistinct: { at: 1, price: 1, size: 1 },
        sum: { price: '1.50', size: '5' },
        avg: { size: '5' },
        min: { at: '2024-01-02T03:04:05+00:00', day: '2024-01-02', clock: '08:30:00', price: '1.50' },
        max: { stamp: '2024-01-02T03:04:05+00:00', born: '2024-01-02' },
      },
      eventsGroups: [
        { keys: { at: '2024-01-02T03:04:05+00:00' }, count: 1 },
        { keys: { at: null }, count: 3 },
      ],
    })
  })

  await t.test('are in the answer of a mutation', async (t) => {
    const { data, errors } = await run('mutation { touch(id: 2) { id at day price } }')
    t.same(data, { touch: { id: 2, at: null, day: null, price: null } })
    t.same(
      errors.map(({ path }) => path),
      [
        ['touch', 'at'],
        ['touch', 'day'],
        ['touch', 'price'],
      ],
    )
  })
})
