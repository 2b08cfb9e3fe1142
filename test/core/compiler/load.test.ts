import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { loadSchema } from '../../../core/compiler/load.ts'
import { printSchemaJson, writeSchemaJson } from '../../../core/compiler/write-schema-json.ts'
import { loadSchema as loadCompiledSchema } from '../../../core/service/load-schema.ts'
import { compileArtifact } from '../../helpers/compile-fixture.ts'

/** Writes files into a folder of the test and returns the folder. tap's folders lie below the repository. */
function folderWith(t: Test, files: Record<string, string>): string {
  const folder = t.testdir()
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return folder
}

const TS = `import { field, ID, list, query, type } from 'svc/authoring'
import { Post } from './post.ts'

interface Unused {
  readonly a: string
}

@type({ sqlSource: 'v_user' })
export class User {
  @field(ID) id!: string

  @field(list(Post))
  posts!: Post[]
}

query('users', list(User))
`
const POST = `import { field, ID, type } from 'svc/authoring'
@type
export class Post { @field(ID) id!: string }
`
const JS = `import { ID, list, query, ref, type } from 'svc/authoring'
type('Post', { fields: { id: ID } })
type('User', { sqlSource: 'v_user', fields: { id: ID, posts: list(ref('Post')) } })
query('users', list(ref('User')))
`

const rejects = (path: string, options = {}): Promise<{ code: string; message: string }> =>
  loadSchema(path, options).then(
    () => ({ code: 'none', message: 'it loads' }),
    (error: { code: string; message: string }) => error,
  )

t.test('TypeScript, JavaScript and JSON give the same schema', async (t) => {
  const folder = folderWith(t, { 'schema.ts': TS, 'post.ts': POST, 'schema.js': JS, 'schema.mjs': JS })
  const fromTs = await loadSchema(join(folder, 'schema.ts'))
  t.equal(fromTs.module, join(folder, 'schema.ts'))
  const text = printSchemaJson(fromTs.schema)
  for (const file of ['schema.js', 'schema.mjs']) {
    t.equal(printSchemaJson((await loadSchema(join(folder, file))).schema), text, file)
  }
  const path = join(folder, 'schema.json')
  t.equal(await writeSchemaJson(fromTs.schema, path), true)
  t.equal(readFileSync(path, 'utf8'), text)
  t.equal(await writeSchemaJson(fromTs.schema, path), false, 'not written when nothing changes')
  const fromJson = await loadSchema(path)
  t.equal(fromJson.module, null)
  t.equal(printSchemaJson(fromJson.schema), text)
})

