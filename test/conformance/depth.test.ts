import t from 'tap'
import { eachDatabase } from '../helpers/databases.ts'
import { openApp } from '../helpers/open-app.ts'
import { tableSchema } from '../schemas/table-schema.ts'

// A deep statement is planned and run several times, on a machine that does other things too.
t.setTimeout(600_000)

/** One row that is its own parent and its own child: selections of any depth have rows. */
const SQL = `
CREATE TABLE tb_node (pk_node int PRIMARY KEY, id text NOT NULL, fk_parent int REFERENCES tb_node (pk_node));
INSERT INTO tb_node VALUES (1, 'root', 1);
CREATE VIEW v_node AS SELECT pk_node, id, fk_parent FROM tb_node;
`
const SCHEMA = tableSchema({
  name: 'Node',
  sql_source: 'v_node',
  list: 'nodes',
  fields: {
    id: 'ID!',
    parent: { type: 'Node', relation: { from: 'fk_parent', to: 'pk_node' } },
    children: { type: '[Node!]!', relation: { from: 'pk_node', to: 'fk_parent' } },
  },
})

/** The fields between the root and the leaf, by turns. */
function select(levels: number, fields: readonly string[]): string {
  const path = Array.from({ length: levels }, (_, i) => fields[i % fields.length])
  return `{ nodes { ${path.map((field) => `${field} {`).join(' ')} id ${'}'.repeat(levels)} } }`
}

/** How deep an answer goes before it says `root`. */
function depthOf(value: unknown): number {
  let depth = 0
  let at = value as Record<string, unknown>
  while (at.id === undefined) {
    const next = Object.values(at)[0]
    at = (Array.isArray(next) ? next[0] : next) as Record<string, unknown>
    depth++
  }
  return at.id === 'root' ? depth : -1
}

t.test('the depth that is documented holds, and one more level is refused', async (t) => {
  await eachDatabase(
    t,
    async (t, database) => {
      const app = await openApp(t, database, SCHEMA)
      for (const fields of [['parent'], ['children'], ['parent', 'children']]) {
        // MariaDB takes 61 levels of subqueries, without regard to the rest of the statement.
        const levels = database.kind === 'mysql' ? 59 : 99
        const { data, errors } = await app.graphql(select(levels, fields))
        t.strictSame([errors, data && depthOf(data)], [undefined, levels + 1], `${fields}: ${levels} levels`)
        if (database.kind === 'mysql') {
          t.match((await app.graphql(select(99, fields))).errors, [{ message: /nested deeper than the database/ }])
        }
        const refused = await app.graphql(select(100, fields))
        t.match(refused.errors, [{ message: 'The operation is nested deeper than 100 levels.' }])
      }
      t.strictSame((await app.graphql('{ nodes { id } }')).data, { nodes: [{ id: 'root' }] }, 'and it serves on')
    },
    { pglite: 'always', sql: SQL, sqlite: { sql: SQL }, mysql: { sql: SQL } },
  )
})

/** A filter of as many levels, whose leaf holds for the row. */
function filter(levels: number, open: string, close: string): string {
  return `{ nodes(where: ${open.repeat(levels)} { id: { _eq: "root" } } ${close.repeat(levels)}) { id } }`
}

t.test('a filter of 66 levels is answered, and one more is refused', async (t) => {
  await eachDatabase(
    t,
    async (t, database) => {
      const app = await openApp(t, database, SCHEMA)
      const forms = { not: ['{ _not: ', '}'], or: ['{ _or: [', ']}'], parent: ['{ parent: ', '}'] } as const
      const found = { errors: undefined, data: { nodes: [{ id: 'root' }] } }
      for (const [name, [open, close]] of Object.entries(forms)) {
        const deepest = await app.graphql(filter(66, open, close))
        // A relation is a statement within the statement, of which SQLite and MariaDB take fewer.
        const fewer = database.kind === 'sqlite' ? 24 : database.kind === 'mysql' ? 60 : null
        if (fewer !== null && name === 'parent') {
          const message = /nested deeper than (?:SQLite|the database)/
          t.match(deepest.errors, [{ message, extensions: { code: 'VALIDATION_ERROR' } }])
          t.match(await app.graphql(filter(fewer, open, close)), found)
        } else t.match(deepest, found, name)
        t.match((await app.graphql(filter(67, open, close))).errors?.[0]?.message, /nested 66 levels deep/, name)
      }
      const some = ['{ children: { some: ', '}}'] as const
      t.match(await app.graphql(filter(database.kind === 'sqlite' ? 16 : 33, ...some)), found, 'lists')
      t.strictSame((await app.graphql('{ nodes { id } }')).data, { nodes: [{ id: 'root' }] }, 'and it serves on')
    },
    { pglite: 'always', sql: SQL, sqlite: { sql: SQL }, mysql: { sql: SQL } },
  )
})
