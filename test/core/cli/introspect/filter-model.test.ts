import t from 'tap'
import type { DatabaseModel } from '../../../../core/contract/database-model.ts'
import { filterModel } from '../../../../core/introspect/filter-model.ts'

const object = (schema: string, name: string) => ({ schema, name, visible: true })

const MODEL = {
  relations: [object('app', 'user'), object('app', 'user_old'), object('audit', 'log')],
  functions: [object('app', 'fn_x')],
  enums: [object('audit', 'level')],
  skipped: [{ kind: 'table', name: 'audit.odd', reason: 'has no columns' }],
} as unknown as DatabaseModel

function select(schemas: readonly string[], exclude: readonly string[]): readonly string[] {
  const { relations, functions, skipped } = filterModel(MODEL, { schemas, exclude })
  return [...relations, ...functions, ...skipped].map(({ name }) => name)
}

t.test('schemas and patterns select objects', async (t) => {
  t.strictSame(select([], []), ['user', 'user_old', 'log', 'fn_x', 'audit.odd'])
  t.strictSame(select(['app'], []), ['user', 'user_old', 'fn_x'])
  t.strictSame(select([], ['audit.*', '*_OLD']), ['user', 'fn_x'])
  t.strictSame(filterModel(MODEL, { schemas: ['app'], exclude: [] }).enums, MODEL.enums, 'columns may need any enum')
})

t.test('a schema or pattern that matches nothing is an error with the nearest name', async (t) => {
  t.throws(() => select(['ap'], []), {
    code: 'SVC_USAGE',
    message: /no such schema. Did you mean "app"\? .*app, audit/,
  })
  t.throws(() => select([], ['usr']), { code: 'SVC_USAGE', message: /matches no table.*Did you mean "user"/ })
})
