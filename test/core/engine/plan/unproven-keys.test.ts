import t from 'tap'
import { compileSchema } from '../../../../core/compiler/compile.ts'
import { shapeKey, shapeReaders } from '../../../../core/engine/plan/shape-key.ts'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { readCatalogFor } from '../../../helpers/compile-fixture.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { OWNED_KEYS } from '../../../helpers/owned-keys.ts'
import { openWorld } from '../../../helpers/plan-world.ts'

const TABLES = `
CREATE TABLE side (pk INTEGER PRIMARY KEY, v text);
CREATE TABLE main (id text NOT NULL UNIQUE, side int REFERENCES side, label text);
INSERT INTO side VALUES (1, 'x'), (2, 'y');
INSERT INTO main VALUES ('a', 1, 'l'), ('b', NULL, 'l'), ('c', 2, 'm'), ('d', NULL, NULL), ('e', 1, 'l'), ('f', NULL, 'k');
CREATE VIEW v_outer AS SELECT m.id, s.pk AS pk_outer, s.v FROM main m LEFT JOIN side s ON s.pk = m.side;
CREATE VIEW v_owner AS SELECT m.id AS pk_owner, m.id, s.v FROM main m LEFT JOIN side s ON s.pk = m.side;
CREATE VIEW v_fan AS SELECT 'k' || (s.pk % 2) AS id, s.pk % 2 AS pk_fan, m.id AS own, m.label FROM side s JOIN main m ON m.side IS NULL;
CREATE TABLE line (order_no int NOT NULL, line_no int NOT NULL, sku text NOT NULL, PRIMARY KEY (order_no, line_no));
INSERT INTO line VALUES (1, 1, 'a'), (1, 2, 'b'), (2, 1, 'c'), (2, 2, 'a'), (3, 1, 'b');
CREATE TABLE gap (pk_gap int UNIQUE, id text NOT NULL UNIQUE);
INSERT INTO gap VALUES (2, 'a'), (NULL, 'b'), (1, 'c'), (NULL, 'd');
CREATE TABLE twin (pk_twin int NOT NULL, id text NOT NULL UNIQUE);
INSERT INTO twin VALUES (1, 'a'), (1, 'b'), (2, 'c'), (1, 'd');
CREATE VIEW v_declared AS SELECT order_no || '-' || line_no AS id, order_no, line_no, sku FROM line;
`
const id = { name: 'id', type: 'ID!' }
const v = { name: 'v', type: 'String' }
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    { name: 'Outer', sql_source: 'v_outer', relay: true, fields: [id, v] },
    { name: 'Owner', sql_source: 'v_owner', relay: true, fields: [id, v] },
    {
      name: 'Fan',
      sql_source: 'v_fan',
      relay: true,
      fields: [id, { name: 'own', type: 'String' }, { name: 'label', type: 'String' }],
    },
    { name: 'Line', sql_source: 'line', relay: true, fields: [{ ...id, column: 'sku' }] },
    { name: 'Gap', sql_source: 'gap', relay: true, fields: [id] },
    { name: 'Twin', sql_source: 'twin', relay: true, fields: [id] },
    { name: 'Declared', sql_source: 'v_declared', relay: true, key: ['order_no', 'line_no'], fields: [id] },
  ],
  queries: ['Outer', 'Owner', 'Fan', 'Line', 'Gap', 'Twin', 'Declared'].map((name) => ({
    name: name.toLowerCase(),
    type: `[${name}!]!`,
    relay: true,
  })),
}

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openWorld(t, database, SCHEMA, 100)
    const cursorOf = (name: string) => {
      const type = world.model.types.get(name)
      return type?.kind === 'object' ? type.cursor : null
    }

    // proves: type.key
    // proves: warning.unproven-key
    await t.test(
      'a key that nothing proves is warned of, a declared one is believed and has to be there',
      async (t) => {
        const catalog = await readCatalogFor(SCHEMA, world.database)
        const said = (schema: AuthoredSchema) => {
          const { warnings, faults } = compileSchema(schema, { owned: OWNED_KEYS, catalog })
          return [...faults, ...warnings].filter(({ id }) => id === 'unproven-key' || id === 'relay')
        }
        t.strictSame(
          said(SCHEMA).map(({ id, message }) => [id, /"(\w+)"/.exec(message)?.[1]]),
          [['unproven-key', 'Fan']],
        )
        const [type] = SCHEMA.types!.filter(({ name }) => name === 'Fan')
        const keyed = (key: string) => said({ version: '1', types: [{ ...type!, key }] }).map(({ message }) => message)
        t.strictSame(keyed('own'), [])
        t.strictSame(keyed('owm'), ['Type "Fan": key: v_fan has no column "owm". Did you mean "own"?'])
      },
    )

    await t.test('pages are ordered by the keys that the catalog proves', async (t) => {
      const [outer, owner, fan, line, declared] = ['Outer', 'Owner', 'Fan', 'Line', 'Declared'].map(cursorOf)
      t.match(outer, { column: 'pk_outer', by: ['pk_outer', /^id$/], digest: false })
      t.match(owner, { column: 'pk_owner', tie: null, by: null, digest: false }, 'a join to one row keeps a key')
      t.match(fan, { by: ['pk_fan', /^id$/], digest: true })
      t.match(cursorOf('Gap'), { by: ['pk_gap', /^id$/], digest: false }, 'unique, and not in every row')
      t.match(cursorOf('Twin'), { column: 'pk_twin', tie: /^id$/, by: null }, 'in every row, and not unique')
      t.match(line, { by: ['order_no', 'line_no'], digest: false }, 'the primary key, where there is no pk_line')
      t.match(declared, { by: ['order_no', 'line_no'], digest: false })
    })

    const walk = async (root: string, fields: string, order: string, back: boolean, size: number) => {
      const [count, at] = back ? ['last', 'before'] : ['first', 'after']
      const found: unknown[] = []
      let cursor: string | null = null
      for (let turn = 0; turn < 20; turn++) {
        const { page } = await world.run(
          `query($c: String) { page: ${root}(${count}: ${size}, ${at}: $c${order}) { edges { node { ${fields} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
          { c: cursor },
        )
        const rows = page.edges.map(({ node }: { node: unknown }) => node)
        found.splice(back ? 0 : found.length, 0, ...rows)
        if (!(back ? page.pageInfo.hasPreviousPage : page.pageInfo.hasNextPage)) break
        cursor = back ? page.pageInfo.startCursor : page.pageInfo.endCursor
      }
      return found
    }

    await t.test('pages hold every row once, whichever way and size', async (t) => {
      for (const [root, fields, count, orders] of [
        ['outer', 'id', 6, ['', ', orderBy: [{ v: ASC }]', ', orderBy: [{ v: DESC }]']],
        ['owner', 'id', 6, ['', ', orderBy: [{ v: ASC_NULLS_FIRST }]']],
        ['fan', 'id own', 6, ['', ', orderBy: [{ label: ASC }]', ', orderBy: [{ label: DESC_NULLS_LAST }]']],
        ['line', 'id', 5, ['']],
        ['gap', 'id', 4, ['', ', orderBy: [{ id: DESC }]']],
        ['twin', 'id', 4, ['', ', orderBy: [{ id: DESC }]']],
        ['declared', 'id', 5, ['', ', orderBy: [{ id: DESC }]']],
      ] as const) {
        for (const order of orders) {
          const whole = await walk(root, fields, order, false, 50)
          t.equal(whole.length, count, `${root}${order}`)
          for (const back of [false, true])
            for (const size of [1, 2, 4])
              t.strictSame(await walk(root, fields, order, back, size), whole, `${root}${order} ${back} ${size}`)
        }
      }
    })

    await t.test('a cursor with a null and one without have plans of their own, also without an order', async (t) => {
      const { template } = world.operation('query($c: String) { gap(first: 1, after: $c) { edges { cursor } } }', {})
      const readers = shapeReaders(template)
      const { gap } = await world.run('{ gap(first: 4) { edges { cursor } } }')
      const [first, last] = [gap.edges[0].cursor, gap.edges[3].cursor].map((c) => shapeKey(readers, { c }))
      t.not(first, last)
      t.equal(first, shapeKey(readers, { c: gap.edges[1].cursor }))
    })

    await t.test('a digest that no row has is refused before the database sees it', async (t) => {
      const { fan } = await world.run('{ fan(first: 1) { edges { cursor } } }')
      const parts = JSON.parse(Buffer.from(fan.edges[0].cursor, 'base64').toString())
      for (const digest of ['x', null, `${parts.at(-1)}0`, 'Z'.repeat(32)]) {
        const c = Buffer.from(JSON.stringify([...parts.slice(0, -1), digest])).toString('base64')
        await t.rejects(world.run('query($c: String) { fan(first: 1, after: $c) { edges { cursor } } }', { c }), {
          code: 'BAD_USER_INPUT',
        })
      }
    })
  },
  { sql: TABLES, sqlite: { sql: TABLES } },
)
