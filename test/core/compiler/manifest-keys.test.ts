import t from 'tap'
import { loadOwnedKeys } from '../../../core/cli/compile/load-compile-parts.ts'
import { compileSchema } from '../../../core/compiler/compile.ts'
import { defineKeyCheck } from '../../../core/compiler/ground/key-check.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import type { OwnedKeys, OwnedPlace } from '../../../core/schema/plugin-keys.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

const BOOK = { name: 'Book', sql_source: 'v_book', fields: [{ name: 'id', type: 'ID!' }] }
const SHELF = { shelf: { type: 'integer' } }

const schema = (type: object, query: object = {}) =>
  tableSchema({ ...BOOK, ...type }, { queries: [{ name: 'books', type: '[Book!]!', ...query }] })

function compile(authored: AuthoredSchema, ...owned: readonly OwnedKeys[]) {
  const { compiled, faults } = compileSchema(authored, { catalog: null, owned, databases: new Map([['crm', {}]]) })
  return { compiled, messages: faults.map(({ message }) => message) }
}

t.test('keys of a manifest are known, checked, and stand where the manifest says', async (t) => {
  const owned = { plugin: 'shelves', keys: [{ place: 'type', after: 'sql_source', keys: SHELF }] } as const
  const { compiled, messages } = compile(schema({ shelf: 3 }), owned)
  t.same(messages, [])
  t.match(compiled, { types: [{ shelf: 3 }], requires: [] })
  t.same(compile(schema({ shelf: 'x' }), owned).messages, ['Type "Book": "shelf" is "x", which is no integer.'])
  const [message] = compile(schema({ x: 1 }), owned).messages
  t.match(message, 'unknown key "x". Keys: name, description, sql_source, shelf, jsonb_column, key,')
  t.same(compile(schema({ shelf: 3 })).messages.length, 1, 'without the manifest the key is unknown')
})

t.test('a key without a place among the others is the last one', async (t) => {
  for (const after of [undefined, 'nowhere']) {
    const group = { place: 'operation', keys: SHELF, ...(after === undefined ? {} : { after }) } as const
    const { messages } = compile(schema({}, { x: 1 }), { plugin: 'shelves', keys: [group] })
    t.match(messages, [/database, shelf\.$/])
  }
})

t.test('a use of a key makes its plugin required', async (t) => {
  const uses = (use: OwnedKeys['requiredBy']): OwnedKeys => ({
    plugin: 'shelves',
    keys: [{ place: 'type', keys: { shelf: {} } }],
    ...(use === undefined ? {} : { requiredBy: use }),
  })
  const required = (value: unknown, use: OwnedKeys['requiredBy']) =>
    compile(schema({ shelf: value }), uses(use)).compiled?.requires
  t.same(required(false, { type: { shelf: 'set' } }), ['shelves'])
  t.same(required([1], { type: { shelf: 'filled' } }), ['shelves'])
  t.same(required([], { type: { shelf: 'filled' } }), [])
  t.same(required('high', { type: { shelf: { is: 'high' } } }), ['shelves'])
  t.same(required('low', { type: { shelf: { is: 'high' } } }), [])
  t.same(required('low', undefined), [])
})

t.test('older names, words in capitals, and lists of views', async (t) => {
  const keys = [{ place: 'operation', keys: { shelf: { enum: ['TOP', 'LOW'] }, views: { type: 'array' } } }] as const
  const owned: OwnedKeys = {
    plugin: 'shelves',
    keys,
    operationAliases: { shelf_name: 'shelf', 'at.shelf': 'shelf' },
    capitals: ['shelf'],
    viewLists: ['views'],
  }
  const query = (more: object) => {
    const { compiled, messages } = compile(schema({ database: 'crm' }, more), owned)
    return messages.length > 0 ? messages : compiled?.queries[0]
  }
  t.match(query({ views: ['v_x'] }), { views: ['crm:v_x'] })
  t.match(query({ shelf_name: 'top' }), { shelf: 'TOP' })
  t.match(query({ at: { shelf: 'low' } }), { shelf: 'LOW' })
  t.match(query({ at: { shelf: 'low', other: 1 } }), [/unknown key "at"/])
  t.match(query({ shelf: 'LOW', shelf_name: 'TOP' }), [/has both "shelf_name" and "shelf"/])
  t.match(query({ shelf: 'LOW', at: { shelf: 'TOP' } }), [/has both "at.shelf" and "shelf"/])
  t.match(query({ shelf: 'middle' }), [/"shelf" is "MIDDLE"; it can be TOP, LOW/])
})

t.test('keys that a manifest cannot declare', async (t) => {
  const wrong: readonly (readonly [OwnedPlace, object, RegExp])[] = [
    [
      'query',
      { sql_source: {} },
      /^The manifest of plugin "p" adds the key "sql_source" to "query", where svc has one/,
    ],
    ['type', { Shelf: {} }, /"Shelf" to "type"; a key is snake_case/],
    ['validate' as OwnedPlace, { shelf: {} }, /adds keys to "validate"; elements that take keys: schema, type/],
  ]
  for (const [place, keys, message] of wrong) {
    const owned = { plugin: 'p', keys: [{ place, keys }] } as unknown as OwnedKeys
    t.throws(() => compile(schema({}), owned), { code: 'SVC_PLUGIN_INVALID', message })
  }
})

t.test(
  'a check of keys runs though its plugin has no compile part, and its faults have the ids of the manifest',
  async (t) => {
    const manifest = {
      name: 'shelves',
      version: '1.0.0',
      kernelApi: 1,
      description: 'Shelves.',
      schemaKeys: { keys: [{ place: 'type', keys: SHELF }], faults: { shelf: 'No shelf.' }, check: './check-keys' },
    } as const
    const load = (exported: unknown) =>
      loadOwnedKeys([{ manifest, loadModule: async (module) => ({ default: module === './check-keys' && exported }) }])
    const check = defineKeyCheck(({ schema: { types = [] }, kindOf, fault }) => {
      for (const type of types) fault('shelf', `${type.name} is ${kindOf(type.name)}, ${kindOf('Nothing')}.`, type)
      fault('other', 'Another one.')
    })
    const { faults } = compileSchema(schema({}), { catalog: null, owned: await load(check) })
    t.match(faults, [
      { id: 'shelf', message: 'Book is object, undefined.' },
      { id: 'shelves:other', message: 'Another one.' },
    ])
    await t.rejects(load({}), {
      code: 'SVC_PLUGIN_INVALID',
      message: /"\.\/check-keys" of plugin "shelves" has no check/,
    })
    const loadFacts = (exported: unknown) => {
      const told = { ...manifest, schemaKeys: { keys: manifest.schemaKeys.keys, facts: './key-facts' } }
      return loadOwnedKeys([{ manifest: told, loadModule: async () => ({ default: exported }) }])
    }
    t.match(await loadFacts({ isEntity: () => true }), [{ keyFacts: { isEntity: Function } }])
    await t.rejects(loadFacts(undefined), {
      code: 'SVC_PLUGIN_INVALID',
      message: /"\.\/key-facts" of plugin "shelves" has no facts\. Export `defineKeyFacts\(…\)` as the default/,
    })
  },
)
