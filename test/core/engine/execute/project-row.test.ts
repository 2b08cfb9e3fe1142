import t from 'tap'
import { defineCompilePart } from '../../../../core/compiler/compile-part.ts'
import type { ObjectSelection } from '../../../../core/contract/operation.ts'
import { POSTGRES } from '../../../../core/dialects/postgres/dialect.ts'
import { projectRow } from '../../../../core/engine/execute/changes/project-row.ts'
import { testCompile } from '../../../../core/testing/testing.ts'
import { PreparedDocument } from '../../../../plugins/graphql/document/prepared-document.ts'
import { createSchemaView } from '../../../../plugins/graphql/schema/graphql-schema.ts'
import { SQLITE } from '../../../../plugins/sqlite/dialect/dialect.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

const { schema } = testCompile(
  defineCompilePart({}),
  tableSchema({
    name: 'Book',
    sql_source: 'v_book',
    list: 'books',
    fields: { id: 'ID!', page_count: 'Int', price: 'Decimal', printed_at: 'DateTime' },
  }),
)
const view = createSchemaView(schema!, false)
const selectionOf = (fields: string): ObjectSelection => {
  const document = new PreparedDocument(
    `{ books { ${fields} } }`,
    view,
    { maxTokens: 1000, introspection: true },
    () => {},
  )
  const [root] = document.operation(null).toOperation({}).template.roots
  return (root as { selection: ObjectSelection }).selection
}

t.test('a row is projected to its selection, and each value is checked against its type', async (t) => {
  const selection = selectionOf('__typename pages: pageCount price id')
  for (const key of ['page_count', 'pageCount']) {
    const { text, errors } = projectRow(POSTGRES, selection, `{"id":7,"${key}":12,"price":1.50,"secret":"x"}`, ['book'])
    t.equal(text, '{"__typename":"Book","pages":12,"price":"1.50","id":"7"}')
    t.strictSame(errors, [])
  }
  const wrong = projectRow(POSTGRES, selection, '{"id":"7","page_count":"many"}', ['book'])
  t.equal(wrong.text, '{"__typename":"Book","pages":null,"price":null,"id":"7"}')
  t.match(wrong.errors, [{ path: ['book', 'pages'] }])
})

t.test('null climbs out of it; what is masked is null; what is no row is none', async (t) => {
  const selection = selectionOf('id pageCount')
  t.match(projectRow(POSTGRES, selection, '{"page_count":1}', ['book', 3]), {
    text: null,
    errors: [{ path: ['book', 3, /^id$/] }],
  })
  const fields = selection.fields.map((field) =>
    field.kind === 'field'
      ? { kind: 'denied' as const, responseKey: field.responseKey, field: field.field, target: 'x' }
      : field,
  )
  t.equal(projectRow(POSTGRES, { ...selection, fields }, '{"id":1}', []).text, '{"id":null,"pageCount":null}')
  for (const text of ['null', '[]', '7', ''])
    t.strictSame(projectRow(POSTGRES, selection, text, []), { text: null, errors: [] })
})

t.test('times in the form of the database', async (t) => {
  const row = '{"printed_at":"2024-05-06 07:08:09.25+00"}'
  t.equal(projectRow(SQLITE, selectionOf('printedAt'), row, []).text, '{"printedAt":"2024-05-06T07:08:09.25+00:00"}')
})
