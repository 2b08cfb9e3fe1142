import t from 'tap'
import type { OperationTemplate, RowsRoot } from '../../../../core/contract/operation.ts'
import { reachOf } from '../../../../core/engine/access/reach.ts'

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

t.test(
  'an argument that may speak of fields reaches all that its rows lead to; one of pages, and the author’s own, nothing',
  async (t) => {
    const Secret = { kind: 'object', name: 'Secret', fields: new Map() } as unknown as RowsRoot['type']
    const own = new Map([['secret', { wireName: 'secret', named: Secret, hierarchy: null }]])
    const Book = { kind: 'object', name: 'Book', fields: own } as unknown as RowsRoot['type']
    const asked = (argument: string): OperationTemplate => {
      const operation = { named: Book, arguments: new Map([['wanted', {}]]) }
      const selection = { kind: 'object', type: Book, fields: [] }
      const args = [{ name: argument, value: { kind: 'constant', value: null } }]
      return { roots: [{ kind: 'operation', responseKey: 'x', operation, arguments: args, selection }] } as never
    }
    for (const [argument, reaches] of [
      ['where', true],
      ['orderBy', true],
      ['limit', false],
      ['after', false],
      ['wanted', false],
    ] as const) {
      const reach = reachOf(asked(argument))
      t.same([reach.has('Secret'), reach.has('Secret.code'), reach.has('Book.title')], Array(3).fill(reaches), argument)
      t.ok(reach.has('Book'), argument)
    }
  },
)

t.test('a relation through a join table reaches what reveals its rows, selected or filtered by', async (t) => {
  const Actor = { kind: 'object', name: 'Actor', fields: new Map() }
  const guards = ['Casting', 'Casting.actor']
  const actors = { wireName: 'actors', named: Actor, hierarchy: null, guards }
  const Film = { kind: 'object', name: 'Film', fields: new Map([['actors', actors]]) }
  const asking = (kind: 'field' | 'aggregate' | null, ...names: readonly string[]) => {
    const operation = { named: Film, arguments: new Map() }
    const inner = { kind: 'object', type: Actor, fields: [] }
    const fields = kind === null ? [] : [{ kind, field: actors, arguments: [], selection: inner }]
    const selection = { kind: 'object', type: Film, fields }
    const root = { kind: 'operation', operation, arguments: names.map((name) => ({ name })), selection }
    return reachOf({ roots: [root] } as unknown as OperationTemplate)
  }
  for (const reach of [asking('field'), asking('aggregate'), asking(null, 'where')]) {
    t.ok(reach.has('Casting'))
    t.ok(reach.has('Casting.actor'))
  }
  t.notOk(asking('field').has('Casting.owner'))
  t.ok(asking(null, 'where').has('Casting.owner'), 'its rules may read every field')
  t.notOk(asking(null).has('Casting'))
})
