import t from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import { linkSchema } from '../../../../core/schema/link/link.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openExecuteWorld } from '../../../helpers/execute-world.ts'
import { extendSchema } from '../../../schemas/extend-schema.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'
import { ANN, BLOG, BLOG_SQL, BOB, NOBODY } from './blog.ts'

const ROWS = `${BLOG_SQL}
INSERT INTO tb_post (fk_author, title) SELECT 1, 'p' || n FROM generate_series(1, 5) n;
CREATE TABLE tb_loose (id uuid, label text, size double precision, n bigint);
INSERT INTO tb_loose VALUES ('${ANN}', 'a', 0.1, 9007199254740993), ('${BOB}', NULL, '-0', 2);
CREATE VIEW v_loose AS SELECT id, CASE WHEN id IS NULL THEN 'never' ELSE label END AS label, size, n FROM tb_loose;
`
const LOOSE = extendSchema(
  BLOG,
  tableSchema(
    {
      name: 'Loose',
      sql_source: 'v_loose',
      list: 'strict',
      fields: {
        id: 'ID!',
        label: 'String!',
        size: 'Float',
        n: 'BigInt',
        loud: { type: 'Shout', column: 'label' },
      },
    },
    {
      custom_scalars: [{ name: 'Shout' }],
      queries: [
        { name: 'loose', type: '[Loose]', sql_source: 'v_loose' },
        { name: 'loose_one', type: 'Loose', sql_source: 'v_loose', arguments: [{ name: 'id', type: 'ID!' }] },
      ],
    },
  ),
)

