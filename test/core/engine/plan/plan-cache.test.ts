import t from 'tap'
import type { Operation } from '../../../../core/contract/operation.ts'
import { POSTGRES } from '../../../../core/dialects/postgres/dialect.ts'
import { prepareRead, prepareRootAlone } from '../../../../core/engine/execute/read/prepare-read.ts'
import { PreparedDocument } from '../../../../plugins/graphql/document/prepared-document.ts'
import { createSchemaView } from '../../../../plugins/graphql/schema/graphql-schema.ts'
import { compileFixture } from '../../../helpers/compile-fixture.ts'
import { BOOK, LIBRARY } from '../../../helpers/library.ts'
import { LIMITS } from '../../../helpers/plan-world.ts'

const offline = {
  ...LIBRARY,
  types:
    LIBRARY.types?.map((type) => ({
      ...type,
      relay: false,
      ...(type.name === 'ShelfDoc' ? { jsonb_column: 'data' } : {}),
    })) ?? [],
  queries: LIBRARY.queries?.filter((query) => query.relay !== true) ?? [],
}
const model = compileFixture(offline, null)
const view = createSchemaView(model, false)
const settings = { dialect: POSTGRES, maxRows: 100 } as const

/** Requests with one document: the same template. */
function requests(query: string): (variables?: Record<string, unknown>) => Operation {
  const operation = new PreparedDocument(query, view, LIMITS, () => {}).operation(null)
  return (variables = {}) => operation.toOperation(variables)
}
const plan = (operation: Operation) => prepareRead(operation, model, settings)

t.test('a document whose variables decide nothing has one plan', (t) => {
  const request = requests(
    'query($id: ID!, $n: Int!, $s: String!) { book(id: $id) { id } books(where: { title: { _eq: $s } }, limit: $n) { id } }',
  )
  const first = plan(request({ id: BOOK.alpha, n: 1, s: 'a' }))
  t.equal(plan(request({ id: BOOK.beta, n: 2, s: "b'" })), first)
  t.match(first.statement?.name, /^svc_[0-9a-f]{40}$/)
  t.strictSame(first.bind({ id: BOOK.beta, n: 2, s: "b'" }, null), [BOOK.beta, "b'", '2'])
  t.end()
})

t.test('a plan follows the structure of variables and never their values', (t) => {
  const request = requests(
    'query($w: BookWhereInput, $o: [BookOrderByInput!], $l: Int) { books(where: $w, orderBy: $o, limit: $l) { id } }',
  )
  const same = (a: Record<string, unknown>, b: Record<string, unknown>) => t.equal(plan(request(a)), plan(request(b)))
  const differs = (a: Record<string, unknown>, b: Record<string, unknown>) => t.not(plan(request(a)), plan(request(b)))
  same({ w: { title: { _eq: 'a' } } }, { w: { title: { _eq: 'b' } } })
  same({ w: { id: { _in: [BOOK.alpha] } } }, { w: { id: { _in: [] } } })
  same({ w: { extra: { _contains: { a: 1 } } } }, { w: { extra: { _contains: [1, { _eq: null }] } } })
  same({ l: 1 }, { l: 2 })
  same({ o: [{ title: 'ASC' }] }, { o: [{ title: 'ASC' }] })
  differs({ w: { title: { _eq: 'a' } } }, { w: { title: { _neq: 'a' } } })
  differs({ w: { title: { _is_null: true } } }, { w: { title: { _is_null: false } } })
  differs({ w: { _or: [{ title: { _eq: 'a' } }] } }, { w: { _or: [{ title: { _eq: 'a' } }, {}] } })
  differs({ w: { _or: [] } }, { w: { _and: [] } })
  differs({ w: null }, {})
  differs({ l: 1 }, { l: null })
  differs({ o: [{ title: 'ASC' }] }, { o: [{ title: 'DESC' }] })
  differs({ o: [{ title: 'ASC' }, { id: 'ASC' }] }, { o: [{ id: 'ASC' }, { title: 'ASC' }] })
  t.end()
})

t.test('the plans of a template are bounded, and what is used stays', (t) => {
  const request = requests('query($w: BookWhereInput) { books(where: $w) { id } }')
  const of = (n: number) => request({ w: { _or: Array.from({ length: n }, () => ({ title: { _eq: 'x' } })) } })
  const first = plan(of(0))
  for (let n = 1; n < 64; n++) plan(of(n))
  t.equal(plan(of(0)), first, 'still there when it is full')
  for (let n = 64; n < 100; n++) plan(of(n % 90))
  t.equal(plan(of(0)), first, 'it was used')
  for (let n = 1; n < 80; n++) plan(of(n))
  t.not(plan(of(0)), first)
  const huge = of(400)
  t.equal(plan(huge).statement?.name, null, 'a filter made for one request is not prepared')
  t.not(plan(huge), plan(huge))
  t.end()
})

t.test('plans belong to a schema', (t) => {
  const request = requests('{ books { id } }')
  const other = compileFixture(offline, null)
  const first = plan(request())
  t.not(prepareRead(request(), other, settings), first)
  t.not(prepareRead(request(), model, { ...settings, maxRows: 7 }).statement?.text, first.statement?.text)
  t.end()
})

t.test('one root alone gives its value without the key', (t) => {
  const operation = requests('{ a: __typename b: books(limit: 1) { id } }')()
  t.equal(prepareRootAlone(operation, 0, model, settings).constant, '"Query"')
  const alone = prepareRootAlone(operation, 1, model, settings)
  t.match(alone.statement?.text, /^SELECT array_to_json\(ARRAY\(SELECT/)
  t.equal(prepareRootAlone(operation, 1, model, settings), alone)
  t.throws(() => prepareRootAlone(operation, 2, model, settings), RangeError)
  t.end()
})

t.test('plans work without a catalog', (t) => {
  const { statement } = plan(requests(`{ books(where: { id: { _eq: "x" } }, limit: 1) { id tags moments genre } }`)())
  t.match(statement?.text, /"t1"."id"::text AS "id".*"t1"."moments"::timestamptz\[\] AS "moments".*"t1"."id" = \$1\)/)
  t.end()
})
