import t from 'tap'
import { reachOf } from '../../../core/access/reach.ts'
import type { OperationTemplate, RowsRoot } from '../../../core/contract/operation.ts'

const User = { kind: 'object', name: 'User', fields: new Map() } as unknown as RowsRoot['type']
const rows = (by?: string): OperationTemplate => {
  const selection = { kind: 'object', type: User, fields: [] } as RowsRoot['selection']
  const root = { kind: 'rows', responseKey: 'rows', type: User, keys: { kind: 'list', items: [] }, by, selection }
  return { roots: [root] } as unknown as OperationTemplate
}

t.test('rows by a key reach the field that holds it, selected or not', async (t) => {
  const byEmail = reachOf(rows('email'))
  t.strictSame(
    ['User', 'User.email', 'User.id', 'User.name'].map((target) => byEmail.has(target)),
    [true, true, false, false],
  )
  t.ok(reachOf(rows()).has('User.id'))
})

t.test('a filter of paths reaches the type of their hierarchy', async (t) => {
  const Category = { kind: 'object', name: 'Category', fields: new Map() }
  const path = { wireName: 'path', named: { kind: 'scalar', name: 'LTree' }, hierarchy: { type: Category } }
  const Product = { kind: 'object', name: 'Product', fields: new Map([['path', path]]) }
  const asking = (...names: readonly string[]) => {
    const operation = { named: Product, arguments: new Map() }
    const selection = { kind: 'object', type: Product, fields: [] }
    const root = { kind: 'operation', operation, arguments: names.map((name) => ({ name })), selection }
    return reachOf({ roots: [root] } as unknown as OperationTemplate)
  }
  t.ok(asking('where').has('Category.path'))
  t.notOk(asking('limit').has('Category.path'))
})
