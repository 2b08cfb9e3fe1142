import t from 'tap'
import { compileSchema } from '../../../core/compiler/compile.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { jsonExpressions } from '../../../plugins/sqlite/read-relations.ts'
import { readCatalogFor } from '../../helpers/compile-fixture.ts'
import { createSqlite } from '../../helpers/databases.ts'
import { openApp } from '../../helpers/open-app.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'
import { extendSchema } from '../../schemas/extend-schema.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

/** Documents that a view makes, and times that stand in texts, as authors of SQLite write them. */

const SQL = `
CREATE TABLE event (id INTEGER PRIMARY KEY, title TEXT NOT NULL, at_text TEXT, day_text TEXT, clock_text VARCHAR(20), at_declared DATETIME, at_stamp TIMESTAMP, day_declared DATE);
INSERT INTO event VALUES
  (1, 'a', '2024-01-02 03:04:05', '2024-01-02', '08:30', '2024-01-02 03:04:05', '2024-01-02T03:04:05Z', '2024-01-02'),
  (2, 'b', '2024-01-02T00:30:00-05:00', '2023-12-31', '23:59:59', '2024-01-02T00:30:00-05:00', '2024-01-02T00:30:00-05:00', '2023-12-31'),
  (3, 'c', NULL, NULL, NULL, NULL, NULL, NULL),
  (4, 'd', '2024-01-01', '2024-03-01', '00:00', '2024-01-01', '2024-01-01', '2024-03-01');
CREATE VIEW v_event AS SELECT id, title, at_text, day_text, clock_text, at_declared, at_stamp, day_declared FROM event;
CREATE VIEW v_document AS SELECT e.id, json_object('title', e.title, 'at_text', e.at_text, 'day_text', e.day_text, 'clock_text', e.clock_text,
  'at_declared', e.at_declared, 'at_stamp', e.at_stamp, 'day_declared', e.day_declared,
  'others', (SELECT json_group_array(json_object('title', o.title)) FROM event o WHERE o.id < e.id)) AS data FROM event e;
CREATE VIEW v_outer AS SELECT id, data FROM v_document WHERE id > 0;
CREATE VIEW v_text AS SELECT id, upper(title) AS data FROM event;
`
const TIMES = {
  at_text: 'DateTime',
  day_text: 'Date',
  clock_text: 'Time',
  at_declared: 'DateTime',
  at_stamp: 'DateTime',
  day_declared: 'Date',
} as const

const schemaOf = (source: string, more: Readonly<Record<string, string>> = {}) =>
  extendSchema(
    tableSchema({ name: 'Other', embedded: true, fields: { title: 'String' } }),
    tableSchema(
      { name: 'Event', sql_source: source, fields: { id: 'ID!', title: 'String!', ...TIMES, ...more } },
      {
        queries: [
          {
            name: 'events',
            type: '[Event!]!',
            sql_source: source,
            arguments: source === 'v_event' ? [{ name: 'at_text', type: 'DateTime' }] : [],
          },
        ],
      },
    ),
  )

const MOMENTS = ['2024-01-02T03:04:05+00:00', '2024-01-02T05:30:00+00:00', null, '2024-01-01T00:00:00+00:00']
const DAYS = ['2024-01-02', '2023-12-31', null, '2024-03-01']

