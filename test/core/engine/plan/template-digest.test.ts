import t from 'tap'
import { defineCompilePart } from '../../../../core/compiler/compile-part.ts'
import type { OperationTemplate } from '../../../../core/contract/operation.ts'
import { digestOf } from '../../../../core/engine/plan/template-digest.ts'
import { testCompile, testOperation } from '../../../../core/testing/testing.ts'
import { PreparedDocument } from '../../../../plugins/graphql/document/prepared-document.ts'
import { createSchemaView } from '../../../../plugins/graphql/schema/graphql-schema.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

const { schema } = testCompile(
  defineCompilePart({}),
  tableSchema(
    {
      name: 'Book',
      sql_source: 'v_book',
      implements: ['Named'],
      list: 'books',
      fields: { id: 'ID!', name: 'String', pages: 'Int' },
    },
    {
      interfaces: [{ name: 'Named', fields: [{ name: 'name', type: 'String' }] }],
      queries: [{ name: 'films', type: '[Book!]!' }],
    },
  ),
)
const template = (text: string, variables = {}): OperationTemplate =>
  new PreparedDocument(text, createSchemaView(schema!, false), { maxTokens: 1000, introspection: true }, () => {})
    .operation(null)
    .toOperation(variables).template

t.test('equal for what asks the same, however it is written', async (t) => {
  const plain = digestOf(template('{ books(limit: 2) { id name } }'))
  t.match(plain, /^[\w-]{43}$/)
  t.equal(digestOf(template('query Some {\n  books(limit: 2) { ...F } }\nfragment F on Book { id name }')), plain)
})

t.test('others for everything that changes the answer', async (t) => {
  const documents = [
    '{ books { id } }',
    '{ films { id } }',
    '{ books { name } }',
    '{ books { id name } }',
    '{ books { name id } }',
    '{ all: books { id } }',
    '{ books { key: id } }',
    '{ books { id __typename } }',
    '{ books(limit: 1) { id } }',
    '{ books(limit: 2) { id } }',
    '{ books(offset: 2) { id } }',
    '{ books(where: { name: { _eq: "1" } }) { id } }',
    '{ books(where: { pages: { _eq: 1 } }) { id } }',
    '{ books(where: { name: { _eq: "variable" } }) { id } }',
    '{ books(orderBy: [{ name: ASC }]) { id } }',
    '{ books(orderBy: [{ name: DESC }]) { id } }',
    'query ($n: Int) { books(limit: $n) { id } }',
    'query ($n: Int = 5) { books(limit: $n) { id } }',
    'query ($m: Int) { books(limit: $m) { id } }',
    '{ books { id } films { id } }',
    '{ films { id } books { id } }',
  ]
  t.equal(new Set(documents.map((text) => digestOf(template(text)))).size, documents.length)
})

t.test('a mask is part of it, a root of a plugin has none', async (t) => {
  const { kind, roots, variables } = template('{ books { id } }')
  const denied = roots.map((root) => ({ ...root, denied: 'Book' })) as OperationTemplate['roots']
  t.not(digestOf({ kind, name: null, roots: denied, variables }), digestOf(template('{ books { id } }')))
  const call = { name: 'x', nullable: true, location: null, run: () => ({ text: '1', errors: [] }) }
  const called = testOperation({ roots: [{ kind: 'literal', responseKey: 'x', json: 'null', call } as never] })
  t.equal(digestOf(called.template), null)
  const when = { kind: 'constant', value: new Date(0) } as const
  const dated = roots.map((root) => ({ ...root, arguments: [{ name: 'limit', value: when }] }))
  t.equal(digestOf({ kind, name: null, roots: dated as never, variables }), null, 'no plain data')
})
