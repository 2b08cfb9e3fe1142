import t from 'tap'
import { SvcError } from '../../../core/base/errors/svc-error.ts'
import type { Handler } from '../../../core/contract/stages.ts'
import { rowFilter } from '../../../core/engine/access/row-filter.ts'
import { eachDatabase } from '../../helpers/databases.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { createEngine } from './engine.ts'
import { librarySchema, POSTGRES_SQL } from './library.ts'

/** A write that stands or falls as a whole does not stand where a rule closes one of its roots, whichever that is. */
t.setTimeout(120_000)

const SQL = `${POSTGRES_SQL}
CREATE FUNCTION fn_mark(p_id text) RETURNS text LANGUAGE sql AS $$
  UPDATE tb_shelf SET label = label || '!' WHERE id = p_id RETURNING id $$;
`
const base = librarySchema()
const schema = {
  ...base,
  mutations: [
    ...(base.mutations ?? []),
    {
      name: 'mark',
      type: 'Shelf',
      sql_source: 'fn_mark',
      arguments: [{ name: 'id', type: 'ID!' }],
      operation: 'UPDATE',
    },
  ] as const,
}
const RULES: Readonly<Record<string, Handler<'authorize'>>> = {
  'a denied type': ({ auth }, _operation, access) => {
    if (auth?.subject === 'ann') access.deny('Book', new SvcError('FORBIDDEN', 'No books.'))
  },
  'a hidden row': ({ auth }, _operation, access) =>
    access.where('Book', rowFilter('owner = {me}', { me: auth?.subject })),
}
const MARK = 'mark(id: "s1") { label }'
const TOUCH = 'touch(id: "bob-1") { id }'

await eachDatabase(
  t,
  async (t, test) => {
    const database = await openTestDatabase(t, test)
    const label = async () =>
      (await database.query({ name: null, text: 'SELECT label FROM tb_shelf' }, [], null)).rows[0]?.[0]
    for (const [name, authorize] of Object.entries(RULES)) {
      const engine = await createEngine(database, schema, authorize)
      for (const document of [`mutation { ${MARK} ${TOUCH} }`, `mutation { ${TOUCH} ${MARK} }`]) {
        const before = await label()
        const { text, codes } = await engine.together(document, 'ann')
        t.strictSame([text, codes.length], ['', 1], `${name}: nothing is shown (${text} ${codes})`)
        t.equal(await label(), before, `${name}: nothing is written`)
        const twin = await engine.together(document, 'bob')
        t.strictSame(twin.codes, [], `${name}: its twin has no errors`)
        t.equal(await label(), `${before}!`, `${name}: its twin is written`)
        t.match(twin.text, `${before}!`)
      }
    }
  },
  { sql: SQL },
)
