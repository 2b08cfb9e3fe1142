import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import type { AuthoredSchema } from '../../core/doors/command.ts'
import { jsonText, rootsOf, type TypeRef } from '../../core/doors/front.ts'
import {
  type CommittedWrite,
  type Exchange,
  errorAt,
  type ObjectSelection,
  type ObjectType,
  type Operation,
  type Result,
  type RootSelection,
  type Scope,
} from '../../core/doors/plugin.ts'
import { projectRow } from '../../core/engine/execute/changes/project-row.ts'
import { testPlugin } from '../../core/testing/testing.ts'
import type { GraphQLApi, RequestedRows } from '../../plugins/graphql/api.ts'
import graphqlPlugin from '../../plugins/graphql/index.ts'
import { createPglite } from '../helpers/databases.ts'
import { entry, plugin } from '../helpers/kernel.ts'
import { openApp } from '../helpers/open-app.ts'
import { as, testCredential } from '../helpers/test-credential.ts'

type RowsRoot = Extract<RootSelection, { kind: 'rows' }>

/**
 * Miniatures of larger plugins (federation, a response cache, subscriptions), written against the public API alone. They check that the
 * API suffices for third parties, and that guards hold for them (docs/guides/write-a-plugin.md).
 */

const SQL = `
CREATE TABLE tb_shelf (id int PRIMARY KEY, label text NOT NULL);
CREATE TABLE tb_book (id int PRIMARY KEY, isbn text NOT NULL, part int NOT NULL, title text NOT NULL, owner text, fk_shelf int);
INSERT INTO tb_shelf VALUES (1, 'A'), (2, 'B');
INSERT INTO tb_book VALUES (1, 'x', 1, 'One', 'ann', 1), (2, 'x', 2, 'Two', 'bob', 1), (3, 'y', 1, 'Three', NULL, 2);
CREATE VIEW v_shelf AS SELECT id, id AS pk_shelf, label FROM tb_shelf;
CREATE VIEW v_book AS SELECT * FROM tb_book;
CREATE FUNCTION fn_retitle(p_id int, p_title text) RETURNS SETOF v_book LANGUAGE sql AS $$
  UPDATE tb_book SET title = p_title WHERE id = p_id; SELECT * FROM v_book WHERE id = p_id $$;
CREATE FUNCTION fn_burn(p_id int) RETURNS jsonb LANGUAGE sql AS $$
  DELETE FROM tb_book WHERE id = p_id RETURNING to_jsonb(tb_book) $$;
`
const id = { name: 'id', type: 'ID!' }
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Book',
      sql_source: 'v_book',
      fields: [
        id,
        { name: 'isbn', type: 'String!' },
        { name: 'part', type: 'Int!' },
        { name: 'title', type: 'String!' },
        { name: 'owner', type: 'String' },
        { name: 'shelf', type: 'Shelf' },
      ],
    },
    {
      name: 'Shelf',
      sql_source: 'v_shelf',
      fields: [id, { name: 'label', type: 'String!' }, { name: 'books', type: '[Book!]!' }],
    },
  ],
  queries: [
    { name: 'books', type: '[Book!]!', sql_source: 'v_book', additional_views: ['v_shelf'] },
    { name: 'shelves', type: '[Shelf!]!', sql_source: 'v_shelf' },
  ],
  mutations: [
    {
      name: 'retitle',
      type: 'Book',
      sql_source: 'fn_retitle',
      operation: 'UPDATE',
      arguments: [
        { name: 'id', type: 'Int!' },
        { name: 'title', type: 'String!' },
      ],
    },
    {
      name: 'burn',
      type: 'Book',
      sql_source: 'fn_burn',
      operation: 'DELETE',
      arguments: [{ name: 'id', type: 'Int!' }],
    },
  ],
  subscriptions: [{ name: 'book_changed', type: 'Book!', entity_type: 'Book', authenticated: true }],
}
const ANY_LIST: TypeRef = {
  kind: 'list',
  nullable: false,
  of: { kind: 'named', name: 'ID', nullable: true },
}
const rowsOf = (type: ObjectType, more: Partial<RowsRoot> & Pick<RowsRoot, 'selection'>): RowsRoot => ({
  kind: 'rows',
  responseKey: type.name,
  type,
  keys: { kind: 'variable', name: `@${type.name}`, type: ANY_LIST },
  location: null,
  ...more,
})

