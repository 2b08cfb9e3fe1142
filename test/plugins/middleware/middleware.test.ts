import t from 'tap'
import { type Middleware, middleware } from '../../../core/authoring/index.ts'
import { SvcError } from '../../../core/doors/plugin.ts'
import { eachDatabase } from '../../helpers/databases.ts'
import { NOTES_SQL, notes, openNotes, type Trace } from './notes.ts'

/** Middleware, from the author's module to the database (docs/plugins/middleware.md). */
t.setTimeout(120_000)

/** Error class of another installation of svc, which the author's module may have imported. */
class Foreign extends Error {
  readonly code = 'QUOTA_USED_UP'
  readonly details = { limit: 3 }
  override readonly name = 'SvcError'
}

await eachDatabase(
  t,
  async (t, database) => {
    const trace: Trace = []
    /** What the third one does; each test says. */
    let act: Middleware = (request, next) => next(request)
    const schema = await notes(() => ({
      outer: middleware(async (request, next) => {
        trace.push(`outer in ${request.auth?.claims.sub ?? 'nobody'}`)
        const { cookie } = request.headers
        if (cookie !== undefined) request.headers.authorization = `Login ${cookie}`
        const reply = await next(request)
        trace.push(`outer out ${reply.status}`)
        return { ...reply, headers: { ...reply.headers, 'x-outer': 'yes' } }
      }),
      inner: middleware(async (request, next) => {
        trace.push(`inner in ${request.auth?.claims.sub ?? 'nobody'}`)
        if (request.auth !== null) request.context.tenant = request.auth.claims.tenant
        return next(request)
      }),
      third: middleware((request, next) => act(request, next)),
    }))
    const app = await openNotes(t, database, schema, trace)
    const ask = async (query: string, headers: Record<string, string> = {}) => {
      trace.length = 0
      return app.graphql(query, {}, headers)
    }
    const RED = { authorization: 'Login ann:red' }
    const titles = (list: { title: string }[]) => list.map(({ title }) => title)

    // proves: middleware.order pipeline.order
    await t.test('in the order of declaration, around authentication, authorization and the answer', async (t) => {
      const { data, headers } = await ask('{ notes { title } }', RED)
      t.strictSame(titles(data.notes), ['r1', 'r2'])
      t.equal(headers['x-outer'], 'yes')
      t.strictSame(trace, ['authenticate ann:red', 'outer in ann', 'inner in ann', 'authorize query', 'outer out 200'])
    })

    // proves: middleware.claims middleware.context
    await t.test('claims become values of row filters; without them nothing is shown', async (t) => {
      t.strictSame(titles((await ask('{ notes { title } }', { authorization: 'Login bob:blue' })).data.notes), ['b1'])
      const { errors, data } = await ask('{ notes { title } }')
      t.match(errors, [{ extensions: { code: 'UNAUTHENTICATED' } }])
      t.notOk(data?.notes)
    })

    // proves: query.public mutation.public
    await t.test('public opens an operation to all callers; the others need a credential', async (t) => {
      t.equal((await ask('{ all { title } }')).data.all.length, 3)
      t.match((await ask('{ members { title } }')).errors, [{ extensions: { code: 'UNAUTHENTICATED' } }])
      t.equal((await ask('{ members { title } }', RED)).data.members.length, 3)
      t.strictSame((await ask('mutation { dropNote(title: "nothing") { title } }')).data, { dropNote: null })
      const bare = 'mutation { bare(title: "x") { title } }'
      t.match((await ask(bare)).errors, [{ extensions: { code: 'UNAUTHENTICATED' } }])
      t.match((await ask(bare, RED)).errors, [{ extensions: { code: 'FULL' } }], 'its function ran')
    })

    // proves: middleware.before-auth
    await t.test(
      'before the credential is checked: it may be changed, and a bad one is refused behind it',
      async (t) => {
        const { data } = await ask('{ notes { title } mine { title } }', { cookie: 'bob:blue' })
        t.strictSame([titles(data.notes), titles(data.mine)], [['b1'], ['b1']])
        t.strictSame(trace.slice(0, 3), ['outer in nobody', 'authenticate bob:blue', 'inner in bob'])
        t.equal(trace.filter((line) => line.startsWith('authenticate')).length, 1, 'it is verified once')

        const changed = await ask('{ mine { title } }', { ...RED, cookie: 'bob:blue' })
        t.strictSame(titles(changed.data.mine), ['b1'], 'what it was changed to counts')
        t.strictSame(trace.slice(0, 4), [
          'authenticate ann:red',
          'outer in ann',
          'authenticate bob:blue',
          'inner in bob',
        ])

        const bad = await ask('{ all { title } }', { authorization: 'Login bad' })
        t.equal(bad.status, 401)
        t.match(bad.errors, [{ extensions: { code: 'UNAUTHENTICATED' } }])
        t.strictSame(trace, ['authenticate bad', 'outer in nobody', 'inner in nobody', 'outer out 401'])
      },
    )

    // proves: middleware.throw
    await t.test('a throw is the answer: its code where it is an SvcError, else nothing of it', async (t) => {
      act = () => {
        throw new SvcError('FORBIDDEN', 'Not on Sundays.')
      }
      const refused = await ask('{ all { title } }', RED)
      t.match(
        [refused.status, refused.errors],
        [403, [{ message: 'Not on Sundays.', extensions: { code: 'FORBIDDEN' } }]],
      )
      t.notOk(trace.includes('authorize query'), 'nothing was run')
      act = () => Promise.reject(new Foreign('Used up'))
      t.match((await ask('{ all { title } }')).errors, [
        { message: 'Used up', extensions: { code: 'QUOTA_USED_UP', limit: 3 } },
      ])
      for (const secret of [new Error('secret of the author'), 'secret text', undefined]) {
        act = () => Promise.reject(secret)
        const { status, errors } = await ask('{ all { title } }')
        t.match([status, errors], [500, [{ extensions: { code: 'INTERNAL_SERVER_ERROR', errorId: String } }]])
        t.notMatch(JSON.stringify(errors), 'secret')
      }
    })

    // proves: middleware.answer
    await t.test('answers itself; what is no answer, and a second next, are errors of its own', async (t) => {
      act = () => ({ status: 418, headers: { 'X-Tea': 'pot' }, body: { tea: true } })
      const reply = await app.inject({ url: '/anything' })
      t.strictSame([reply.status, reply.json(), reply.headers['x-tea']], [418, { tea: true }, 'pot'])
      t.match(reply.headers['content-type'], /^application\/json/)
      act = () => ({ status: 204 })
      t.equal((await app.inject({ url: '/anything' })).status, 204)
      act = async (request, next) => {
        request.context.tenant = 'blue'
        await next(request)
        return next(request)
      }
      const reported = async (query = '{ notes { title } }') => {
        const { errors, status } = await ask(query)
        t.match([status, errors], [500, [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }]])
        const log = app.signals.findLast(({ type }) => type === 'request-failed') as { readonly error: Error }
        return log.error.message
      }
      t.match(await reported(), /called next twice/)
      act = (async () => undefined) as never
      t.match(await reported(), /Middleware gave nothing.*return next\(request\)/)
      act = (request, next) => next({ ...request })
      t.match(await reported(), /next takes the request that middleware was given/)
      for (const wrong of ['text', 7, {}, { status: '200' }, { status: 20 }, { status: 200, headers: 1 }]) {
        act = (async () => wrong) as never
        t.match(await reported(), /It has to return/)
      }
      act = (request, next) => next(request)
      t.equal((await ask('{ all { title } }')).status, 200, 'and the next request is served')
    })
  },
  { sql: NOTES_SQL },
)
