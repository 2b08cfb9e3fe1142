import t from 'tap'
import { printCompiledSchema } from '../../../core/compiler/emit.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import type { CompiledSchema } from '../../../core/schema/compiled.ts'
import { contentHash } from '../../../core/schema/content-hash.ts'
import { linkSchema } from '../../../core/schema/link/link.ts'
import { readCompiledSchema } from '../../../core/schema/read-compiled.ts'
import { compileArtifact } from '../../helpers/compile-fixture.ts'

const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Post',
      relay: true,
      implements: ['Named', 'Node'],
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String' },
        { name: 'author', type: 'User' },
      ],
    },
    {
      name: 'User',
      implements: ['Named'],
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String' },
        { name: 'posts', type: '[Post!]!' },
      ],
    },
  ],
  interfaces: [{ name: 'Named', fields: [{ name: 'name', type: 'String' }] }],
  unions: [{ name: 'Thing', members: ['Post', 'User'] }],
  enums: [{ name: 'Mood', values: [{ name: 'GOOD', value: 'good' }, { name: 'BAD' }] }],
  input_types: [{ name: 'Filter', fields: [{ name: 'some_mood', type: 'Mood!', default: 'GOOD' }] }],
  custom_scalars: [{ name: 'Isbn', module: './x.ts', export: 'isbn' }],
  queries: [
    { name: 'posts', type: '[Post!]!', relay: true },
    { name: 'things', type: '[Thing!]!', sql_source: 'v_thing' },
  ],
  mutations: [{ name: 'save_post', type: 'Post', arguments: [{ name: 'filter', type: 'Filter' }] }],
}

/** The artifact with something changed and the hash made right again, as a broken compiler would write it. */
function artifact(change: (schema: Record<string, unknown>) => void = () => {}): CompiledSchema {
  const plain = JSON.parse(JSON.stringify(compileArtifact(SCHEMA, null)))
  change(plain)
  return { ...plain, content_hash: contentHash(plain) }
}

t.test('every name is resolved to what it names', async (t) => {
  const codec = { serialize: (value: unknown) => value }
  const model = linkSchema(artifact(), { codecs: new Map([['Isbn', codec]]) })
  const { types } = model
  const post = types.get('Post')
  const user = types.get('User')
  const named = types.get('Named')
  const thing = types.get('Thing')
  if (post?.kind !== 'object' || user?.kind !== 'object') return t.fail('objects')
  if (named?.kind !== 'interface' || thing?.kind !== 'union') return t.fail('abstract types')
  t.equal(post.fields.get('author')?.named, user)
  t.equal(user.fields.get('posts')?.named, post)
  t.strictSame([user.fields.get('posts')?.list, post.fields.get('author')?.list], [true, false])
  t.strictSame(named.members, [post, user])
  t.strictSame(thing.members, [post, user])
  t.strictSame(post.interfaces, [named], 'Node is generated, not linked')
  t.strictSame(model.relayTypes, [post])
  t.match(post.cursor, { column: 'pk_post', columnType: null, document: null })
  t.match(types.get('Isbn'), { kind: 'scalar', custom: true, base: 'String', codec })
  t.match(types.get('DateTime'), { kind: 'scalar', custom: false, base: 'DateTime', codec: null })
  const mood = types.get('Mood')
  t.match(mood, {
    kind: 'enum',
    values: [
      { name: 'GOOD', value: 'good' },
      { name: 'BAD', value: 'BAD' },
    ],
  })
  t.strictSame(mood?.kind === 'enum' && [mood.toValue.get('GOOD'), mood.toName.get('good'), mood.toName.get('BAD')], [
    'good',
    'GOOD',
    'BAD',
  ])
  const filter = types.get('Filter')
  t.match(filter?.kind === 'input' && filter.fields.get('someMood'), {
    name: 'some_mood',
    named: mood,
    default: 'GOOD',
  })
  t.equal(model.mutations.get('savePost')?.arguments.get('filter')?.named, filter)
  t.equal(model.queries.get('things')?.typeColumn, '__typename')
  t.equal(model.queries.get('posts')?.source, model.sources.get('v_post'))
  t.equal(model.hash, model.compiled.content_hash)
})

t.test('the model cannot be changed', async (t) => {
  const model = linkSchema(artifact())
  const post = model.types.get('Post')
  t.ok(Object.isFrozen(model) && Object.isFrozen(post) && Object.isFrozen(model.relayTypes))
  t.ok(
    post?.kind === 'object' &&
      Object.isFrozen(post.fields.get('name')) &&
      Object.isFrozen(post.fields.get('name')?.type),
  )
})

