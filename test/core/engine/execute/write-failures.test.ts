import t from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openExecuteWorld } from '../../../helpers/execute-world.ts'
import { ANN, BLOG, BLOG_SQL, NOBODY } from './blog.ts'

t.test('mutations that fail', (t) =>
  eachDatabase(
    t,
    async (t, test) => {
      const world = await openExecuteWorld(t, test, BLOG)
      const { run } = world
      const count = async (title: string) =>
        Number((await world.look(`SELECT count(*) FROM tb_post WHERE title = '${title}'`))[0]?.[0])

      // proves: record.raised
      await t.test('errors that a function raises: code, message, details, path; nothing is written', async (t) => {
        const cases: readonly (readonly [string, string, RegExp, object?])[] = [
          ['plain', 'INVALID_INPUT', /^not today$/],
          ['hint', 'NOT_FOUND', /^no such thing$/],
          ['own', 'OUT_OF_STOCK', /^sold out$/, { detail: 'shelf 4' }],
          ['advice', 'INVALID_INPUT', /^bad$/, { hint: 'try again later' }],
          ['timeout', 'TIMEOUT', /^too slow$/],
          ['unique', 'CONFLICT', /same value of "name"/, { constraint: 'tb_author_name_key', column: 'name' }],
          ['check', 'CONSTRAINT_VIOLATION', /tb_post_title_check/],
          ['null', 'CONSTRAINT_VIOLATION', /"name" is missing/],
          ['foreign', 'CONSTRAINT_VIOLATION', /fk_author/],
          ['data', 'BAD_USER_INPUT', /integer/],
          ['privilege', 'FORBIDDEN', /./],
          ['division', 'BAD_USER_INPUT', /division/],
          ['syntax', 'DATABASE_ERROR', /"fn_raise" failed/],
        ]
        for (const [how, code, message, details] of cases) {
          const { data, errors } = await run('mutation($h: String!) { raise(how: $h) }', { h: how })
          t.same(data, { raise: null }, how)
          t.equal(errors.length, 1)
          const [error] = errors
          t.equal(error?.code, code, how)
          t.match(error?.message, message)
          t.same(error?.path, ['raise'])
          t.same(error?.locations, [{ line: 1, column: 25 }])
          if (details !== undefined) t.match(error?.details, details)
          t.notMatch(error!.message, /SELECT|INSERT|nowhere/)
        }
        t.equal(await count('before raise'), 0)
      })

      // proves: record.failed record.message
      await t.test('a status that failed is an error, and what was written stays', async (t) => {
        const cases: readonly (readonly [string, string, string | undefined])[] = [
          ['failed:not_found', 'NOT_FOUND', undefined],
          ['failed:card_declined', 'CARD_DECLINED', undefined],
          ['conflict:duplicate_email', 'CONFLICT', 'duplicate_email'],
          ['error', 'INVALID_INPUT', undefined],
          ['not_found:post', 'NOT_FOUND', 'post'],
          ['forbidden:owner', 'FORBIDDEN', 'owner'],
        ]
        for (const [status, code, reason] of cases) {
          const { data, errors } = await run('mutation($s: String!) { answer(status: $s, message: "why") { title } }', {
            s: status,
          })
          t.same(data, { answer: null })
          t.match(errors[0], { code, message: 'why', path: ['answer'] })
          t.equal(errors[0]?.details?.reason, reason)
          t.equal(await count(`answered ${status}`), 1)
        }
        t.match((await run('mutation { answer(status: "failed:x") { title author { name } } }')).errors[0], {
          code: /^X$/,
        })
        t.equal(await count('answered failed:x'), 1)
      })

      // proves: record.status record.noop
      await t.test('success words; noop is a success', async (t) => {
        for (const status of ['ok', 'OK', 'noop', 'noop:unchanged']) {
          const { data, errors } = await run('mutation($s: String!) { answer(status: $s) { title } }', { s: status })
          t.same([data.answer.title, errors], [`answered ${status}`, []])
        }
      })

      // proves: record.unknown-status
      await t.test('a status that is none is an error, and nothing is written', async (t) => {
        for (const selection of ['title', 'title author { name }']) {
          const { data, errors } = await run(`mutation { answer(status: "wobbly:x:y") { ${selection} } }`)
          t.same(data, { answer: null })
          t.equal(errors[0]?.code, 'INTERNAL_SERVER_ERROR')
          t.match(
            errors[0]?.message,
            /Function "fn_answer" answered with the status "wobbly:x:y".*Nothing was written\.$/,
          )
        }
        t.equal(await count('answered wobbly:x:y'), 0)
      })

      // proves: mutation.serial
      await t.test('a failing nullable root does not stop the next', async (t) => {
        const { data, errors } = await run(`mutation {
          a: tryPost(authorId: "${ANN}", title: "series a") { title }
          b: raise(how: "plain")
          c: tryPost(authorId: "${NOBODY}", title: "series c") { title }
          d: tryPost(authorId: "${ANN}", title: "series d") { title }
          __typename
        }`)
        t.same(data, { a: { title: 'series a' }, b: null, c: null, d: { title: 'series d' }, __typename: 'Mutation' })
        t.same(
          errors.map(({ path, code }) => [path, code]),
          [
            [['b'], 'INVALID_INPUT'],
            [['c'], 'NOT_FOUND'],
          ],
        )
        t.same([await count('series a'), await count('series d')], [1, 1])
      })

      // proves: mutation.serial
      await t.test('a failing non-null root ends the operation; what was committed stays', async (t) => {
        const { data, errors } = await run(`mutation {
          a: tryPost(authorId: "${ANN}", title: "end a") { title }
          b: mustRaise(how: "plain")
          c: tryPost(authorId: "${ANN}", title: "end c") { title }
        }`)
        t.equal(data, null)
        t.same(
          errors.map(({ path }) => path),
          [['b']],
        )
        t.same([await count('end a'), await count('end c')], [1, 0])
      })

      await t.test('a null that may not be there is an error with the path of the field', async (t) => {
        const { data, errors } = await run(
          'mutation { jsonPost(value: {id: "x", title: null}) { id title } must: jsonPost(value: {id: "x", title: "t", tags: ["a", null]}) { tags } }',
        )
        t.same(data, { jsonPost: null, must: { tags: null } })
        t.same(
          errors.map(({ path, message }) => [path, message]),
          [
            [['jsonPost', 'title'], 'Cannot return null for non-nullable field Post.title.'],
            [['must', 'tags', 1], 'Cannot return null for non-nullable field Post.tags.'],
          ],
        )
        const none = await run('mutation { mustAnswer(status: "ok") { title } }')
        t.same(none.data, { mustAnswer: { title: 'answered ok' } })
      })

      await t.test('a function that was dropped: an error that names it, no SQL', async (t) => {
        await world.database.script('ALTER FUNCTION fn_int(int) RENAME TO fn_gone')
        const { data, errors } = await run('mutation { number(value: 1) flag(value: true) }')
        t.same(data, { number: null, flag: true })
        t.equal(errors[0]?.code, 'DATABASE_ERROR')
        t.match(errors[0]?.message, /^"fn_int" has changed in the database since the schema was compiled/)
        await world.database.script('ALTER FUNCTION fn_gone(int) RENAME TO fn_int')
        t.same((await run('mutation { number(value: 1) }')).data, { number: 1 })
      })

      await t.test('no database, no time: the whole request fails', async (t) => {
        for (const code of ['SERVICE_UNAVAILABLE', 'TIMEOUT']) {
          const query = world.database.query
          world.database.query = () => Promise.reject(new SvcError(code, 'down'))
          t.teardown(() => {
            world.database.query = query
          })
          await t.rejects(run('mutation { number(value: 1) flag(value: true) }'), { code })
          world.database.query = query
        }
      })

      await t.test('a subscription is not answered here', async (t) => {
        const operation = world.operation('mutation { flag(value: true) }')
        await t.rejects(world.resolve({ ...operation, template: { ...operation.template, kind: 'subscription' } }), {
          code: 'REQUEST_ERROR',
        })
      })
    },
    { sql: BLOG_SQL },
  ),
)
