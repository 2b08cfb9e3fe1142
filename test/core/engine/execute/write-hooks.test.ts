import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { pluginOf } from '../../../../core/base/errors/blame.ts'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import type { MutationCall } from '../../../../core/contract/mutation-call.ts'
import type { MutationHooks } from '../../../../core/contract/mutation-hooks.ts'
import { KINDS } from '../../../../core/kernel/kinds.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { executeWorldOn } from '../../../helpers/execute-world.ts'
import { openTestDatabase } from '../../../helpers/open-database.ts'
import { ANN, BLOG, BLOG_SQL } from './blog.ts'

/** `mutation:before` and `mutation:after`, hooks inside the transaction of a mutation (docs/guides/write-a-plugin.md). */

type Before = NonNullable<MutationHooks['before']>
type After = NonNullable<MutationHooks['after']>

const REPORT = { failed() {}, pending() {} }
/** Creates sealed hooks of one plugin, as the kernel does. */
function mutationHooksOf(hooks: { readonly before?: Before; readonly after?: After }): MutationHooks {
  const chain = (handler: unknown) =>
    handler === undefined ? null : KINDS.series([{ plugin: 'hooked', handler: handler as never }], REPORT)
  return { before: chain(hooks.before) as Before | null, after: chain(hooks.after) as After | null }
}

const create = (title: string) => `mutation { tryPost(authorId: "${ANN}", title: "${title}") { title } }`
const insertAuthor = (call: MutationCall, name: string) =>
  call.session.query({ name: null, text: 'INSERT INTO tb_author (name) VALUES ($1)' }, [name])

