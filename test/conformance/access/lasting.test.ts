import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { definePlugin, SvcError } from '../../../core/doors/plugin.ts'
import type { AuthoredSchema, AuthoredType } from '../../../core/schema/authored.ts'
import { linkSchema } from '../../../core/schema/link/link.ts'
import rest from '../../../plugins/rest/index.ts'
import scopes from '../../../plugins/scopes/index.ts'
import sse from '../../../plugins/sse/index.ts'
import part from '../../../plugins/subscriptions/compile.ts'
import { compileArtifact, readCatalogFor } from '../../helpers/compile-fixture.ts'
import { eachDatabase, type TestDatabase } from '../../helpers/databases.ts'
import type { TestLike } from '../../helpers/services.ts'
import { authOf, type TestCaller } from '../../helpers/test-credential.ts'
import { openShop, type Shop, until } from '../../plugins/subscriptions/shop.ts'
import { librarySchema, MYSQL_SQL, POSTGRES_SQL, SQLITE_SCRIPTS, SQLITE_SQL } from './library.ts'
import { type HeardStream, STREAM_WAYS, type StreamWay } from './stream-ways.ts'

/**
 * What changes while streams last, on every transport of changes and every database: from then on ann is told what
 * she may know by now. Bob, whom it does not concern, goes on.
 */
t.setTimeout(600_000)

const WAYS = Object.keys(STREAM_WAYS) as readonly StreamWay[]

interface Change {
  /** What ann is told of rows of bob's afterwards. */
  readonly hides: 'rows' | 'field' | 'all'
  readonly schema?: (base: AuthoredSchema) => AuthoredSchema
  readonly rights?: (rights: Map<string, TestCaller | null>) => void
}

const changeBook = (change: (type: AuthoredType) => Partial<AuthoredType>) => (base: AuthoredSchema) => ({
  ...base,
  types: base.types?.map((type) => (type.name === 'Book' ? { ...type, ...change(type) } : type)) ?? [],
})
const ANN: TestCaller = { subject: 'ann', roles: ['writer', 'member'], claims: { tenant: 'a' } }
const BOB: TestCaller = {
  subject: 'bob',
  roles: ['reader', 'member'],
  scopes: ['read:title'],
  claims: { tenant: 'a', name: 'bob' },
}

const CHANGES: Readonly<Record<string, Change>> = {
  'a reload with rows of the caller alone (inject)': {
    hides: 'rows',
    schema: changeBook(() => ({ inject: { owner: 'jwt:sub' } })),
  },
  'a reload with rows of the caller alone (row_filter)': {
    hides: 'rows',
    schema: changeBook(() => ({ row_filter: 'owner = {user}' })),
  },
  'a reload with a claim that the caller lacks (inject)': {
    hides: 'all',
    schema: changeBook(() => ({ inject: { owner: 'jwt:name' } })),
  },
  'a reload with a role for the type': { hides: 'all', schema: changeBook(() => ({ requires_role: 'reader' })) },
  'a reload with a scope for a field': {
    hides: 'field',
    schema: changeBook(({ fields }) => ({
      fields: fields.map((field) => (field.name === 'title' ? { ...field, requires_scope: 'read:title' } : field)),
    })),
  },
  'a role that is taken away': { hides: 'all', rights: (all) => void all.set('ann', { ...ANN, roles: ['writer'] }) },
  'a claim that is another': {
    hides: 'all',
    rights: (all) => void all.set('ann', { ...ANN, claims: { tenant: 'b' } }),
  },
  'the end of the credential': { hides: 'all', rights: (all) => void all.set('ann', null) },
}

function schemaOf(base: AuthoredSchema): AuthoredSchema {
  return {
    ...base,
    types: base.types?.map((type) => (type.name === 'Book' ? { ...type, open: true } : type)) ?? [],
    mutations: base.mutations?.filter(({ name }) => name === 'touch') ?? [],
    subscriptions: [{ name: 'book_changed', type: 'Book!' }],
  }
}

/** Who says to be somebody has the rights of that one at this moment. */
const members = (rights: ReadonlyMap<string, TestCaller | null>) =>
  definePlugin({ name: 'members', version: '1.0.0', kernelApi: 1, description: 'A test.' }, (scope) => {
    scope.credentials({ in: 'header', name: 'X-Member', scheme: 'key' })
    scope.on('authenticate', (ctx) => {
      const name = ctx.headers['x-member']
      if (typeof name !== 'string') return undefined
      const caller = rights.get(name) ?? null
      if (caller === null) throw new SvcError('UNAUTHENTICATED', 'The member has left.')
      ctx.context = { ...ctx.context, user: name }
      return authOf(caller)
    })
  })

