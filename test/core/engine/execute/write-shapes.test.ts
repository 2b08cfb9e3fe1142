import t from 'tap'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openExecuteWorld } from '../../../helpers/execute-world.ts'
import { ANN, BLOG, BLOG_SQL, BOB, NOBODY } from './blog.ts'

const FLAT = 'id title viewCount state price total createdAt tags remark'
const EXPECTED = {
  viewCount: 0,
  state: 'DRAFT',
  price: '12.50',
  total: '9007199254740993',
  createdAt: '2024-05-06T07:08:09.25+00:00',
  tags: null,
  remark: null,
}

t.test('the result of a function becomes the type that the schema declares', (t) =>
  eachDatabase(
    t,
    async (t, test) => {
      const world = await openExecuteWorld(t, test, BLOG)
      const { log } = world
      const run: typeof world.run = async (...args) => {
        log.length = 0
        return world.run(...args)
      }

      // proves: record.entity record.status
      await t.test('an entity in snake_case or camelCase, in one statement', async (t) => {
        for (const spelling of ['snake', 'camel']) {
          const { data, errors } = await run(
            `mutation($s: String) { createPost(authorId: "${ANN}", title: "Hi", spelling: $s) { ${FLAT} } }`,
            { s: spelling },
          )
          t.same(errors, [])
          const { id, ...rest } = data.createPost
          t.match(id, /^[0-9a-f-]{36}$/)
          t.same(rest, { title: 'Hi', ...EXPECTED })
          t.equal(log.length, 1)
          t.notMatch(log[0]!, /BEGIN/)
        }
      })

      await t.test('aliases, __typename, the order of the selection', async (t) => {
        const { text } = await run(
          `mutation { a: createPost(authorId: "${ANN}", title: "x") { b: title __typename a: title } }`,
        )
        t.equal(text, '{"a":{"b":"x","__typename":"Post","a":"x"}}')
      })

      await t.test('numbers about related rows are read behind the write, which they count', async (t) => {
        const ask = '{ author(id: "' + ANN + '") { postsAggregate { count } } }'
        const before = (await run(ask)).data.author.postsAggregate.count
        const { data, errors } = await run(
          `mutation { createPost(authorId: "${ANN}", title: "counted") { title author { postsAggregate { count max { title } } } } }`,
        )
        t.strictSame(errors, [])
        t.equal(data.createPost.author.postsAggregate.count, before + 1)
      })

      // proves: record.entity_id
      await t.test('relations are read in the same transaction, after the write', async (t) => {
        const { data } = await run(
          `mutation { createPost(authorId: "${ANN}", title: "rel") { title author { name posts(limit: 1, orderBy: [{createdAt: DESC}]) { title } } } }`,
        )
        t.same(data.createPost.title, 'rel')
        t.equal(data.createPost.author.name, 'Ann')
        t.equal(data.createPost.author.posts.length, 1)
        t.equal(log[0], 'BEGIN')
        t.equal(log.length, 3)
      })

      await t.test(
        'a partial entity: the statement undoes itself, and the transaction comes first from then on',
        async (t) => {
          const operation = world.operation(
            `mutation { createPost(authorId: "${ANN}", title: "part", spelling: "partial") { title viewCount } }`,
          )
          const before = await world.look(`SELECT count(*) FROM tb_post WHERE title = 'part'`)
          log.length = 0
          const first = await world.resolve(operation)
          t.equal(first.data, '{"createPost":{"title":"part","viewCount":0}}')
          t.same(first.errors, null)
          t.same([log.length, log[1]], [4, 'BEGIN'])
          log.length = 0
          await world.resolve(operation)
          t.same([log.length, log[0]], [3, 'BEGIN'])
          const after = await world.look(`SELECT count(*) FROM tb_post WHERE title = 'part'`)
          t.equal(Number(after[0]?.[0]) - Number(before[0]?.[0]), 2)
          // What the entity holds needs no second look.
          t.same(
            (await run(`mutation { createPost(authorId: "${ANN}", title: "p2", spelling: "partial") { title } }`)).data,
            {
              createPost: { title: 'p2' },
            },
          )
          t.equal(log.length, 1)
        },
      )

      // proves: record.entity_id
      await t.test('a record with an id and no entity', async (t) => {
        const { data } = await run(`mutation { idOnly(title: "only id") { title viewCount author { name } } }`)
        t.same(data, { idOnly: { title: 'only id', viewCount: 0, author: { name: 'Ann' } } })
      })

      await t.test('an entity that lacks fields and has no id is an error, and nothing is written', async (t) => {
        const { data, errors } = await run(`mutation { partial(title: "lost") { title viewCount } }`)
        t.same(data, { partial: null })
        t.match(errors[0], { code: 'INTERNAL_SERVER_ERROR', path: ['partial'] })
        t.match(errors[0]?.message, /^Function "fn_partial" gave neither all selected fields of Post nor an id/)
        t.same(await world.look(`SELECT count(*) FROM tb_post WHERE title = 'lost'`), [['0']])
        t.same((await run(`mutation { partial(title: "kept") { title } }`)).data, { partial: { title: 'kept' } })
      })

      await t.test('Boolean and ID of a record', async (t) => {
        const { data } = await run(
          `mutation { createFlag(authorId: "${ANN}", title: "f") createId(authorId: "${ANN}", title: "i") }`,
        )
        t.equal(data.createFlag, true)
        t.match(data.createId, /^[0-9a-f-]{36}$/)
      })

      // proves: record.updated_fields record.cascade
      await t.test('a payload wraps the entity; updatedFields and cascade reach the client', async (t) => {
        const { text, data } = await run(
          `mutation { payPost(authorId: "${ANN}", title: "pay") { status message updatedFields p: post { title } cascade } }`,
        )
        t.same(data.payPost, {
          status: 'created',
          message: 'done',
          updatedFields: ['title'],
          p: { title: 'pay' },
          cascade: {
            updated: [{ __typename: 'Author', id: 'x', operation: 'UPDATED', entity: { postCount: 1.1 } }],
            metadata: { affectedCount: 1 },
          },
        })
        t.match(text, '"postCount":1.10')
        t.equal(log.length, 1)
        const related = await run(
          `mutation { payPost(authorId: "${ANN}", title: "pay") { message a: post { author { name } } b: post { title } } }`,
        )
        t.same(related.data.payPost, { message: 'done', a: { author: { name: 'Ann' } }, b: { title: 'pay' } })
        t.equal(log[0], 'BEGIN')
        const partial = await run(
          `mutation { payPost(authorId: "${ANN}", title: "pay", spelling: "partial") { post { title viewCount } } }`,
        )
        t.same(partial.data.payPost, { post: { title: 'pay', viewCount: 0 } })
      })

      // proves: record.plain
      await t.test('UUID: the row is read; null, strangers and deleted rows', async (t) => {
        t.same((await run('mutation { byUuid(title: "u") { title author { name } } }')).data, {
          byUuid: { title: 'u', author: { name: 'Ann' } },
        })
        t.same((await run('mutation { maybeUuid(title: "nothing") { title } }')).data, { maybeUuid: null })
        const nothing = await run('mutation { byUuid(title: "nothing") { title } }')
        t.same([nothing.data, nothing.errors[0]?.code], [null, 'NOT_FOUND'])
        const stranger = await run('mutation { maybeUuid(title: "stranger") { title } }')
        t.same([stranger.data, stranger.errors[0]?.code], [{ maybeUuid: null }, 'NOT_FOUND'])
        t.match(stranger.errors[0]?.message, `there is no Post with the id "${NOBODY}". Nothing was written.`)
        t.same(await world.look(`SELECT count(*) FROM tb_post WHERE title = 'stranger'`), [['0']])
        const { data } = await run('mutation { byUuid(title: "gone") { id } }')
        const deleted = await run('mutation($id: ID!) { deletePost(id: $id) { __typename id tags } }', {
          id: data.byUuid.id,
        })
        t.same(deleted.data, { deletePost: { __typename: 'Post', id: data.byUuid.id, tags: null } })
        t.same(await world.look(`SELECT count(*) FROM tb_post WHERE title = 'gone'`), [['0']])
        t.same((await run(`mutation { deletePost(id: "${NOBODY}") { id } }`)).data, { deletePost: null })
      })

      // proves: record.plain
      await t.test('UUID[]: all rows, in the order of the array', async (t) => {
        const { data } = await run('mutation { byUuids(titles: ["a", "b", "c"]) { title } }')
        t.same(data.byUuids, [{ title: 'c' }, { title: 'b' }, { title: 'a' }])
        t.same((await run('mutation { byUuids(titles: []) { title } }')).data, { byUuids: [] })
      })

      // proves: record.plain
      await t.test('plain values', async (t) => {
        const { text, errors } = await run(`mutation {
          yes: flag(value: true) no: flag(value: false) number(value: 7) none: number(value: null) big decimal
          state(state: LIVE) ints(values: [1, 2]) series(to: 3) nothing(title: "v") done(title: "d")
        }`)
        t.same(errors, [])
        t.equal(
          text,
          '{"yes":true,"no":false,"number":7,"none":null,"big":"9223372036854775807","decimal":"1.10","state":"LIVE","ints":[1, 2],"series":[1,2,3],"nothing":null,"done":true}',
        )
        const hole = await run('mutation { ints(values: [1, null]) }')
        t.same([hole.data, hole.errors[0]?.path], [{ ints: null }, ['ints', 1]])
        t.same((await run('mutation { series(to: 0) }')).data, { series: [] })
      })

      // proves: record.plain
      await t.test('JSONB: any value, an object of a type, a record', async (t) => {
        const json = (value: unknown, field = 'json') =>
          run(`mutation($v: JSON) { r: ${field}(value: $v) ${field === 'jsonPost' ? '{ id title }' : ''} }`, {
            v: value,
          })
        for (const value of [{ a: [1, { b: null }] }, [1], 'text', 1.5, true, null])
          t.same((await json(value)).data.r, value)
        t.same((await json({ id: 'x', title: 'T' }, 'jsonPost')).data.r, { id: 'x', title: 'T' })
        t.same((await json({ status: 'ok', entity: { id: 'x', title: 'T' } }, 'jsonPost')).data.r, {
          id: 'x',
          title: 'T',
        })
        t.same((await json({ success: true, data: { id: 'x', title: 'T' } }, 'jsonPost')).data.r, {
          id: 'x',
          title: 'T',
        })
        t.same((await json(null, 'jsonPost')).data.r, null)
        const failed = await json({ status: 'failed:sold_out', message: 'gone', entity: null }, 'jsonPost')
        t.match(failed.errors[0], { code: 'SOLD_OUT', message: 'gone' })
        const older = await json({ success: false, error: 'sold_out', message: 'gone' }, 'jsonPost')
        t.match(older.errors[0], { code: 'SOLD_OUT', message: 'gone' })
        t.same((await json({ status: 'ok', entity: null }, 'jsonFlag')).data.r, true)
        t.same((await json(false, 'jsonFlag')).data.r, false)
      })

      await t.test('a list in one JSON document', async (t) => {
        const list = async (kind: string) =>
          (await run(`mutation { postsJson(kind: "${kind}") { id viewCount } }`)).data.postsJson
        t.same(await list('two'), [
          { id: '1', viewCount: 1 },
          { id: '2', viewCount: 2 },
        ])
        t.same(await list('one'), [{ id: '1', viewCount: 1 }])
        t.same(await list('none'), [])
        t.same(await list('null'), null)
      })

      // proves: record.plain
      await t.test('SETOF a view: all rows, the first row, no row', async (t) => {
        const { data } = await run(`mutation { setof(titles: ["r1", "r2"]) { ${FLAT} } }`)
        t.same(
          data.setof.map(({ id, ...rest }: { id: string }) => rest),
          [
            { title: 'r1', ...EXPECTED },
            { title: 'r2', ...EXPECTED },
          ],
        )
        t.equal(log.length, 1)
        const related = await run('mutation { setof(titles: ["r1", "r2"]) { title author { name } } }')
        t.same(related.data.setof, [
          { title: 'r1', author: { name: 'Ann' } },
          { title: 'r2', author: { name: 'Ann' } },
        ])
        t.same((await run('mutation { setof(titles: []) { title } }')).data, { setof: [] })
        t.same((await run('mutation { setofOne(titles: ["x"]) { title } }')).data, { setofOne: { title: 'x' } })
        t.same((await run('mutation { setofOne(titles: []) { title } }')).data, { setofOne: null })
        const none = await run('mutation { setofMust(titles: []) { title } }')
        t.same([none.data, none.errors[0]?.code], [null, 'NOT_FOUND'])
      })

      // proves: record.plain
      await t.test('one row, a document view, TABLE(…)', async (t) => {
        t.same((await run('mutation { row(title: "one") { title remark } }')).data, {
          row: { title: 'one', remark: null },
        })
        t.same((await run('mutation { row(title: "nothing") { title } }')).data, { row: null })
        t.same((await run('mutation { cards(title: "doc") { title viewCount } }')).data, {
          cards: [{ title: 'doc', viewCount: 0 }],
        })
        t.same((await run('mutation { tablePost(title: "t") { title } }')).data, { tablePost: { title: 't' } })
        t.same((await run('mutation { tablePost(title: "t") { title viewCount } }')).data, {
          tablePost: { title: 't', viewCount: 0 },
        })
      })

      // proves: record.entity_type record.metadata record.error-member type.is_error
      await t.test('a union: entity_type picks the member, a failure picks the error member', async (t) => {
        const outcome = (kind: string) =>
          run(
            `mutation($k: String!) { outcome(kind: $k) { __typename ... on Post { title viewCount } ... on Author { name }
              ... on TriesError { code message status triesLeft waitSeconds limit } ... on NotFoundError { message } } }`,
            { k: kind },
          )
        t.same((await outcome('Post')).data.outcome, { __typename: 'Post', title: 'T', viewCount: 1 })
        t.same((await outcome('Author')).data.outcome, { __typename: 'Author', name: 'N' })
        const tries = await outcome('failed:locked')
        t.same(tries.errors, [])
        t.same(tries.data.outcome, {
          __typename: 'TriesError',
          code: 'LOCKED',
          message: 'outcome says',
          status: 'failed:locked',
          triesLeft: 3,
          waitSeconds: '7',
          limit: '12.50',
        })
        t.same((await outcome('failed:not_found')).data.outcome, {
          __typename: 'NotFoundError',
          message: 'outcome says',
        })
        const alien = await outcome('Alien')
        t.same([alien.data, alien.errors[0]?.code], [{ outcome: null }, 'INTERNAL_SERVER_ERROR'])
        t.match(alien.errors[0]?.message, /gave an entity of the type "Alien", which outcome does not return/)
      })

      // proves: record.other-forms
      await t.test('forms B and C of the record', async (t) => {
        t.same((await run('mutation { formB(status: "ok") { id name } }')).data, { formB: { id: ANN, name: 'B' } })
        const b = await run('mutation { formB(status: "failed") { name } }')
        t.match(b.errors[0], { code: 'BAD_NAME', message: 'b says', details: { field: 'name' } })
        t.same((await run('mutation { formC(ok: true, changed: true) { name } }')).data, { formC: { name: 'C' } })
        t.same((await run('mutation { formC(ok: true, changed: false) { name posts(limit: 0) { id } } }')).data, {
          formC: { name: 'Ann', posts: [] },
        })
        const c = await run('mutation { formC(ok: false, changed: false, class: "conflict") { name } }')
        t.match(c.errors[0], {
          code: 'CONFLICT',
          message: 'c says',
          status: 409,
          details: { detail: { field: 'name' } },
        })
        for (const illegal of ['ok: false, changed: true', 'ok: true, changed: true, class: "conflict"']) {
          const { errors } = await run(`mutation { formC(${illegal}) { name } }`)
          t.match(errors[0], { code: 'INTERNAL_SERVER_ERROR' })
        }
      })

      // proves: record.plain
      await t.test('a procedure', async (t) => {
        const { data } = await run('mutation { byUuid(title: "before") { id } }')
        t.same((await run('mutation($id: ID!) { rename(id: $id, title: "after") }', { id: data.byUuid.id })).data, {
          rename: true,
        })
        t.same(await world.look(`SELECT title FROM tb_post WHERE id = '${data.byUuid.id}'`), [['after']])
      })

      // proves: mutation.operation record.noop
      await t.test('events: one per root that wrote, after its commit', async (t) => {
        world.events.length = 0
        await run(`mutation { a: createPost(authorId: "${BOB}", title: "e") { title } b: tryPost(authorId: "${NOBODY}", title: "e") { title }
          c: answer(status: "noop:same") { title } d: byUuid(title: "e") { title } e: done(title: "e") f: setof(titles: ["e1", "e2"]) { title } }`)
        t.match(
          world.events.map(({ writes }) => writes),
          [
            [
              {
                mutation: 'createPost',
                kind: 'CREATE',
                entityType: 'Post',
                entityId: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
                entity: /"title": "e"/,
                updatedFields: ['title'],
                cascade: /affected/,
              },
            ],
            [
              {
                mutation: 'byUuid',
                entityType: 'Post',
                entityId: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
                entity: null,
              },
            ],
            [{ mutation: 'done', entityType: null, entityId: null }],
            [
              {
                mutation: 'setof',
                entityType: 'Post',
                entityId: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
                entity: /"e1"/,
              },
              {
                mutation: 'setof',
                entityType: 'Post',
                entityId: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
                entity: /"e2"/,
              },
            ],
          ],
        )
        t.equal(world.events.length, 4)
      })
    },
    { sql: BLOG_SQL },
  ),
)

t.test('a schema that was compiled offline finds out when it runs', (t) =>
  eachDatabase(
    t,
    async (t, test) => {
      const names = new Set(['create_post', 'flag', 'done', 'setof', 'json', 'by_uuid', 'ints', 'series'])
      const authored = { ...BLOG, mutations: BLOG.mutations!.filter(({ name }) => names.has(name)) }
      const world = await openExecuteWorld(t, test, authored, { offline: true })
      const { data, errors } = await world.run(`mutation {
        createPost(authorId: "${ANN}", title: "off", spelling: "snake") { title state }
        flag(value: true) done(title: "d") setof(titles: ["s"]) { title } json(value: {a: 1}) byUuid(title: "u") { title }
        ints(values: [1]) series(to: 2)
      }`)
      t.same(errors, [])
      t.same(data, {
        createPost: { title: 'off', state: 'DRAFT' },
        flag: true,
        done: true,
        setof: [{ title: 's' }],
        json: { a: 1 },
        byUuid: { title: 'u' },
        ints: [1],
        series: [1, 2],
      })
      t.same(await world.look(`SELECT title FROM tb_post ORDER BY pk_post`), [['off'], ['d'], ['s'], ['u']])
    },
    { sql: BLOG_SQL },
  ),
)