/** What belongs to somebody is seen by nobody else; who it belongs to, by nobody without a name. */
const owners = plugin('owners', (scope) => {
  scope.on('authorize', ({ auth }, _operation, access) => {
    if (auth === null) access.deny('Book.owner')
    access.where('Book', { _or: [{ owner: { _is_null: true } }, { owner: { _eq: auth?.subject ?? '' } }] })
  })
})

type Representation = Readonly<Record<string, unknown>> & { readonly __typename: string }

/** `_entities`: rows of several types by their keys, in one statement. */
const federation = plugin(
  'federation',
  (scope) => {
    const keys: Readonly<Record<string, string | readonly string[]>> = { Book: ['isbn', 'part'], Shelf: 'id' }

    async function entities(ctx: Exchange, given: readonly Representation[], asked: RequestedRows) {
      const { types } = ctx.generation.schema
      const names = [...new Set(given.map(({ __typename }) => __typename))].filter((name) => asked.selectionOf(name))
      const keyOf = (one: Representation): unknown => {
        const by = keys[one.__typename]!
        return typeof by === 'string' ? one[by] : by.map((part) => one[part])
      }
      const operation = asked.toOperation(
        names.join(),
        () => ({
          roots: names.map((name) =>
            rowsOf(types.get(name) as ObjectType, { by: keys[name], selection: asked.selectionOf(name)! }),
          ),
          variables: names.map((name) => ({ name: `@${name}`, type: ANY_LIST, default: undefined })),
        }),
        Object.fromEntries(
          names.map((name) => [`@${name}`, given.filter((one) => one.__typename === name).map(keyOf)]),
        ),
      )
      const result = await scope.engine.run(ctx, operation)
      const rows = new Map(rootsOf(operation, result).map(({ key, text }) => [key, jsonText.readItems(String(text))]))
      const places = new Map(
        names.map((name) => [name, given.flatMap((one, at) => (one.__typename === name ? [at] : []))]),
      )
      const texts = given.map(
        ({ __typename }, at) => rows.get(__typename)?.[places.get(__typename)!.indexOf(at)] ?? 'null',
      )
      const errors = (result.errors ?? []).map((error) => {
        const [name, index, ...rest] = error.path ?? []
        // What is masked says so once, without an index.
        const below = typeof index === 'number' ? [places.get(String(name))![index]!, ...rest] : [index ?? '', ...rest]
        return errorAt(error, { path: [asked.responseKey, ...below] })
      })
      return { text: `[${texts.join(',')}]`, errors }
    }
    scope.use('graphql').extend('federation', {
      types: 'scalar _Any union _Entity = Book | Shelf',
      roots: [
        {
          kind: 'query',
          field: '_entities(representations: [_Any!]!): [_Entity]!',
          answer: (ctx, { representations }, asked) => entities(ctx, representations as Representation[], asked),
        },
      ],
    })
  },
  { dependencies: ['graphql'] },
)

/** Keeps answers by what they were made of, and forgets those of a source that was written. */
function createCache(log: string[]) {
  return plugin('cache', (scope) => {
    const kept = new Map<string, { readonly result: Result; readonly sources: readonly string[] }>()
    let writes = 0
    scope.on(
      'resolve',
      async (ctx, operation, next) => {
        const key = scope.engine.answerKey(ctx, operation)
        if (key === null) return next()
        const known = kept.get(key)
        log.push(known === undefined ? 'miss' : 'hit')
        if (known !== undefined) return known.result
        const before = writes
        const result = await next()
        result.text?.keep()
        const sources = scope.engine.sourcesOf(ctx, operation)
        log.push(sources.join())
        if (result.errors === null && before === writes) kept.set(key, { result, sources })
        return result
      },
      { position: 'cache' },
    )
    scope.on('afterCommit', ({ exchange: { generation }, writes: rows }) => {
      writes++
      for (const { entityType, mutation } of rows) {
        const { types, sources, mutations } = generation.schema
        const type = types.get(entityType ?? '')
        const written = [...sources].filter(([, source]) => type?.kind === 'object' && source === type.source)
        const names = new Set([...written.map(([name]) => name), ...(mutations.get(mutation)?.keys.invalidates ?? [])])
        for (const [key, entry] of kept) if (entry.sources.some((name) => names.has(name))) kept.delete(key)
      }
    })
  })
}

interface Subscriber {
  readonly auth: Exchange['auth']
  readonly operation: Operation
  readonly told: unknown[]
}