async function lasting(t: TestLike, test: TestDatabase, { hides, schema, rights: take }: Change): Promise<void> {
  const rights = new Map<string, TestCaller | null>([
    ['ann', ANN],
    ['bob', BOB],
  ])
  const app = await openShop(t, test, schemaOf(librarySchema()), {
    plugins: [members(rights), scopes, rest, sse].map((plugin) => ({ plugin, options: {}, source: 'test' })) as never,
    subscriptions: { recheck_secs: 1 },
  })
  const touch = async (who: string): Promise<void> => {
    const document = `mutation { touch(id: "${who}-1") { id } }`
    const { errors } = await app.graphql(document, {}, { 'x-member': who })
    t.strictSame(errors, undefined, `${who} may write`)
  }
  const listen = async (way: StreamWay, who: string): Promise<HeardStream> => {
    const before = app.metric('svc_subscriptions_active')
    const heard = await STREAM_WAYS[way](t, app.url, { 'x-member': who })
    await until(() => heard.isOver() || app.metric('svc_subscriptions_active') > before, `${way} begins`)
    return heard
  }
  const all: { way: StreamWay; ann: HeardStream; bob: HeardStream }[] = []
  for (const way of WAYS) all.push({ way, ann: await listen(way, 'ann'), bob: await listen(way, 'bob') })
  const told = ({ ann, bob }: Pick<(typeof all)[number], 'ann' | 'bob'>, text: string): boolean =>
    ann.text().includes(text) && bob.text().includes(text)
  await touch('bob')
  for (const one of all) await until(() => told(one, '"bob-1"') && told(one, 'Of bob'), `${one.way}: both are told`)

  if (schema !== undefined) {
    t.equal(await reload(app, schema), 'swapped')
    const ofResource = all.find(({ way }) => way === 'REST over SSE')!
    // These end with the schema, as documented, and browsers come back.
    await until(() => ofResource.ann.isOver() && ofResource.bob.isOver(), 'streams of resources end')
    Object.assign(ofResource, {
      ann: await listen('REST over SSE', 'ann'),
      bob: await listen('REST over SSE', 'bob'),
    })
  }
  take?.(rights)
  if (take !== undefined) for (const { way, ann } of all) await until(() => ann.isOver(), `${way}: ann is let go`)
  const from = new Map(all.flatMap(({ ann, bob }) => [ann, bob]).map((heard) => [heard, heard.text().length]))
  const since = (heard: HeardStream): string => heard.text().slice(from.get(heard)!)
  await touch('bob')
  if (hides !== 'all') await touch('ann')
  for (const { way, ann, bob } of all) {
    await until(() => since(bob).includes('"bob-1"'), `${way}: bob is told`)
    if (hides === 'rows') await until(() => since(ann).includes('"ann-1"'), `${way}: ann is told of hers`)
    if (hides === 'field') await until(() => since(ann).includes('"bob-1"'), `${way}: ann is told of the row`)
    // It ends, and is told no more of it than that.
    if (hides === 'all') await until(() => ann.isOver(), `${way}: ann does not wait for it`)
  }
  await sleep(60)
  for (const { way, ann, bob } of all) {
    t.match(since(bob), 'Of bob', `${way}: its twin is told all (${since(bob)})`)
    if (hides !== 'field') t.notMatch(since(ann), /bob/, `${way}: hidden (${since(ann)})`)
    else t.notMatch(since(ann), /Of /, `${way}: hidden (${since(ann)})`)
    t.notOk(bob.isOver(), `${way}: and listens on`)
    ann.end()
    bob.end()
  }
}

/** The schema as a reload brings it. */
async function reload(app: Shop, schema: (base: AuthoredSchema) => AuthoredSchema): Promise<string> {
  const authored = schemaOf(schema(librarySchema()))
  const { dialect } = app.database
  const parts = [{ plugin: 'subscriptions', part: part as never, options: {} }]
  const catalog = await readCatalogFor(authored, app.database)
  const linked = linkSchema(compileArtifact(authored, catalog, { dialect, parts }))
  return (await app.kernel.reload(async () => linked, {})).result
}

await eachDatabase(
  t,
  async (t, test) => {
    for (const [name, change] of Object.entries(CHANGES)) await t.test(name, (t) => lasting(t, test, change))
  },
  { sql: POSTGRES_SQL, sqlite: { sql: SQLITE_SQL, scripts: SQLITE_SCRIPTS }, mysql: { sql: MYSQL_SQL } },
)