t.test('queries', (t) =>
  eachDatabase(
    t,
    async (t, test) => {
      const world = await openExecuteWorld(t, test, LOOSE, { maxRows: 4 })
      const { run, log } = world

      await t.test('all roots are one statement, and its text goes through', async (t) => {
        log.length = 0
        const { text, errors } = await run(
          `{ a: author(id: "${ANN}") { name } none: author(id: "${NOBODY}") { name } __typename authors { name } }`,
        )
        t.equal(
          text?.replace(/\s/g, ''),
          '{"a":{"name":"Ann"},"none":null,"__typename":"Query","authors":[{"name":"Ann"},{"name":"Bob"}]}',
        )
        t.same(errors, [])
        t.equal(log.length, 1)
        log.length = 0
        t.same((await run('{ __typename }')).data, { __typename: 'Query' })
        t.equal(log.length, 0)
      })

      await t.test('a failing root has its path and does not spoil the others', async (t) => {
        const { data, errors } = await run(
          `{ authors { name } card(id: "nonsense") { id } author(id: "${BOB}") { name } __typename }`,
        )
        t.same(data, {
          authors: [{ name: 'Ann' }, { name: 'Bob' }],
          card: null,
          author: { name: 'Bob' },
          __typename: 'Query',
        })
        t.match(errors, [{ code: 'BAD_USER_INPUT', path: ['card'], locations: [{ line: 1, column: 20 }] }])
        const single = await run('{ card(id: "nonsense") { id } }')
        t.same([single.data, single.errors[0]?.path], [{ card: null }, ['card']])
        const must = await run(`{ authors { name } theAuthor(id: "nonsense") { id } }`)
        t.same([must.data, must.errors[0]?.path], [null, ['theAuthor']])
        t.same((await run('{ theAuthor(id: "nonsense") { id } }')).data, null)
      })

      // proves: config.max_rows
      await t.test('max_rows', async (t) => {
        const { data, errors } = await run('{ authors { name } posts { id } }')
        t.equal(data, null)
        t.match(errors, [{ code: 'VALIDATION_ERROR', path: ['posts'], message: /Pass a limit/ }])
        const one = await run(`{ author(id: "${ANN}") { name posts { id } } }`)
        t.same(one.data, { author: null })
        t.match(one.errors, [{ code: 'VALIDATION_ERROR' }])
        t.equal((await run('{ posts(limit: 2) { id } }')).data.posts.length, 2)
      })

      await t.test(
        'null where none may be climbs to the nearest nullable place; numbers keep their text',
        async (t) => {
          const { text, data, errors } = await run('{ loose(orderBy: [{n: DESC}]) { id label size n } }')
          t.same(data.loose, [{ id: ANN, label: 'a', size: 0.1, n: '9007199254740993' }, null])
          t.match(text, '"size":0.1,"n":"9007199254740993"')
          t.match(errors, [
            {
              code: 'INTERNAL_SERVER_ERROR',
              path: ['loose', 1, 'label'],
              message: 'Cannot return null for non-nullable field Loose.label.',
            },
          ])
          t.match(text, /^\{"loose":\[\{/)
          const one = await run(`{ looseOne(id: "${BOB}") { size label } authors { name } }`)
          t.same(one.data.looseOne, null)
          t.equal(one.data.authors.length, 2)
          const strict = await run('{ strict { label } }')
          t.same([strict.data, strict.errors.length], [null, 1])
          const must = await run(`{ theAuthor(id: "${NOBODY}") { name } }`)
          t.same(
            [must.data, must.errors[0]?.message],
            [null, 'Cannot return null for non-nullable field Query.theAuthor.'],
          )
          const minus = await run(`{ looseOne(id: "${BOB}") { size } }`)
          t.equal(minus.text, '{"looseOne":{"size":-0}}')
        },
      )

      await t.test('a view that was dropped: an error that names it; service resumes when it is back', async (t) => {
        await world.database.script('ALTER VIEW v_loose RENAME TO v_gone')
        const { data, errors } = await run(`{ looseOne(id: "${ANN}") { size } authors { name } }`)
        t.same(data, { looseOne: null, authors: [{ name: 'Ann' }, { name: 'Bob' }] })
        t.match(errors, [{ code: 'DATABASE_ERROR', path: ['looseOne'], message: /^"v_loose" has changed/ }])
        await world.database.script('ALTER VIEW v_gone RENAME TO v_loose')
        t.same((await run(`{ looseOne(id: "${ANN}") { size } }`)).errors, [])
        await world.database.script('ALTER VIEW v_author RENAME TO v_away')
        const nested = await run('{ posts(limit: 1) { author { name } } }')
        t.match(nested.errors, [{ code: 'DATABASE_ERROR', message: /^"v_author" has changed/ }])
        await world.database.script('ALTER VIEW v_away RENAME TO v_author')
      })

      await t.test('no database, no time: the whole request fails, also when roots are run one by one', async (t) => {
        const { query } = world.database
        delete world.database.readRow
        for (const code of ['SERVICE_UNAVAILABLE', 'TIMEOUT']) {
          world.database.query = () => Promise.reject(new SvcError(code, 'down'))
          await t.rejects(run('{ authors { name } }'), { code })
          let calls = 0
          world.database.query = () =>
            Promise.reject(
              calls++ === 0 ? Object.assign(new Error('x'), { code: '42P01' }) : new SvcError(code, 'down'),
            )
          await t.rejects(run('{ authors { name } loose { id } }'), { code })
        }
        let calls = 0
        world.database.query = (...args) =>
          calls++ === 0 ? Promise.reject(Object.assign(new Error('deadlock'), { code: '40P01' })) : query(...args)
        t.same((await run(`{ author(id: "${ANN}") { name } }`)).data, { author: { name: 'Ann' } })
        t.equal(calls, 2)
        world.database.query = () => Promise.resolve({ rows: [], columns: [] })
        await t.rejects(run('{ authors { name } }'), { code: 'INTERNAL_SERVER_ERROR' })
        world.database.query = query
      })
    },
    { sql: ROWS },
  ),
)

// proves: scalar.serialize
t.test('custom scalars write their own form, in queries and mutations', (t) =>
  eachDatabase(
    t,
    async (t, test) => {
      const shout = { serialize: (value: unknown) => `${String(value).toUpperCase()}!` }
      const world = await openExecuteWorld(t, test, LOOSE, {
        change: (model) => linkSchema(model.compiled, { codecs: new Map([['Shout', shout]]) }),
      })
      const { data } = await world.run('{ loose(orderBy: [{n: DESC}]) { loud n } }')
      t.same(data.loose, [
        { loud: 'A!', n: '9007199254740993' },
        { loud: null, n: '2' },
      ])
    },
    { sql: ROWS },
  ),
)