// proves: compile.places
t.test('elements carry their place', async (t) => {
  const folder = folderWith(t, { 'schema.ts': TS, 'post.ts': POST })
  const { schema } = await loadSchema(join(folder, 'schema.ts'))
  const [post, user] = schema.types ?? []
  t.strictSame(user?.$place, { file: join(folder, 'schema.ts'), line: 8, column: 2 })
  t.strictSame(
    user?.fields.map((one) => one.$place?.line),
    [10, 12],
  )
  t.equal(post?.$place?.file, join(folder, 'post.ts'))
  t.ok([2, 3].includes(post?.$place?.line ?? 0), 'a bare decorator: its own line or the class’s')
  t.strictSame(schema.queries?.[0]?.$place, { file: join(folder, 'schema.ts'), line: 16, column: 1 })

  const path = join(folder, 'schema.json')
  await writeSchemaJson(schema, path)
  const fromJson = (await loadSchema(path)).schema
  const lines = readFileSync(path, 'utf8').split('\n')
  const line = lines.findIndex((one) => one.includes('"User"'))
  t.strictSame(fromJson.types?.[1]?.$place, { file: path, line, column: 5 })
  t.match(lines[(fromJson.types?.[1]?.fields[1]?.$place?.line ?? 0) - 1], /^ {8}\{$/)
})

t.test('an ES module whatever package.json says', async (t) => {
  for (const manifest of ['{ "type": "commonjs" }', '{}']) {
    const folder = folderWith(t, {
      'package.json': manifest,
      'schema.ts': TS.replace('./post.ts', './post.js'),
      'post.ts': POST,
    })
    t.equal((await loadSchema(join(folder, 'schema.ts'))).schema.types?.length, 2, manifest)
  }
  const folder = folderWith(t, { 'package.json': '{}', 'schema.js': JS })
  t.equal((await loadSchema(join(folder, 'schema.js'))).schema.types?.length, 2)
})

t.test('every load reads the files again, also those that are imported', async (t) => {
  const folder = folderWith(t, { 'schema.ts': TS, 'post.ts': POST })
  const path = join(folder, 'schema.ts')
  const [first, second] = await Promise.all([loadSchema(path), loadSchema(path)])
  t.strictSame(first.schema, second.schema, 'two loads at a time do not mix')
  writeFileSync(join(folder, 'post.ts'), POST.replace('id!', 'key!'))
  const { schema } = await loadSchema(path)
  t.equal(schema.types?.[0]?.fields[0]?.name, 'key')
})

t.test('the old decorators of a tsconfig do not reach the schema', async (t) => {
  const tsconfig = '{ "compilerOptions": { "experimentalDecorators": true } }'
  const folder = folderWith(t, { 'tsconfig.json': tsconfig, 'schema.ts': TS, 'post.ts': POST })
  t.equal((await loadSchema(join(folder, 'schema.ts'))).schema.types?.length, 2)
})

t.test('modules that cannot be loaded', async (t) => {
  const folder = folderWith(t, {
    'missing.ts': `import './nowhere.ts'`,
    'far.ts': `\nimport './missing.ts'`,
    'near.ts': `import { post } from './poost.ts'\nexport const a = post`,
    'package.ts': `import {\n  a,\n} from 'no-such-package'\nexport const b = a`,
    'lost.ts': `\nimport {\n  first,\n  secnd,\n} from './second.ts'\nexport const b = [first, secnd]`,
    'second.ts': `export const first = 1\nexport const second = 2`,
    'authoring.ts': `import { ID, lst } from 'svc/authoring'\nexport const b = [ID, lst]`,
    'post.ts': '',
    'syntax.ts': `const a = 1\nconst b = = 2\n`,
    'throws.ts': `\nthrow new TypeError('no luck')`,
    'throws-text.ts': `throw 'luck'`,
    'early.ts': `import { field, type } from 'svc/authoring'\n@type class A { @field(B) b!: B }\n@type class B {}`,
    'faults.ts': `import { query, String } from 'svc/authoring'\nquery('a', String, { sqlsource: 'v' } as never)`,
    'notes.txt': '',
  })
  const messages: Record<string, [string, RegExp]> = {
    'missing.ts': ['SVC_SCHEMA_INVALID', /missing\.ts:1:8: there is no file "\.\/nowhere\.ts"\.$/],
    'far.ts': ['SVC_SCHEMA_INVALID', /missing\.ts:1:8: there is no file "\.\/nowhere\.ts"\.$/],
    'near.ts': [
      'SVC_SCHEMA_INVALID',
      /near\.ts:1:22: there is no file "\.\/poost\.ts"\. Did you mean "\.\/post\.ts"\?/,
    ],
    'package.ts': [
      'SVC_SCHEMA_INVALID',
      /package\.ts:3:8: the package "no-such-package" is not installed.*npm install/,
    ],
    'lost.ts': ['SVC_SCHEMA_INVALID', /lost\.ts:4:3: "\.\/second\.ts" exports no "secnd"\. Did you mean "second"\?/],
    'authoring.ts': [
      'SVC_SCHEMA_INVALID',
      /authoring\.ts:1:14: "svc\/authoring" exports no "lst"\. Did you mean "list"\?/,
    ],
    'syntax.ts': ['SVC_SCHEMA_INVALID', /syntax\.ts:2:11: this is no TypeScript: Unexpected "="$/],
    'throws.ts': ['SVC_SCHEMA_INVALID', /throws\.ts:2:7: TypeError: no luck/],
    'throws-text.ts': ['SVC_SCHEMA_INVALID', /throws-text\.ts: the module throws luck/],
    'early.ts': [
      'SVC_SCHEMA_INVALID',
      /early\.ts:2:\d+: ReferenceError: Cannot access 'B' .*given as a function: \(\) => B/,
    ],
    'faults.ts': [
      'SVC_SCHEMA_INVALID',
      /faults\.ts:2:1: query "a" has no option "sqlsource"\. Did you mean "sqlSource"/,
    ],
    'nothing.ts': ['SVC_SCHEMA_NOT_FOUND', /There is no schema at .*nothing\.ts.*svc init/],
    'notes.txt': ['SVC_USAGE', /notes\.txt is no schema: svc compile reads \.ts, \.mts, \.js, \.mjs, \.py, \.json/],
  }
  for (const [file, [code, message]] of Object.entries(messages)) {
    const error = await rejects(join(folder, file))
    t.equal(error.code, code, file)
    t.match(error.message, message)
    t.notMatch(error.message, 'svc-run')
  }
  t.equal((await rejects(folder)).code, 'SVC_SCHEMA_NOT_FOUND', 'a folder is no schema')
})

t.test('JSON that cannot be read', async (t) => {
  const texts: [string, RegExp][] = [
    ['', /:1:1: the text ends too early/],
    ['[]', /:1:1: a schema is one JSON object/],
    ['{\n  "version": "1",\n  "types": [}\n', /:3:13: expected a value/],
    ['{ "types": [] "queries": [] }', /:1:15: expected "," or "}"/],
    ['{ "types": [1 2] }', /:1:15: expected "," or "]"/],
    ['{ "types" [] }', /:1:11: expected ":" behind the key "types"/],
    ['{ types: [] }', /:1:3: expected a key in double quotes/],
    ['{ "a": 1, "a": 2 }', /:1:11: the key "a" stands twice/],
    ['{ "a": "x }', /:1:8: this text has no closing quote/],
    ['{ "a": "x\ty" }', /:1:8: this text holds a character that must be escaped/],
    ['{ "a": nul }', /:1:8: "nul" is not a JSON value/],
    ['{} x', /:1:4: expected the end of the text/],
    ['{ "a": 1, }', /:1:11: expected a key in double quotes/],
  ]
  const folder = folderWith(t, {})
  for (const [text, message] of texts) {
    writeFileSync(join(folder, 'schema.json'), text)
    const error = await rejects(join(folder, 'schema.json'))
    t.equal(error.code, 'SVC_SCHEMA_INVALID')
    t.match(error.message, message, text)
  }
  writeFileSync(join(folder, 'schema.json'), '\uFEFF{ "version": "1", "types": [null, { "name": "A", "fields": [] }] }')
  const { schema } = await loadSchema(join(folder, 'schema.json'))
  t.equal(schema.types?.[1]?.$place?.column, 35)
})

t.test('the functions of a scalar are found where they are exported', async (t) => {
  const scalars = `import { Decimal, scalar } from 'svc/authoring'
export const Money = scalar('Money', { baseType: Decimal, parse: (value) => 'parsed ' + value })
@scalar() export class Slug {
  static serialize(value: unknown) { return 'out ' + this.name + value }
  static parse_value(value: unknown) { return 'in ' + value }
  static parse_literal(ast: unknown) { return 'lit ' + ast }
}
export const Plain = scalar('Plain')
`
  const schema = `import { list, query, type } from 'svc/authoring'
import { Money } from './lib/scalars.ts'
query('prices', list(type('Price', { sqlSource: 'v_price', fields: { amount: Money } })))
`
  const folder = folderWith(t, { 'schema.ts': schema, 'lib/scalars.ts': scalars })
  const loaded = (await loadSchema(join(folder, 'schema.ts'))).schema
  t.match(JSON.parse(printSchemaJson(loaded)), {
    modules: [{ path: './lib/scalars.ts' }],
    custom_scalars: [
      { name: 'Money', base_type: 'Decimal', module: './lib/scalars.ts', export: 'Money' },
      { name: 'Slug', module: './lib/scalars.ts', export: 'Slug' },
      { name: 'Plain', module: undefined },
    ],
  })
  const artifact = compileArtifact(loaded, null)
  writeFileSync(join(folder, 'schema.compiled.json'), JSON.stringify(artifact))
  const { types } = await loadCompiledSchema(join(folder, 'schema.compiled.json'))
  const codecOf = (name: string) => {
    const type = types.get(name)
    return type?.kind === 'scalar' ? type.codec : null
  }
  t.equal(codecOf('Money')?.parse?.(1), 'parsed 1')
  t.equal(codecOf('Money')?.serialize, undefined)
  const { serialize, parse, parseLiteral } = codecOf('Slug') ?? {}
  t.equal(serialize?.(1), 'out Slug1', 'a static method keeps its this')
  t.equal(parse?.(1), 'in 1')
  t.equal(parseLiteral?.(1), 'lit 1')
  t.equal(codecOf('Plain'), null)

  const elsewhere = (await loadSchema(join(folder, 'schema.ts'), { baseDir: join(folder, 'conf') })).schema
  t.equal(elsewhere.custom_scalars?.[0]?.module, '../lib/scalars.ts', 'relative to svc.toml')

  writeFileSync(
    join(folder, 'lib/scalars.ts'),
    scalars.replace('export const Money', 'export { Money }\nconst Money').replaceAll('export class', 'class'),
  )
  const hidden = await rejects(join(folder, 'schema.ts'))
  t.match(hidden.message, /scalars\.ts:4:2: scalar "Slug" has functions .* Export it: export const Slug = …/)
})

t.test('a $schema that was chosen stays', async (t) => {
  const folder = folderWith(t, { 'schema.json': '{ "$schema": "./own.json" }', 'schema.js': JS })
  await writeSchemaJson((await loadSchema(join(folder, 'schema.js'))).schema, join(folder, 'schema.json'))
  t.match(readFileSync(join(folder, 'schema.json'), 'utf8'), /^\{\n {2}"\$schema": "\.\/own\.json",\n {2}"version"/)
})

t.test('the published JSON Schema is the one that schema.json names', async (t) => {
  const published = JSON.parse(readFileSync('docs/reference/schema.schema.json', 'utf8'))
  t.match(printSchemaJson({ version: '1' }), published.$id)
})
