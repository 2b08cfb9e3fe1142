import t from 'tap'
import { ANN, BOB, NOBODY } from '../core/engine/execute/blog.ts'
import { eachDatabase } from '../helpers/databases.ts'
import { openApp } from '../helpers/open-app.ts'
import { MYSQL_WORLD } from './mysql-world.ts'
import { SQLITE_WORLD } from './sqlite-world.ts'
import { WORLD_SQL, worldOf } from './world.ts'

/** Mutations and their errors (docs/guides/mutations.md), against the real service on every database. */
t.setTimeout(180_000)

await eachDatabase(
  t,
  async (t, database) => {
    const app = await openApp(t, database, worldOf(database.kind))
    const count = async (condition: string) => {
      const text = `SELECT count(*) FROM tb_post WHERE ${condition}`
      return Number((await app.database.query({ name: null, text }, [], null)).rows[0]?.[0])
    }
    const POST = `title viewCount state price total createdAt tags remark author { name }`
    const post = (title: string) => ({
      title,
      viewCount: 0,
      state: 'DRAFT',
      price: '12.50',
      total: '9007199254740993',
      createdAt: '2024-05-06T07:08:09.25+00:00',
      tags: null,
      remark: null,
      author: { name: 'Ann' },
    })

    await t.test('every shape that a function may return', async (t) => {
      const cases: readonly (readonly [string, unknown])[] = [
        [`createPost(authorId: "${ANN}", title: "s1") { ${POST} }`, post('s1')],
        [`createPost(authorId: "${ANN}", title: "s2", spelling: "camel") { ${POST} }`, post('s2')],
        [`createPost(authorId: "${ANN}", title: "s3", spelling: "partial") { ${POST} }`, post('s3')],
        [`idOnly(title: "s4") { ${POST} }`, post('s4')],
        [`createFlag(authorId: "${ANN}", title: "s5")`, true],
        [
          `payPost(authorId: "${ANN}", title: "s6") { status message updatedFields post { ${POST} } cascade }`,
          {
            status: 'created',
            message: 'done',
            updatedFields: ['title'],
            post: post('s6'),
            cascade: {
              updated: [{ __typename: 'Author', id: 'x', operation: 'UPDATED', entity: { postCount: 1.1 } }],
              metadata: { affectedCount: 1 },
            },
          },
        ],
        [`formB(status: "ok") { name }`, { name: 'B' }],
        [`formC(ok: true, changed: true) { name }`, { name: 'C' }],
        [`byUuid(title: "s7") { ${POST} }`, post('s7')],
        [`maybeUuid(title: "nothing") { title }`, null],
        [
          `byUuids(titles: ["s8", "s9"]) { title author { name } }`,
          [
            { title: 's9', author: { name: 'Ann' } },
            { title: 's8', author: { name: 'Ann' } },
          ],
        ],
        ['flag(value: false)', false],
        ['number(value: 42)', 42],
        ['number(value: null)', null],
        ['big', '9223372036854775807'],
        ['decimal', '1.10'],
        ['state(state: LIVE)', 'LIVE'],
        ['ints(values: [1, 2])', [1, 2]],
        ['series(to: 3)', [1, 2, 3]],
        ['nothing(title: "s10")', null],
        ['done(title: "s11")', true],
        ['json(value: {a: [1, "x", null]})', { a: [1, 'x', null] }],
        ['jsonPost(value: {id: "1", title: "s12", viewCount: 3}) { title viewCount }', { title: 's12', viewCount: 3 }],
        [`setof(titles: ["s13", "s14"]) { ${POST} }`, [post('s13'), post('s14')]],
        ['setofOne(titles: []) { title }', null],
        [`row(title: "s15") { ${POST} }`, post('s15')],
        ['row(title: "nothing") { title }', null],
        ['cards(title: "s16") { title viewCount }', [{ title: 's16', viewCount: 0 }]],
        ['tablePost(title: "s17") { title viewCount }', { title: 's17', viewCount: 0 }],
        [
          'outcome(kind: "Author") { __typename ... on Author { name } ... on Post { title } }',
          { __typename: 'Author', name: 'N' },
        ],
        [
          'outcome(kind: "failed:tries") { __typename ... on TriesError { code message status triesLeft limit } }',
          {
            __typename: 'TriesError',
            code: 'TRIES',
            message: 'outcome says',
            status: 'failed:tries',
            triesLeft: 3,
            limit: '12.50',
          },
        ],
        [
          'postsJson(kind: "two") { title viewCount }',
          [
            { title: 'A', viewCount: 1 },
            { title: 'B', viewCount: 2 },
          ],
        ],
        [`rename(id: "${NOBODY}", title: "x")`, true],
      ]
      for (const [field, expected] of cases) {
        const answer = await app.graphql(`mutation { it: ${field} }`)
        t.strictSame([answer.errors, answer.data], [undefined, { it: expected }], field)
      }
      t.equal(await count("title LIKE 's_' OR title LIKE 's__'"), 16, 'each wrote once')
    })

    await t.test('every way to hand over arguments', async (t) => {
      const cases: readonly (readonly [string, object, unknown])[] = [
        [
          'mutation ($i: Change!) { it: inputJson(input: $i) }',
          { i: { fullName: 'Ann', state: null, price: 9.5, addresses: [{ cityName: 'Oslo', state: 'LIVE' }, null] } },
          { full_name: 'Ann', state: null, price: '9.5', addresses: [{ city_name: 'Oslo', state: 'live' }, null] },
        ],
        ['mutation { it: inputJson(input: {}) }', {}, {}],
        [
          `mutation { it: update(id: "${BOB}", input: { price: "1.10", free: { aB: 1 } }) }`,
          {},
          { id: BOB, input: { price: '1.10', free: { aB: 1 } } },
        ],
        [
          'mutation ($s: [State!]) { it: flat(input: { name: "x", states: $s, address: { cityName: "Rom" } }) }',
          { s: ['DRAFT', 'LIVE'] },
          {
            name: 'x',
            age: database.kind === 'mysql' ? null : 42,
            states: ['draft', 'live'],
            address: { city_name: 'Rom' },
            others: null,
          },
        ],
        [
          'mutation { it: flat(input: { name: "x", age: null }) }',
          {},
          { name: 'x', age: null, states: null, address: null, others: null },
        ],
        [`mutation { it: positional(id: "${ANN}", title: "t") }`, {}, [ANN, 't', 7]],
        [`mutation { it: positional(id: "${ANN}", title: "t", size: 1) }`, {}, [ANN, 't', 1]],
        [
          'mutation { it: matrix(rows: [[1, 2], [3, 4]]) }',
          {},
          [
            [1, 2],
            [3, 4],
          ],
        ],
        [
          'mutation ($t: JSON) { it: json(value: $t) }',
          { t: "'; DROP TABLE tb_post; --" },
          "'; DROP TABLE tb_post; --",
        ],
      ]
      for (const [query, variables, expected] of cases) {
        const { data, errors } = await app.graphql(query, variables)
        t.strictSame([errors, data], [undefined, { it: expected }], query)
      }
    })

    await t.test('statuses that failed: the code, its HTTP status, the reason', async (t) => {
      const cases: readonly (readonly [string, string, number, object])[] = [
        ['failed:not_found', 'NOT_FOUND', 404, {}],
        ['failed:card_declined', 'CARD_DECLINED', 422, {}],
        ['conflict:duplicate_email', 'CONFLICT', 409, { reason: 'duplicate_email' }],
      ]
      for (const [status, code, statusCode, facts] of cases) {
        const { data, errors, ...rest } = await app.graphql(
          'mutation ($s: String!) { answer(status: $s, message: "why") { title } }',
          { s: status },
        )
        t.equal(rest.status, 200)
        t.strictSame(data, { answer: null })
        t.strictSame(errors, [
          {
            message: 'why',
            locations: [{ line: 1, column: 26 }],
            path: ['answer'],
            extensions: { ...facts, code, statusCode },
          },
        ])
      }
    })

    await t.test(
      'roots run in series: a failing nullable one does not stop the next, a non-null one does',
      async (t) => {
        const nullable = await app.graphql(`mutation {
        a: tryPost(authorId: "${ANN}", title: "m1") { title }
        b: raise(how: "own")
        c: tryPost(authorId: "${ANN}", title: "m2") { title author { posts(where: { title: { _in: ["m1", "m2"] } }) { title } } }
      }`)
        t.strictSame(nullable.data, {
          a: { title: 'm1' },
          b: null,
          c: { title: 'm2', author: { posts: [{ title: 'm1' }, { title: 'm2' }] } },
        })
        t.match(nullable.errors, [{ path: [/^b$/], extensions: { code: 'OUT_OF_STOCK' } }])
        const strict = await app.graphql(`mutation {
        a: tryPost(authorId: "${ANN}", title: "m3") { title }
        b: mustRaise(how: "plain")
        c: tryPost(authorId: "${ANN}", title: "m4") { title }
      }`)
        t.equal(strict.data, null)
        t.match(strict.errors, [{ path: [/^b$/], extensions: { code: 'INVALID_INPUT' } }])
        t.strictSame([await count("title = 'm3'"), await count("title = 'm4'")], [1, 0])
        t.equal(await count("title = 'before raise'"), 0, 'what raised wrote nothing')
      },
    )

    await t.test('never over GET', async (t) => {
      const query = encodeURIComponent('mutation { done(title: "by GET") }')
      const reply = await app.inject({ url: `/graphql?query=${query}` })
      t.match(
        [reply.status, reply.headers.allow, reply.json()],
        [405, 'POST', { errors: [{ extensions: { code: 'METHOD_NOT_ALLOWED' } }] }],
      )
      t.equal(await count("title = 'by GET'"), 0)
    })
  },
  { pglite: 'always', sql: WORLD_SQL, sqlite: SQLITE_WORLD, mysql: MYSQL_WORLD },
)
