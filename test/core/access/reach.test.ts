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
