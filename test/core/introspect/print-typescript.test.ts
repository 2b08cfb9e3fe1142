import { readFileSync } from 'node:fs'
import t from 'tap'
import { printTypeScript } from '../../../core/introspect/print/print-typescript.ts'
import type { AuthoredField, AuthoredSchema, AuthoredType } from '../../../core/schema/authored.ts'
import { EVERYTHING } from './every-option.ts'
import { loadPrinted, withoutPlaces } from './load-printed.ts'

const id: AuthoredField = { name: 'id', type: 'ID!' }
const EMPTY: AuthoredSchema = { version: '2.0.0', types: [], queries: [], mutations: [] }

t.test('a printed schema loads as the same schema', async (t) => {
  for (const split of [false, true]) {
    const files = printTypeScript(EVERYTHING, { split })
    t.same(await loadPrinted(files), EVERYTHING, split ? 'of several files' : 'of one file')
    t.equal(files.length > 1, split)
  }
})

t.test('the schemas of the repository are printed', async (t) => {
  for (const path of ['examples/chinook/schema.json', 'test/golden/init/schema.json', 'bench/real/schema.json']) {
    const schema = withoutPlaces(JSON.parse(readFileSync(path, 'utf8')) as AuthoredSchema)
    const { $schema: _, modules = [], author_functions: functions = [], ...rest } = schema
    t.same([modules, functions], [[], []], path)
    for (const split of [false, true]) {
      const loaded = await loadPrinted(printTypeScript(schema, { split }))
      t.same(loaded, { mutations: [], ...rest, version: '2.0.0' }, path)
    }
  }
})

t.test('many types are printed in several files, in the same order', async (t) => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const names = letters.flatMap((letter) => [`${letter}a`, `${letter}b`, `${letter}c`])
  const types = names.map((name, i): AuthoredType => {
    const other = names[(i * 7 + 5) % names.length]!
    const fields = [id, { name: 'other', type: `${other}!` }, { name: 'others', type: `[${other}!]!` }]
    return { name, sql_source: i < 40 ? name : `sales.${name}`, fields }
  })
  const schema = { ...EMPTY, types, queries: [{ name: 'all', type: '[Zc!]!' }] }
  const files = printTypeScript(schema)
  t.same(
    files.map(({ path }) => path),
    ['schema.ts', 'schema/main-a-h.ts', 'schema/main-i-n.ts', 'schema/sales-n-u.ts', 'schema/sales-v-z.ts'],
  )
  t.same(await loadPrinted(files), schema)
  const few = types.slice(0, 30).map((type) => ({ ...type, fields: [id] }))
  t.same(printTypeScript({ ...EMPTY, types: few }).length, 1, 'thirty types are one file')
  const alike = { ...EMPTY, types: Array.from({ length: 60 }, (_, i) => ({ name: `T${i}`, fields: [id] })) }
  t.same(
    printTypeScript(alike).map(({ path }) => path),
    ['schema.ts', 'schema/t.ts', 'schema/t-2.ts', 'schema/t-3.ts'],
  )
  t.same(await loadPrinted(printTypeScript(alike)), alike, 'of one letter')
  const scattered = { ...schema, types: [...types].sort((a, b) => (a.name.slice(1) < b.name.slice(1) ? -1 : 1)) }
  t.same(await loadPrinted(printTypeScript(scattered)), scattered, 'in any order')
})

t.test('a schema that no module can declare is refused with the element', async (t) => {
  const refused = (schema: object, message: RegExp) =>
    t.throws(() => printTypeScript({ ...EMPTY, ...schema }), { code: 'SVC_USAGE', message })
  const refusedTypes = (types: readonly object[], message: RegExp) => refused({ types }, message)
  refused(
    { author_functions: [{ kind: 'hook', name: 'h', module: 'm', export: 'e' }] },
    /The hook h .*function of the author/,
  )
  refused({ modules: [{ path: './a.ts' }] }, /module of the author, \.\/a\.ts/)
  refused({ custom_scalars: [{ name: 'S', module: './a.ts', export: 'S' }] }, /The scalar S .*module of the author/)
  refusedTypes([{ name: 'A b', fields: [] }], /"A b"/)
  refusedTypes([{ name: 'A', fields: [{ name: 'b', type: 'Nowhere' }] }], /The type A, field b, .*no type Nowhere/)
  refusedTypes([{ name: 'A', fields: [{ name: 'b', type: '[Int' }] }], /"\[Int" is no type/)
  refusedTypes(
    [
      { name: 'A', fields: [] },
      { name: 'A', fields: [] },
    ],
    /two elements/,
  )
  refused({ enums: [{ name: 'E', values: [] }] }, /The enum E .*no values/)
  refused(
    { input_types: [{ name: 'I', fields: [], validate: { type: 'required', value: 1 } }] },
    /The input I .*"type" is no/,
  )
})
