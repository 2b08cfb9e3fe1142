import { readFileSync } from 'node:fs'
import t from 'tap'
import { printPython } from '../../../core/introspect/print/python/print-python.ts'
import type { AuthoredField, AuthoredSchema, AuthoredType } from '../../../core/schema/authored.ts'
import { requirePython } from '../../helpers/python.ts'
import { EVERYTHING } from './every-option.ts'
import { loadPrinted, withoutPlaces } from './load-printed.ts'

const id: AuthoredField = { name: 'id', type: 'ID!' }
const EMPTY: AuthoredSchema = { version: '2.0.0', types: [], queries: [], mutations: [] }

/** An empty list of arguments is none. */
function withoutEmptyArguments(schema: AuthoredSchema): AuthoredSchema {
  const text = JSON.stringify(schema, (key, value) => (key === 'arguments' && value.length === 0 ? undefined : value))
  return JSON.parse(text)
}

t.test('a printed schema loads as the same schema', async (t) => {
  if (requirePython(t) === null) return
  const everything = withoutEmptyArguments(EVERYTHING)
  t.same(await loadPrinted(printPython(EVERYTHING)), everything)
  // `list` and `Object` cannot be found from other files.
  t.equal(printPython(EVERYTHING, { split: true }).length, 1)
  const { types = [], ...rest } = everything
  const ordinary = { ...rest, types: types.filter(({ name }) => name !== 'list') }
  const files = printPython(ordinary, { split: true })
  t.same(
    files.map(({ path }) => path),
    ['schema.py', ...['values', 'interfaces', 'p_e', 'unions', 'inputs'].map((name) => `schema_parts/${name}.py`)],
  )
  t.same(await loadPrinted(files), ordinary)
})

t.test('the schemas of the repository are printed', async (t) => {
  if (requirePython(t) === null) return
  for (const path of ['examples/chinook/schema.json', 'test/golden/init/schema.json', 'bench/real/schema.json']) {
    const { $schema: _, ...rest } = withoutPlaces(JSON.parse(readFileSync(path, 'utf8')) as AuthoredSchema)
    for (const split of [false, true]) {
      const loaded = await loadPrinted(printPython(rest, { split }))
      t.same(loaded, { mutations: [], ...withoutEmptyArguments(rest), version: '2.0.0' }, path)
    }
  }
})

t.test('many types are printed in several files, in the same order', async (t) => {
  if (requirePython(t) === null) return
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const names = letters.flatMap((letter) => [`${letter}a`, `${letter}b`, `${letter}c`])
  const types = names.map((name, i): AuthoredType => {
    const other = names[(i * 7 + 5) % names.length]!
    const fields = [id, { name: 'other', type: `${other}!` }, { name: 'others', type: `[${other}!]!` }]
    return { name, sql_source: i < 40 ? name : `import.${name}`, fields }
  })
  const schema = { ...EMPTY, types, queries: [{ name: 'all', type: '[Zc!]!' }] }
  const files = printPython(schema)
  t.same(
    files.map(({ path }) => path),
    ['schema.py', ...['main_a_h', 'main_i_n', 'import_n_u', 'import_v_z'].map((name) => `schema_parts/${name}.py`)],
  )
  t.same(await loadPrinted(files), schema)
  const few = types.slice(30, 60).map((type) => ({ ...type, fields: [id] }))
  t.same(printPython({ ...EMPTY, types: few }).length, 1, 'thirty types are one file')
  const keyword = types.slice(36, 44)
  const named = printPython(
    { ...schema, types: [...keyword, ...types.slice(75)].map((type) => ({ ...type, fields: [id] })) },
    { split: true },
  )
  t.same(named.map(({ path }) => path).slice(1), ['schema_parts/main.py', 'schema_parts/import_.py'])
  t.equal((await loadPrinted(named)).types?.length, keyword.length + 3, 'a schema with the name of a keyword')
})

t.test('names that Python or the printed module uses', async (t) => {
  if (requirePython(t) === null) return
  const names = [
    'None',
    'list',
    'str',
    'svc',
    'enum',
    'Annotated',
    'Exception',
    'class',
    'annotations',
    'TYPE_CHECKING',
  ]
  const fields = [...names, 'class_', 'self', 'print', 'mro'].map((name) => ({ name, type: 'String!' }))
  const schema = {
    ...EMPTY,
    types: names.map((name) => ({ name, fields: [...fields, { name: 'all', type: `[${name}]` }] })),
    enums: [
      { name: 'Word', values: ['from', 'mro', 'value', 'name', 'None'].map((name) => ({ name })) },
      { name: 'Sort', values: [{ name: 'value', value: 'a"\\\n' }, { name: 'name' }] },
    ],
    queries: ['list', 'None', 'Word', 'svc', 'lambda', 'export', 'lambda_'].map((name) => ({
      name,
      type: 'Word',
      arguments: ['from', 'self', 'svc', 'from_'].map((one) => ({ name: one, type: '[list!]' })),
    })),
    mutations: [{ name: 'export', type: 'str!' }],
  }
  t.same(await loadPrinted(printPython(schema)), schema)
})

t.test('long lines are broken', async (t) => {
  if (requirePython(t) === null) return
  const long = 'A text that is too long for a line of a hundred and twenty letters, with more words behind'
  const schema = {
    ...EMPTY,
    types: [
      {
        name: 'Post',
        description: long,
        sql_source: 'v_post',
        fields: [
          { name: 'title', type: 'String!', description: long, deprecated: long, column: 'a' },
          { ...id, deprecated: long },
        ],
      },
    ],
    enums: [
      { name: 'Mood', description: long, values: [{ name: 'GOOD', value: 'g', description: long, deprecated: long }] },
    ],
    queries: [
      {
        name: 'posts',
        type: '[Post!]!',
        description: long,
        arguments: [
          { name: 'a', type: 'Int', description: long },
          ...'bcdefghi'.split('').map((name) => ({ name, type: '[String!]!' })),
        ],
      },
    ],
  }
  const files = printPython(schema)
  t.same(await loadPrinted(files), schema)
  const width = Math.max(...files[0]!.text.split('\n').map((line) => line.length))
  t.ok(width <= 120, `the longest line has ${width} letters`)
})

t.test('a schema that no module can declare is refused with the element', async (t) => {
  const refused = (schema: object, message: RegExp) =>
    t.throws(() => printPython({ ...EMPTY, ...schema }), { code: 'SVC_USAGE', message })
  const functions = [{ kind: 'hook', name: 'h', module: 'm', export: 'e' }]
  refused({ author_functions: functions }, /The hook h .*function of the author/)
  refused({ custom_scalars: [{ name: 'S', module: './a.ts', export: 'S' }] }, /The scalar S .*module of the author/)
  refused(
    { types: [{ name: 'A', fields: [{ name: 'b', type: 'Nowhere' }] }] },
    /The type A, field b, .*no type Nowhere/,
  )
  refused({ unions: [{ name: 'U', members: ['Nowhere'] }] }, /The union U .*no type Nowhere/)
  refused({ enums: [{ name: 'E', values: [] }] }, /The enum E .*no values/)
  refused({ enums: [{ name: 'E', values: [{ name: '_a' }, { name: 'from' }] }] }, /value _a, .*begins with _/)
  const twice = [
    { name: 'a', type: 'Int' },
    { name: 'a', type: 'Int' },
  ]
  refused({ queries: [{ name: 'q', type: 'Int', arguments: twice }] }, /The query q .*two arguments/)
})
