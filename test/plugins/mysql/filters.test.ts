import t from 'tap'
import { createMariaDb } from '../../helpers/databases.ts'
import { openApp } from '../../helpers/open-app.ts'
import { requireService } from '../../helpers/services.ts'
import { extendSchema } from '../../schemas/extend-schema.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

/** A database whose character set lacks most characters, and whose collation ignores case. */
const SQL = `
ALTER DATABASE CHARACTER SET latin1 COLLATE latin1_swedish_ci;
CREATE TABLE note (id INT PRIMARY KEY, size INT, at TIME, parent VARCHAR(20) CHARACTER SET utf8mb4, tags JSON, extra JSON, data JSON);
INSERT INTO note VALUES
  (1, 5, '10:00', 'ω', '["a", "日本"]', '{"Key": 1, "é": 2}', '{"title": "A"}'),
  (2, NULL, NULL, 'ω', '["A"]', '["Key", 1]', '{"title": "a"}'),
  (3, NULL, NULL, NULL, NULL, '"Key"', '{}');
CREATE TABLE owner (id VARCHAR(20) CHARACTER SET utf8mb4 PRIMARY KEY, name TEXT CHARACTER SET utf8mb4);
INSERT INTO owner VALUES ('ω', '日本');
`
const SCHEMA = tableSchema({
  name: 'Note',
  sql_source: 'note',
  list: 'notes',
  aggregate: true,
  fields: [
    { name: 'id', type: 'Int!' },
    { name: 'size', type: 'Int' },
    { name: 'at', type: 'Time' },
    { name: 'tags', type: '[String!]' },
    { name: 'extra', type: 'JSON' },
    { name: 'title', type: 'String' },
    { name: 'owner', type: 'Owner', relation: { from: 'parent', to: 'id' } },
  ],
})
const OWNERS = tableSchema({
  name: 'Owner',
  sql_source: 'owner',
  list: 'owners',
  fields: [
    { name: 'id', type: 'ID!' },
    { name: 'name', type: 'String' },
    { name: 'notes', type: '[Note!]!', relation: { from: 'id', to: 'parent' } },
    { name: 'self', type: '[Owner!]!', relation: { from: 'id', to: 'id' } },
  ],
})

t.test('filters of MariaDB', async (t) => {
  if (!(await requireService(t, 'mariadb'))) return
  const schema = extendSchema(SCHEMA, OWNERS)
  const app = await openApp(t, await createMariaDb(t, { sql: SQL }), schema)
  const read = async (query: string, variables?: object) => {
    const { data, errors } = await app.graphql(query, variables)
    t.equal(errors, undefined, query)
    return data
  }
  const ids = async (where: string): Promise<readonly number[]> =>
    (await read(`{ notes(where: { ${where} }, orderBy: [{ id: ASC }]) { id } }`)).notes.map(
      ({ id }: { readonly id: number }) => id,
    )

  await t.test('a null is in no list, whatever lists came before', async (t) => {
    const query = 'query ($l: [Int!]) { notes(where: { size: { _nin: $l } }, orderBy: [{ id: ASC }]) { id } }'
    const not = 'query ($l: [Int!]) { notes(where: { _not: { size: { _in: $l } } }, orderBy: [{ id: ASC }]) { id } }'
    const lists: readonly (readonly [readonly number[], readonly number[]])[] = [
      [[], [1, 2, 3]],
      [[5], []],
      [[6], [1]],
      [[], [1, 2, 3]],
      [[5], []],
    ]
    for (const each of [query, not]) {
      for (const [l, found] of lists) {
        const { notes } = await read(each, { l })
        t.strictSame(
          notes.map(({ id }: { readonly id: number }) => id),
          found,
          `${each} ${l}`,
        )
      }
    }
  })

  await t.test('items of lists are compared by their code points', async (t) => {
    t.strictSame(await ids('tags: { _contains: ["a"] }'), [1])
    t.strictSame(await ids('tags: { _contains: ["日本"] }'), [1])
    t.strictSame(await ids('tags: { _contains: ["??"] }'), [])
    t.strictSame(await ids('tags: { _has_any: ["日本", "A"] }'), [1, 2])
    t.strictSame(await ids('tags: { _contained_in: ["A", "b"] }'), [2])
    t.strictSame(await ids('tags: { _eq: ["a", "日本"] }'), [1])
    t.strictSame(await ids('title: { _eq: "a" }'), [2])
  })

  await t.test('keys of JSON values', async (t) => {
    t.strictSame(await ids('extra: { _has_key: "Key" }'), [1, 2, 3])
    t.strictSame(await ids('extra: { _has_key: "key" }'), [])
    t.strictSame(await ids('extra: { _has_key: "é" }'), [1])
    t.strictSame(await ids('extra: { _has_keys_all: ["Key", "é"] }'), [1])
    t.strictSame(await ids('extra: { _has_keys_any: ["key", "é"] }'), [1])
  })

  await t.test('what JSON_CONTAINS does is not offered', async (t) => {
    for (const name of ['_contains', '_contained_in', '_strictly_contains']) {
      const { errors } = await app.graphql(`{ notes(where: { extra: { ${name}: {} } }) { id } }`)
      t.match(errors, [{ message: new RegExp(`"${name}"`), extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }])
    }
  })

  await t.test('pages of related rows keep all characters', async (t) => {
    t.strictSame(await read('{ owners { self(limit: 1) { id name } notes(limit: 1, offset: 1) { id tags } } }'), {
      owners: [{ self: [{ id: 'ω', name: '日本' }], notes: [{ id: 2, tags: ['A'] }] }],
    })
    t.strictSame(await read('{ notes(limit: 1) { tags owner { name } } }'), {
      notes: [{ tags: ['a', '日本'], owner: { name: '日本' } }],
    })
  })
})
