import t from 'tap'
import { createMariaDb } from '../../helpers/databases.ts'
import { openExecuteWorld } from '../../helpers/execute-world.ts'
import { requireService } from '../../helpers/services.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

/** MariaDB has days without a month, times beyond a day, and numbers in the place of booleans. UUIDs are texts. */

const SQL = `
SET SESSION sql_mode = '';
CREATE TABLE event (id INT PRIMARY KEY, at DATETIME, day DATE, clock TIME, code CHAR(36), done TINYINT(1));
INSERT INTO event VALUES
  (1, '2024-01-02 03:04:05', '2024-01-02', '08:30', 'A0000000-0000-4000-8000-000000000001', 1),
  (2, '0000-00-00', '0000-00-00', '25:00', 'none', 2),
  (3, '2024-00-01', '2024-01-00', '-01:00', '', -1);
`
const NAMES = { at: 'DateTime', day: 'Date', clock: 'Time', code: 'UUID', done: 'Boolean' } as const
const SCHEMA = tableSchema({
  name: 'Event',
  sql_source: 'event',
  list: 'events',
  aggregate: true,
  fields: { id: 'Int!', ...NAMES },
})

t.test('values of MariaDB that a field does not show', async (t) => {
  if (!(await requireService(t, 'mariadb'))) return
  const { run } = await openExecuteWorld(t, await createMariaDb(t, { sql: SQL }), SCHEMA)
  const names = Object.keys(NAMES)
  const { data, errors } = await run(`{ events(orderBy: [{ id: ASC }]) { id ${names.join(' ')} } }`)
  const nothing = Object.fromEntries(names.map((name) => [name, null]))
  t.same(data.events, [
    {
      id: 1,
      at: '2024-01-02T03:04:05+00:00',
      day: '2024-01-02',
      clock: '08:30:00',
      code: 'a0000000-0000-4000-8000-000000000001',
      done: true,
    },
    { id: 2, ...nothing },
    { id: 3, ...nothing },
  ])
  t.same(
    errors.map(({ path, message }) => `${path?.join('.')} ${message}`),
    [1, 2].flatMap((row) =>
      names.map((name) => `events.${row}.${name} What is stored for Event.${name} is not a value of its type.`),
    ),
  )
  for (const name of names) {
    const value = JSON.stringify(data.events[0][name])
    const found = await run(`{ events(where: { ${name}: { _eq: ${value} } }) { id } }`)
    t.same(found, { ...found, data: { events: [{ id: 1 }] }, errors: [] }, name)
  }
})