await eachDatabase(
  t,
  async (t, test) => {
    const database = await openTestDatabase(t, test)
    const open = (hooks: Parameters<typeof mutationHooksOf>[0], events = true) =>
      executeWorldOn(database, BLOG, { mutationHooks: mutationHooksOf(hooks), events })
    const plain = await executeWorldOn(database, BLOG)
    const authors = async () => (await plain.look('SELECT name FROM tb_author ORDER BY pk_author')).flat()
    const posts = async () => (await plain.look('SELECT title FROM tb_post ORDER BY pk_post')).flat()

    await t.test('a mutation without hooks stays one statement', async (t) => {
      const seen: string[] = []
      const mutationHooks = mutationHooksOf({
        before: (_exchange, call) => void seen.push(`before ${call.root.responseKey}`),
        after: (_exchange, call) => void seen.push(`after ${call.root.responseKey}`),
      })
      const world = await executeWorldOn(database, BLOG, {
        mutationHooks: ({ wireName }) => (wireName === 'tryPost' ? mutationHooks : null),
        events: false,
      })
      const { run, log, resolve, operation } = world
      const other = `createPost(authorId: "${ANN}", title: "named") { title }`
      const hooked = `tryPost(authorId: "${ANN}", title: "named") { title }`
      t.same((await run(`mutation { a: ${other} }`)).data, { a: { title: 'named' } })
      t.equal(log.length, 1)
      t.not(log[0], 'BEGIN')
      t.same(seen, [])
      t.equal((await resolve(operation(`mutation { a: ${other} }`))).writes, undefined, 'nobody is told')
      log.length = 0
      t.same((await run(`mutation { a: ${other} b: ${hooked} }`)).errors, [])
      t.equal(log.filter((text) => text === 'BEGIN').length, 1, 'in one document each as it is')
      t.same(seen.splice(0), ['before b', 'after b'])
      const together = { ...operation(`mutation { a: ${other} b: ${hooked} }`), write: { atomic: true } as const }
      t.equal((await resolve(together)).errors, null)
      t.same(seen, ['before b', 'after b'], 'nor in one transaction')
      await database.query({ name: null, text: "DELETE FROM tb_post WHERE title = 'named'" }, [], null)
    })

    await t.test('before and after the call, in its transaction, with what it is about', async (t) => {
      const seen: unknown[] = []
      const { run, log, events } = await open({
        async before(exchange, call) {
          seen.push([exchange.id, call.mutation, call.kind, { ...call.arguments }, call.dryRun])
          await insertAuthor(call, 'hook before')
        },
        async after(_exchange, call, writes) {
          const { rows } = await call.session.query({ name: null, text: 'SELECT count(*)::text FROM tb_post' }, [])
          seen.push([writes.map(({ kind, entityType }) => [kind, entityType]), rows[0]?.[0]])
        },
      })
      const { data } = await run('mutation ($a: ID!) { createPost(authorId: $a, title: "m1") { title } }', { a: ANN })
      t.same(data, { createPost: { title: 'm1' } })
      t.same(seen, [
        ['test', 'createPost', 'CREATE', { authorId: ANN, title: 'm1' }, false],
        [[['CREATE', 'Post']], '1'],
      ])
      t.equal(log.filter((text) => text === 'BEGIN').length, 1)
      t.equal(log.length, 4, 'BEGIN, a statement of each hook, the call')
      t.equal(events.length, 1)
      t.ok((await authors()).includes('hook before'))
    })

    await t.test('a throw of a hook rolls back and is the error of the root', async (t) => {
      for (const at of ['before', 'after'] as const) {
        const hook = async (_exchange: unknown, call: MutationCall) => {
          await insertAuthor(call, `undone ${at}`)
          throw new SvcError('CLOSED_TODAY', 'Come back tomorrow.')
        }
        const { run, events } = await open({ [at]: hook })
        const { data, errors } = await run(create('undone'))
        t.same(data, { tryPost: null })
        t.match(errors, [{ code: 'CLOSED_TODAY', message: 'Come back tomorrow.', path: ['tryPost'] }])
        t.equal(pluginOf(errors[0]), null, 'what was meant for the client is passed on as it is')
        t.same(events, [])
      }
      t.notOk((await authors()).some((name) => name?.startsWith('undone')))
      t.notOk((await posts()).includes('undone'))
    })

    await t.test('an unexposed error of a hook is hidden from the client and names the plugin', async (t) => {
      const faults: Readonly<Record<string, (call: MutationCall) => unknown>> = {
        'a thrown error': () => {
          throw new Error('secret')
        },
        'a thrown value': () => Promise.reject('secret'),
        'a statement that is none': (call) => call.session.query({ name: null, text: 'SELEC secret' }, []),
        'a constraint of a table of its own': (call) => insertAuthor(call, 'Ann'),
      }
      for (const [name, fault] of Object.entries(faults)) {
        const { run } = await open({ before: async (_exchange, call) => void (await fault(call)) })
        const { errors } = await run(create('inside'))
        t.match(errors, [{ code: 'INTERNAL_SERVER_ERROR', path: ['tryPost'] }], name)
        t.notMatch(errors[0]!.message, /secret|tb_author/, name)
        t.equal(pluginOf(errors[0]), 'hooked', name)
      }
      t.notOk((await posts()).includes('inside'))
    })

    await t.test('a failure that a hook keeps to itself is said to be the reason', async (t) => {
      for (const at of ['before', 'after'] as const) {
        const { run, events } = await open({
          [at]: async (_exchange: unknown, call: MutationCall) => {
            await call.session.query({ name: null, text: 'SELECT 1 / 0' }, []).catch(() => {})
          },
        })
        const { data, errors } = await run(create('kept'))
        t.same(data, { tryPost: null }, at)
        t.match(errors, [{ code: 'TRANSACTION_FAILED', message: /A statement that a plugin ran/ }], at)
        t.match(errors[0]?.cause, { code: '22012' }, at)
        t.same(events, [], at)
      }
      t.notOk((await posts()).includes('kept'))
    })

    await t.test('after a failure there is nothing to do; after a noop nothing was written', async (t) => {
      const seen: unknown[] = []
      const { run, events } = await open({
        after: (_exchange, { mutation }, writes) => void seen.push([mutation, writes]),
      })
      await run('mutation { answer(status: "failed:x") { title } }')
      await run('mutation { raise(how: "plain") }')
      t.same(seen, [])
      await run('mutation { answer(status: "noop") { title } }')
      t.same(seen, [['answer', []]])
      t.same(events, [])
    })

    await t.test('a hook that does not come to an end ends with its request', async (t) => {
      let late: Promise<unknown> = Promise.resolve()
      const { operation, resolve } = await open({
        async before(_exchange, call) {
          await delay(60)
          late = insertAuthor(call, 'late').then(
            () => 'written',
            (error: SvcError) => error.code,
          )
          await new Promise(() => {})
        },
      })
      for (const reason of ['timeout', 'client'] as const) {
        const exchange = plain.exchange()
        setTimeout(() => exchange.abort(reason), 20)
        const running = resolve(operation(create('hung')), exchange)
        await t.rejects(running, { code: 'TIMEOUT', message: /mutation:before/ })
        await delay(80)
        t.equal(await late, 'TRANSACTION_FAILED', 'the session is over with its moment')
      }
      t.notOk((await posts()).includes('hung'))
      t.notOk((await authors()).includes('late'))
      t.equal((await plain.look('SELECT 1')).length, 1, 'the connection is free again')
    })

    await t.test('a client that goes between the call and COMMIT takes the write along', async (t) => {
      const exchange = plain.exchange()
      const { operation, resolve, events } = await open({ after: () => exchange.abort('client') })
      await t.rejects(resolve(operation(create('gone')), exchange), { code: 'TIMEOUT' })
      t.same(events, [])
      await delay(30)
      t.notOk((await posts()).includes('gone'))
    })

    await t.test('without hooks a mutation is one statement', async (t) => {
      const { run, log } = await open({})
      await run(create('alone'))
      t.equal(log.length, 1)
    })
  },
  { sql: BLOG_SQL },
)
