import t from 'tap'
import { compileSchema } from '../../../core/compiler/compile.ts'
import { type CompilePart, defineCompilePart, type PartContext } from '../../../core/compiler/compile-part.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { blockOf } from '../../../core/schema/block-of.ts'
import { linkSchema } from '../../../core/schema/link/link.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'

const BOOK = { name: 'Book', sql_source: 'v_book', fields: [{ name: 'id', type: 'ID!' }] }
const schema = (more: object = {}) =>
  ({ version: '1', types: [BOOK], queries: [{ name: 'books', type: '[Book!]!' }], ...more }) as AuthoredSchema

/** Compiles with these parts, by name of the plugin. */
function compile(authored: AuthoredSchema, parts: Readonly<Record<string, CompilePart<never>>>) {
  const enabled = Object.entries(parts).map(([plugin, part]) => ({ plugin, part, options: {} }))
  return compileSchema(authored, { owned: OWNED_KEYS, catalog: null, parts: enabled })
}

const messages = (result: ReturnType<typeof compile>) => result.faults.map(({ id, message }) => `${id}: ${message}`)

t.test('a schema without parts compiles to the same bytes, and unowned keys are refused', async (t) => {
  const plain = compileSchema(schema(), { owned: OWNED_KEYS, catalog: null }).compiled
  t.same(compile(schema(), { idle: defineCompilePart({}) }).compiled, plain)
  t.notOk('plugins' in plain!)
  const keyed: CompilePart = { keys: { type: { shelf: { type: 'integer' } }, query: { shelf: { type: 'integer' } } } }
  const wrong = schema({
    types: [{ ...BOOK, shelf: 'x', fields: [{ ...BOOK.fields[0], shelf: 1 }] }],
    queries: [{ name: 'books', type: '[Book!]!', shelff: 1 }],
  })
  t.same(messages(compile(wrong, { keyed })), [
    'shape: Type "Book", field "id": unknown key "shelf". Keys: name, type, description, deprecated, default, requires_scope, requires_role, on_deny, filterable, orderable, computed, searchable, filter_type, filter_operators, hierarchy, vector_config, column, relation, authorize, external, shareable, inaccessible, tags, override, override_label, provides, requires, sql.',
    'shape: Type "Book": "shelf" is "x", which is no integer.',
    'shape: Query "books": unknown key "shelff". Did you mean "shelf"?',
  ])
})

t.test('every place takes keys', async (t) => {
  const places = [
    'schema',
    'type',
    'field',
    'interface',
    'union',
    'enum',
    'input',
    'input_field',
    'scalar',
    'query',
    'mutation',
    'subscription',
    'argument',
  ] as const
  const keys = Object.fromEntries(places.map((place) => [place, { mark: { const: place } }]))
  const marked = <T extends object>(place: string, element: T) => ({ ...element, mark: place })
  const field = marked('field', { name: 'id', type: 'ID!' })
  const { faults } = compile(
    marked('schema', {
      version: '1',
      types: [marked('type', { ...BOOK, fields: [field] }), { ...BOOK, name: 'Film', sql_source: 'v_film' }],
      interfaces: [marked('interface', { name: 'Named', sql_source: 'v_named', fields: [field] })],
      unions: [marked('union', { name: 'Any', members: ['Book', 'Film'], sql_source: 'v_any' })],
      enums: [marked('enum', { name: 'Kind', values: [{ name: 'A' }] })],
      input_types: [marked('input', { name: 'Want', fields: [marked('input_field', { name: 'a', type: 'Int' })] })],
      custom_scalars: [marked('scalar', { name: 'Money' })],
      queries: [
        marked('query', { name: 'book', type: 'Book', arguments: [marked('argument', { name: 'id', type: 'ID!' })] }),
      ],
      mutations: [marked('mutation', { name: 'add_book', type: 'Book', sql_source: 'fn_add' })],
      subscriptions: [marked('subscription', { name: 'book_added', type: 'Book', entity_type: 'Book' })],
    }) as AuthoredSchema,
    { keyed: { keys } },
  )
  t.same(faults, [])
})

t.test('blocks stand under their names and the one hash; what leaves something is required', async (t) => {
  const parts = {
    b: { compile: () => ({ block: { n: 1 } }) },
    a: { compile: () => ({ sdl: 'type X { y: Int }', requires: [] }) },
    none: { compile: () => undefined },
    other: { compile: () => ({ block: null, requires: ['jwt', 'other'] }) },
  }
  const { compiled } = compile(schema(), parts)
  t.same(compiled!.plugins, { a: { sdl: 'type X { y: Int }' }, b: { block: { n: 1 } }, other: { block: null } })
  t.same(compiled!.requires, ['b', 'jwt', 'other'])
  t.same(blockOf(linkSchema(compiled!), 'b'), { n: 1 })
  t.equal(blockOf(linkSchema(compiled!), 'c'), undefined)
  const changed = compile(schema(), { ...parts, b: { compile: () => ({ block: { n: 2 } }) } })
  t.not(changed.compiled!.content_hash, compiled!.content_hash)
  t.throws(() => linkSchema({ ...compiled!, plugins: {} }), { code: 'SVC_SCHEMA_FORMAT' })
})