/** Subscriptions: authorized when they begin, and again with each event, which is read anew as its subscriber may see it. */
function createEvents(subscribers: Subscriber[]) {
  let kept: Scope | null = null
  let graphql: GraphQLApi | null = null
  const events = plugin(
    'subscriptions',
    (scope) => {
      kept = scope
      graphql = scope.use('graphql')
      graphql.enableSubscriptions()
      scope.writes({ before: true })
      const readAgain = new WeakMap<RootSelection, Operation['template']>()

      async function payload(ctx: Exchange, { operation }: Subscriber, write: CommittedWrite): Promise<unknown> {
        const [root] = operation.template.roots as [Extract<RootSelection, { kind: 'operation' }>]
        const { named } = root.operation
        if (write.kind === 'DELETE') {
          // Gone: as it was, with what this subscriber may not see masked, by the guards of now.
          const { template } = await scope.engine.authorize(ctx, operation)
          const { selection } = template.roots[0] as { readonly selection: ObjectSelection }
          const { dialect } = scope.database()
          return JSON.parse(projectRow(dialect, selection, write.before ?? '', [root.responseKey]).text ?? 'null')
        }
        let template = readAgain.get(root)
        if (template === undefined) {
          const key = rowsOf(named as ObjectType, { selection: root.selection as ObjectSelection })
          const variables = [...operation.template.variables, { name: '@Book', type: ANY_LIST, default: undefined }]
          template = { kind: 'query', name: null, roots: [key], variables }
          readAgain.set(root, template)
        }
        const read = { template, variables: { ...operation.variables, '@Book': [write.entityId] } }
        const result = await scope.engine.run(ctx, read)
        return JSON.parse(jsonText.readItems(String(rootsOf(read, result)[0]!.text))[0]!)
      }
      scope.on('afterCommit', async ({ writes }) => {
        for (const subscriber of subscribers)
          for (const write of writes)
            await scope.pipeline.enter({ transport: 'websocket', auth: subscriber.auth }, async (ctx) => {
              subscriber.told.push(await payload(ctx, subscriber, write))
              return { status: 200, headers: {}, body: null }
            })
      })
    },
    { dependencies: ['graphql'] },
  )
  const subscribe = async (query: string, caller: Parameters<typeof as>[0]) => {
    const told: unknown[] = []
    const renderError = (_ctx: Exchange, error: unknown) => ({ status: 400, headers: {}, body: String(error) })
    const reply = await kept!.pipeline.enter(
      { transport: 'websocket', headers: as(caller), renderError },
      async (ctx) => {
        const request = { query, variables: null, operationName: null, extensions: null, other: {} }
        const operation = await graphql!.prepare(ctx, request)
        await kept!.engine.authorize(ctx, operation)
        subscribers.push({ auth: ctx.auth, operation, told })
        return { status: 200, headers: {}, body: null }
      },
    )
    return { told, refused: reply.body }
  }
  return { events, subscribe }
}