for (const source of ['v_event', 'v_document', 'v_outer']) {
  t.test(`${source}: times are read, compared and sorted as such`, async (t) => {
    const more = source === 'v_event' ? {} : { others: '[Other!]' }
    const app = await openApp(t, await createSqlite(t, { sql: SQL }), schemaOf(source, more))
    const ask = async (args: string, fields: string) => {
      const { data, errors } = await app.graphql(`{ events(${args}) { ${fields} } }`)
      t.equal(errors, undefined, args)
      return data.events as readonly Readonly<Record<string, unknown>>[]
    }
    const rows = await ask('orderBy: [{ id: ASC }]', 'atText dayText clockText atDeclared atStamp dayDeclared')
    const column = (name: string) => rows.map((row) => row[name])
    for (const name of ['atText', 'atDeclared', 'atStamp']) t.same(column(name), MOMENTS, name)
    for (const name of ['dayText', 'dayDeclared']) t.same(column(name), DAYS, name)
    const ids = async (args: string) => (await ask(args, 'id')).map(({ id }) => id).join('')
    for (const name of ['atText', 'atDeclared', 'atStamp']) {
      t.equal(await ids(`where: { ${name}: { _gt: "2024-01-02T04:00:00+01:00" } }, orderBy: [{ id: ASC }]`), '12', name)
      t.equal(
        await ids(`where: { ${name}: { _eq: "2024-01-02T00:30:00-05:00" } }`),
        '2',
        `${name}, by its point in time`,
      )
      t.equal(await ids(`orderBy: [{ ${name}: ASC }]`), '4123', `${name}, sorted`)
    }
    for (const name of ['dayText', 'dayDeclared']) {
      t.equal(await ids(`where: { ${name}: { _lt: "2024-01-02" } }`), '2', name)
      t.equal(await ids(`orderBy: [{ ${name}: DESC_NULLS_LAST }]`), '4123', `${name}, sorted`)
    }
    t.equal(await ids('where: { clockText: { _gte: "08:30:00" } }, orderBy: [{ id: ASC }]'), '12')
    if (source === 'v_event') {
      t.same(column('clockText'), ['08:30:00', '23:59:59', null, '00:00:00'])
      t.equal(await ids('atText: "2024-01-01T00:00:00Z"'), '4', 'by an argument')
      return
    }
    const [, second] = await ask('orderBy: [{ id: ASC }]', 'title others { title }')
    t.same(second, { title: 'b', others: [{ title: 'a' }] }, 'objects in the document')
    t.equal(await ids('where: { others: { some: { title: { _eq: "c" } } } }'), '4')
  })
}

t.test('an invalid document or time is refused', async (t) => {
  const database = await openTestDatabase(t, await createSqlite(t, { sql: SQL }))
  const faults = async (schema: AuthoredSchema) =>
    compileSchema(schema, { owned: OWNED_KEYS, catalog: await readCatalogFor(schema, database) }).faults.map(
      ({ id }) => id,
    )
  t.ok((await faults(schemaOf('v_text'))).includes('unknown-column'))
  t.strictSame(await faults(schemaOf('v_event', { title: 'Int' })), ['column-type'], 'a text is no number')
  t.strictSame(await faults(schemaOf('v_event', { title: '[DateTime!]' })), ['column-type'])
})

t.test('which columns of a view are JSON', async (t) => {
  const found = (select: string) => jsonExpressions(`CREATE VIEW "v, select" AS ${select}`)
  t.strictSame(found("SELECT id, json_object('a,b', (1)) AS data FROM x"), [false, true])
  t.strictSame(found('SELECT JSON(a) d, json_array(1, f(2, 3)), (SELECT json_object() FROM y), b FROM x'), [
    true,
    true,
    false,
    false,
  ])
  t.strictSame(found("SELECT json_group_array(a) 'all', count(*) AS n FROM x GROUP BY b"), [true, false])
  t.strictSame(
    found("SELECT json_object('a', 1) ->> 'a', json_object() || 'x', json_extract(a, '$'), json_valid(a) FROM x"),
    [false, false, false, false],
  )
  t.strictSame(found('SELECT *, json_object() AS data FROM x'), [], 'positions are not known')
  t.strictSame(found("SELECT json_object() UNION SELECT 'x'"), [])
  t.strictSame(found('SELECT /* , */ 1, json_object() -- FROM\n FROM x'), [false, true])
  t.strictSame(found('SELECT json_object() AS data'), [true], 'without FROM')
})
