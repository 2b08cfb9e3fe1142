import t from 'tap'
import { compileSchema } from '../../../core/compiler/compile.ts'
import { defineDialect } from '../../../core/doors/driver.ts'
import { sql } from '../../../core/doors/plugin.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

const MINIMAL = defineDialect({ name: 'minimal', standard: {} })

const SCHEMA = tableSchema(
  { name: 'Item', sql_source: 'item', relay: true, list: 'items', fields: { id: 'ID!', name: 'String' } },
  {
    queries: [{ name: 'item_pages', type: '[Item!]!', sql_source: 'item', relay: true }],
    mutations: [
      { name: 'add', type: 'Item!', sql_source: 'fn_add' },
      { name: 'add_there', type: 'Boolean!', sql_source: 'fn_add', database: 'there' },
    ],
  },
)
const databases = new Map([['there', {}]])

// proves: error.read-only
t.test('a dialect needs a name: it reads lists, and the compiler refuses the rest', async (t) => {
  t.match(MINIMAL, { name: 'minimal', readOnly: true, describeCall: null })
  t.ok(MINIMAL.operators.has('_ilike'))
  t.notOk(MINIMAL.operators.has('_regex'))
  const { faults } = compileSchema(SCHEMA, { catalog: null, owned: [], dialect: MINIMAL, databases })
  t.match(
    faults.map(({ message }) => message),
    [/^Mutation "add" cannot write: with the dialect "minimal" svc only reads\. Leave the mutation out/],
  )
  const { mutations: _, ...reading } = SCHEMA
  t.match(
    compileSchema(reading, { catalog: null, owned: [], dialect: MINIMAL }).faults.map(({ message }) => message),
    [/^Query "item_pages" is relay, and with the dialect "minimal" svc has no connections\. Drop relay/],
  )
  const paging = defineDialect({ name: 'paging', standard: { cursor: (key) => key } })
  t.same(compileSchema(reading, { catalog: null, owned: [], dialect: paging }).faults, [])
  t.throws(() => MINIMAL.write({} as never), { code: 'SVC_SCHEMA_INVALID', message: /"minimal" only reads/ })
})

t.test('what a dialect gives replaces the default, also where the defaults use it', async (t) => {
  const { operators } = defineDialect({ name: 'own', standard: { operators: new Map([['_regex', () => sql`TRUE`]]) } })
  t.ok(operators.has('_regex') && operators.has('_eq'))
  const own = defineDialect({ name: 'own', standard: { placeholder: (n) => `:${n}` }, replacing: () => ['x'] })
  t.same(own.replacing('y'), ['x'])
  t.same(MINIMAL.replacing('CREATE VIEW v AS SELECT 1'), ['CREATE VIEW v AS SELECT 1'])
  t.equal(own.insertRow('t', ['a', 'b']).text.includes(':2'), true)
})

t.test('errors are read by their SQLSTATE', async (t) => {
  const { errors } = defineDialect({ name: 'own', standard: {}, errors: { missingRelation: () => 'v_gone' } })
  const failed = (code: string, message = 'no') => Object.assign(new Error(message), { code })
  t.equal(errors.missingRelation(failed('42P01')), 'v_gone')
  t.equal(MINIMAL.errors.missingRelation(failed('42P01')), null)
  t.same(
    ['40001', '40P01', '23505'].map((code) => MINIMAL.errors.isTransient(failed(code))),
    [true, true, false],
  )
  t.ok(MINIMAL.errors.isRaised(failed('P0001')))
  t.equal(MINIMAL.errors.writeFault(failed('P0001')), null)
  t.match(MINIMAL.errors.read(failed('22P02')), { code: 'BAD_USER_INPUT' })
  const guards = [{ path: ['a'] }, { path: ['a', 'b'] }]
  const { readGuard, readStored } = MINIMAL.errors
  t.match(readGuard(failed('22P02', 'not an integer: "svc:max_rows:1:7"'), { guards }), {
    code: 'VALIDATION_ERROR',
    message: '"a.b" has more rows than a list may have. Pass a limit.',
  })
  t.equal(readGuard(failed('22P02', 'svc:max_rows:2:7'), { guards }), null)
  t.equal(readGuard(failed('22P02'), { guards }), null)
  t.match(readGuard(failed('2201B'), { guards }), { code: 'BAD_USER_INPUT' })
  t.equal(readStored(failed('22P02'), 'item', []), null, 'an operand')
  t.match(readStored(failed('22P02'), 'item', ['Item.at']), { code: 'INTERNAL_SERVER_ERROR' })
})

t.test('fields that are read by a cast', async (t) => {
  const scalar = (base: string, type: string | null) =>
    MINIMAL.isReadByCast({
      named: { kind: 'scalar', base },
      read: { from: 'column', column_type: type },
    } as unknown as Parameters<typeof MINIMAL.isReadByCast>[0])
  t.same(
    [scalar('DateTime', 'timestamptz'), scalar('DateTime', 'text'), scalar('String', 'text'), scalar('Time', null)],
    [false, true, false, true],
  )
})
