import t from 'tap'
import { nestingCost } from '../../../plugins/mysql/placeholders.ts'
import { createMariaDb } from '../../helpers/databases.ts'
import { openApp } from '../../helpers/open-app.ts'
import { requireService } from '../../helpers/services.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

/** MariaDB uses all memory of the machine for some deep statements, so that it ends without a word. */

t.test('a subquery counts again for each one behind it', async (t) => {
  t.equal(nestingCost('SELECT 1'), 0)
  t.equal(nestingCost('SELECT (SELECT 1)'), 1)
  t.equal(nestingCost('SELECT (SELECT (1)), (SELECT 2)'), 3)
  t.equal(nestingCost('SELECT ((SELECT (SELECT 1))), (SELECT 2)'), 5)
  t.equal(nestingCost(`SELECT '(SELECT', "(SELECT", \`(SELECT\`, CONCAT('x')`), 0)
  const chain = (depth: number): string => (depth === 0 ? '1' : `(SELECT ${chain(depth - 1)} WHERE EXISTS (SELECT 1))`)
  t.ok(nestingCost(`SELECT ${chain(10)}`) < 20_000)
  t.ok(nestingCost(`SELECT ${chain(40)}`) > 1e9)
})

const SQL = `
CREATE TABLE node (id INT PRIMARY KEY, parent INT, name TEXT);
INSERT INTO node VALUES (1, 1, 'a'), (2, 2, 'b');
`
const SCHEMA = tableSchema({
  name: 'Node',
  sql_source: 'node',
  list: 'nodes',
  fields: {
    id: 'Int!',
    name: 'String',
    children: { type: '[Node!]!', relation: { from: 'id', to: 'parent' } },
    parent: { type: 'Node', relation: { from: 'parent', to: 'id' } },
  },
})

t.test('deep requests', async (t) => {
  if (!(await requireService(t, 'mariadb'))) return
  const app = await openApp(t, await createMariaDb(t, { sql: SQL }), SCHEMA)
  const nested = (levels: number, args: string, beside = ''): string =>
    `{ nodes { ${`children${args} { `.repeat(levels)} id ${`${beside} } `.repeat(levels)} } }`
  t.strictSame((await app.graphql(nested(25, ''))).errors, undefined, 'lists with a limit on their rows')
  t.strictSame((await app.graphql(nested(8, '(where: { id: { _in: [1, 2] } })'))).errors, undefined, 'filters')
  t.strictSame((await app.graphql(nested(7, '(limit: 2)', 'parent { id }'))).errors, undefined, 'pages')
  for (const [args, beside] of [
    ['(limit: 2)', ''],
    ['', 'parent { id }'],
    ['(where: { parent: { id: { _gt: 0 } } })', ''],
  ] as const) {
    const { errors } = await app.graphql(nested(40, args, beside))
    t.match(
      errors,
      [{ message: /nested deeper than the database/, extensions: { code: 'VALIDATION_ERROR' } }],
      `${args} ${beside}`,
    )
  }
  t.strictSame((await app.graphql('{ nodes { id } }')).data, { nodes: [{ id: 1 }, { id: 2 }] }, 'and it serves on')
})