t.test('checks: with a place, beside those of core, as a fault or a warning', async (t) => {
  const $place = { file: 'schema.ts', line: 7, column: 1 }
  const check = ({ schema: seen, catalog, options, fault, warn }: PartContext<unknown>): undefined => {
    t.same([catalog, options], [null, {}])
    const [book] = seen.types!
    fault('no-shelf', 'Type "Book" has no shelf. Add "shelf".', undefined, book)
    warn('dusty', 'Nobody reads it.')
  }
  const result = compile(schema({ types: [{ ...BOOK, $place }], queries: [{ name: 'books', type: '[Bok!]!' }] }), {
    shelves: { compile: check },
  })
  t.equal(result.compiled, null)
  t.match(result.faults, [{ id: 'shelves:no-shelf', place: $place }, { id: 'unknown-type' }])
  t.match(result.warnings, [{ id: 'shelves:dusty', place: null }])
})

t.test('a part that throws is named; over a schema with faults it is left alone', async (t) => {
  const broken = {
    compile() {
      throw new Error('cannot read it')
    },
  }
  const error = { code: 'SVC_PLUGIN_INVALID', message: 'The compile part of plugin "broken" failed: cannot read it' }
  t.throws(() => compile(schema(), { broken }), error)
  t.same(messages(compile(schema({ queries: [{ name: 'books', type: '[Bok!]!' }] }), { broken })).length, 1)
  const extend = () => {
    throw 'text'
  }
  t.throws(() => compile(schema(), { broken: { extend } }), { message: /plugin "broken" failed: text/ })
})

t.test('elements that a part adds are checked and compiled like any other', async (t) => {
  const adds: CompilePart = {
    extend: ({ types = [] }) => ({
      types: types.map(({ name, fields }) => ({ name: `${name}Copy`, sql_source: 'v_copy', fields })),
      queries: types.map(({ name }) => ({ name: `${name.toLowerCase()}_copies`, type: `[${name}Copy!]!` })),
    }),
  }
  const { compiled } = compile(schema(), { adds })
  t.same(
    compiled!.queries.map((query) => query.wire_name),
    ['books', 'bookCopies'],
  )
  const clash = compile(schema(), { adds: { extend: () => ({ types: [BOOK] }) } })
  t.match(messages(clash), [/^duplicate-name: /])
  t.throws(() => compile(schema(), { adds: { extend: () => ({ typs: [] }) as never } }), {
    code: 'SVC_PLUGIN_INVALID',
    message: /adds "typs"\. Did you mean "types"\?/,
  })
})

t.test('keys that a part cannot add', async (t) => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ query: { sql_source: {} } }, /"p" adds the key "sql_source" to "query", where svc has one/],
    [{ type: { relay: {} } }, /adds the key "relay" to "type", where svc has one/],
    [{ type: { Shelf: {} } }, /"Shelf" to "type"; a key is snake_case/],
    [{ tpye: { shelf: {} } }, /adds keys to "tpye"; elements that take keys: schema, type/],
    [{ validate: { shelf: {} } }, /adds keys to "validate"/],
    [{ type: { shelf: { type: 'txt' } } }, /the key "shelf" to "type" with no JSON Schema: schema is invalid/],
  ]
  for (const [keys, message] of wrong) {
    t.throws(() => compile(schema(), { p: { keys } }), { code: 'SVC_PLUGIN_INVALID', message })
  }
  const keyed = { keys: { type: { shelf: {} } } }
  t.throws(() => compile(schema(), { one: keyed, two: keyed }), {
    message: /"two" adds the key "shelf" .* plugin "one" has/,
  })
})

// proves: error.author-function
t.test('functions of the author: recorded, and required of who runs them', async (t) => {
  const one = { kind: 'middleware', name: 'log', module: './a.ts', export: 'log' }
  const runs: CompilePart = { functions: { middleware: 'Wraps requests.' } }
  const authored = schema({ author_functions: [{ ...one, $place: { file: 'a.ts', line: 1, column: 1 } }] })
  const { compiled } = compile(authored, { middleware: runs })
  t.same(compiled!.author_functions, [one])
  t.same(compiled!.requires, ['middleware'])
  t.match(messages(compile(authored, {})), [
    /^author-function: Function "log" is of the kind "middleware", .* Kinds that are run: validator\./,
  ])
  const slip = schema({ author_functions: [one, one, { ...one, kind: 'midleware' }] })
  t.match(messages(compile(slip, { middleware: runs })), [
    /two functions of the kind "middleware" with the name "log"/,
    /kind "midleware".* Did you mean "middleware"\? Kinds that are run: validator, middleware\./,
  ])
  t.match(messages(compile(schema({ author_functions: [{ kind: 'x', name: 'y' }] }), {})), [
    /^shape: Function "y": "module" is missing/,
    /^shape: Function "y": "export" is missing/,
  ])
})