t.test('plugins that are to come', async (t) => {
  const log: string[] = []
  const { events, subscribe } = createEvents([])
  const app = await openApp(t, { kind: 'pglite', url: await createPglite(t, { sql: SQL }) }, SCHEMA, {
    plugins: [testCredential(), ...[owners, federation, createCache(log), events].map((one) => entry(one))],
  })
  const ann = as({ subject: 'ann' })

  await t.test('federation: entities of several types and keys, in one statement, under the guards', async (t) => {
    const representations = [
      { __typename: 'Shelf', id: '2' },
      { __typename: 'Book', isbn: 'x', part: 1 },
      { __typename: 'Book', isbn: 'x', part: 2 },
      { __typename: 'Nobody' },
      { __typename: 'Book', isbn: 'x', part: 'none' },
      { __typename: 'Book', isbn: 'y', part: 1 },
    ]
    const query = `query ($all: [_Any!]!, $n: Int!) { all: _entities(representations: $all) {
      __typename ... on Book { title owner shelf { label } } ... on _Entity { ...S } } }
      fragment S on Shelf { name: label books(limit: $n) { title } }`
    const statements: string[] = []
    const { query: real } = app.database
    Object.assign(app.database, {
      query: (statement: { readonly text: string }, ...rest: never[]) => {
        statements.push(statement.text)
        return (real as (...all: unknown[]) => unknown).call(app.database, statement, ...rest)
      },
    })
    const found = await app.graphql(query, { all: representations, n: 1 }, ann)
    t.strictSame(found.data, {
      all: [
        { __typename: 'Shelf', name: 'B', books: [{ title: 'Three' }] },
        { __typename: 'Book', title: 'One', owner: 'ann', shelf: { label: 'A' } },
        null,
        null,
        null,
        { __typename: 'Book', title: 'Three', owner: null, shelf: { label: 'B' } },
      ],
    })
    const nobody = await app.graphql(query, { all: representations, n: 1 })
    t.equal(nobody.data.all[1], null, 'rows of somebody else')
    t.match(nobody.errors, [{ path: ['all', 'owner'], extensions: { code: 'FORBIDDEN' } }], 'the mask says so')
    await app.graphql(query, { all: representations.slice(0, 2), n: 0 }, ann)
    t.match((await app.graphql(query, { all: [] }, ann)).errors, [{ extensions: { code: 'BAD_USER_INPUT' } }])
    Object.assign(app.database, { query: real })
    t.equal(statements.length, 3, 'one each')
  })

  await t.test('federation: a variable of the plugin is none that a client can write', async (t) => {
    let failure: unknown
    const asking = plugin(
      'asking',
      (scope) =>
        scope.use('graphql').extend('asking', {
          roots: [
            {
              kind: 'query',
              field: 'ask: Book',
              answer(_ctx, _args, asked) {
                const own = { name: 'mine', type: ANY_LIST, default: undefined }
                t.equal(asked.selectionOf('Shelf'), null)
                try {
                  asked.toOperation('', () => ({ roots: [], variables: [own] }))
                } catch (error) {
                  failure = error
                }
                return { text: null, errors: [] }
              },
            },
          ],
        }),
      { dependencies: ['graphql'] },
    )
    const kit = await testPlugin(asking as never, {
      dependencies: [graphqlPlugin],
      schema: { ...app.kernel.generation.schema, requires: [] },
    })
    const answer = await kit.inject({ url: '/graphql', body: { query: '{ ask { title shelf { label } } }' } })
    t.strictSame(answer.json(), { data: { ask: null } })
    t.match(failure, { code: 'SVC_PLUGIN_INVALID', message: /"mine": its own begin with "@"/ })
    await kit.close()
  })

  await t.test('a cache: by sources, access and digest', async (t) => {
    const ask = async (query: string, headers = {}) => {
      log.length = 0
      const { data } = await app.graphql(query, {}, headers)
      return [JSON.stringify(data), ...log]
    }
    const titles = '{ books { title } }'
    const byShelf = '{ shelves(where: { books: { some: { title: { _eq: "New" } } } }) { label } }'
    t.strictSame(await ask(titles), ['{"books":[{"title":"Three"}]}', 'miss', 'v_book,v_shelf'])
    t.strictSame((await ask('query Again {  books { title } }')).slice(1), ['hit'], 'the same, written otherwise')
    t.strictSame((await ask(titles, ann))[1], 'miss', 'somebody else')
    t.strictSame(
      await ask(byShelf),
      ['{"shelves":[]}', 'miss', 'v_shelf,v_book'],
      'a filter across a relation reads, too',
    )
    t.strictSame(await ask('{ shelves { label } }'), ['{"shelves":[{"label":"A"},{"label":"B"}]}', 'miss', 'v_shelf'])
    await app.graphql('mutation { retitle(id: 3, title: "New") { id } }')
    await delay(20)
    t.strictSame((await ask(titles))[0], '{"books":[{"title":"New"}]}')
    t.strictSame((await ask(byShelf))[0], '{"shelves":[{"label":"B"}]}')
    t.strictSame((await ask('{ shelves { label } }')).slice(1), ['hit'], 'nobody has written that')
  })

  await t.test('subscriptions: refused at once, read again for each subscriber, deletes from what was', async (t) => {
    const document = 'subscription { changed: bookChanged { title owner shelf { label } } }'
    t.match((await subscribe(document, null)).refused, /Authentication required/)
    const [byAnn, byBob] = [
      await subscribe(document, { subject: 'ann' }),
      await subscribe(document, { subject: 'bob' }),
    ]
    t.equal(byAnn.refused, null)
    await app.graphql('mutation { retitle(id: 1, title: "Mine") { id } }', {}, ann)
    await delay(50)
    t.strictSame(byAnn.told, [{ title: 'Mine', owner: 'ann', shelf: { label: 'A' } }])
    t.strictSame(byBob.told, [null], 'a row that bob does not see')
    await app.graphql('mutation { burn(id: 3) { id } }', {}, ann)
    await delay(50)
    t.match(byAnn.told[1], { title: 'New', owner: null, shelf: null })
  })
})