t.test('an artifact of another version is refused', async (t) => {
  const refuse = (value: unknown, message: string | RegExp) =>
    t.throws(() => linkSchema(value as CompiledSchema), { code: 'SVC_SCHEMA_FORMAT', message }, String(message))
  refuse(null, 'The compiled schema cannot be used: it is not a JSON object. Run `svc compile` again.')
  refuse([], /not a JSON object/)
  refuse({}, 'This is not a compiled schema: it has no schema_format_version.')
  refuse(
    { types: [] },
    'This is not a compiled schema: it has no schema_format_version. It looks like a schema.json: run `svc compile` on it.',
  )
  refuse(
    artifact((schema) => Object.assign(schema, { schema_format_version: 2 })),
    'The compiled schema has format version 2, this svc reads version 1. Update svc, or compile with this version of it.',
  )
  refuse(
    artifact((schema) => Object.assign(schema, { schema_format_version: 0 })),
    'The compiled schema has format version 0, this svc reads version 1. Run `svc compile` again.',
  )
  refuse(
    artifact((schema) => Object.assign(schema, { queries: {} })),
    'The compiled schema cannot be used: "queries" is not a list. Run `svc compile` again.',
  )
  refuse(
    artifact((schema) => delete schema.sources),
    'The compiled schema cannot be used: "sources" is not an object. Run `svc compile` again.',
  )
  refuse(
    { ...artifact(), version: '2' },
    'The compiled schema was changed after it was compiled: its content_hash does not match. Change the schema source instead and run `svc compile`.',
  )
})

t.test('an artifact that names what it does not hold is refused', async (t) => {
  // biome-ignore lint/suspicious/noExplicitAny: breaks what the types forbid
  const broken = (change: (schema: any) => void, what: string) => {
    const message = `The compiled schema cannot be used: ${what}. Run \`svc compile\` again.`
    t.throws(() => linkSchema(artifact(change)), { code: 'SVC_SCHEMA_FORMAT', message }, what)
  }
  broken((schema) => (schema.types[0].fields[0].type = 'Nope'), 'it names the type "Nope" and does not hold it')
  broken((schema) => (schema.types[0].fields[0].type = '[x'), '"[x" is not a type')
  broken((schema) => (schema.queries[0].source = 'v_nope'), 'it names the source "v_nope" and does not hold it')
  broken((schema) => (schema.queries[0].source = 'toString'), 'it names the source "toString" and does not hold it')
  broken((schema) => (schema.mutations[0].function = 'fn_nope'), 'it names the function "fn_nope" and does not hold it')
})

t.test('reading the file', async (t) => {
  const folder = t.testdir({ 'good.json': JSON.stringify(artifact()), 'bad.json': '{"types": [', folder: {} })
  t.equal((await readCompiledSchema(`${folder}/good.json`)).schema_format_version, 1)
  await t.rejects(readCompiledSchema(`${folder}/none.json`), {
    code: 'SVC_SCHEMA_NOT_FOUND',
    message: `There is no compiled schema at ${folder}/none.json. Run \`svc compile\` first.`,
  })
  await t.rejects(readCompiledSchema(`${folder}/folder`), {
    code: 'SVC_SCHEMA_NOT_FOUND',
    message: /cannot be read: EISDIR/,
  })
  await t.rejects(readCompiledSchema(`${folder}/bad.json`), {
    code: 'SVC_SCHEMA_FORMAT',
    message: /is not JSON .* Run `svc compile` again\.$/,
  })
})

t.test('the time to link grows with the schema, and not with its square', async (t) => {
  const small = timeToLink(200)
  const big = timeToLink(2000)
  t.comment(`200 types: ${small.toFixed(0)} ms, 2,000 types: ${big.toFixed(0)} ms`)
  t.ok(big < small * 40, `ten times as many types take ${(big / small).toFixed(0)} times as long`)
})

/** Processor time, in milliseconds: what others do on the machine does not count. */
function timeToLink(count: number): number {
  const fields = Array.from({ length: 10 }, (_, i) => ({ name: `field_${i}`, type: 'String!' }))
  const artifact = compileArtifact(
    {
      version: '1',
      types: Array.from({ length: count }, (_, i) => ({
        name: `Type${i}`,
        fields: [{ name: 'id', type: 'ID!' }, ...fields, { name: 'next', type: `Type${(i + 1) % count}` }],
      })),
      queries: Array.from({ length: count }, (_, i) => ({ name: `all_${i}`, type: `[Type${i}!]!` })),
    },
    null,
  )
  const plain = JSON.parse(printCompiledSchema(artifact))
  const times = [1, 2, 3].map(() => {
    const started = process.cpuUsage()
    linkSchema(plain)
    const { user, system } = process.cpuUsage(started)
    return (user + system) / 1000
  })
  return Math.min(...times)
}
