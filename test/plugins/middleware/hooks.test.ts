import t from 'tap'
import {
  type AfterMutation,
  afterMutation,
  type BeforeMutation,
  beforeMutation,
  type HookContext,
} from '../../../core/authoring/index.ts'
import { SvcError } from '../../../core/doors/plugin.ts'
import { eachDatabase } from '../../helpers/databases.ts'
import { NOTES_SQL, notes, openNotes, type Trace } from './notes.ts'

/** `beforeMutation` and `afterMutation`, in the transaction of their mutation (docs/plugins/middleware.md). */
t.setTimeout(120_000)

await eachDatabase(
  t,
  async (t, database) => {
    const trace: Trace = []
    let before: BeforeMutation = () => {}
    let after: AfterMutation = () => {}
    const hear = (what: string) => async (of: unknown, context: HookContext) => {
      trace.push(`${what} ${context.mutation}`)
      heard = { of, context }
    }
    let heard: { of: unknown; context: HookContext } | null = null
    const schema = await notes(() => ({
      first: beforeMutation('addNote', async (args, context) => {
        trace.push(`before ${context.mutation}`)
        await context.query('INSERT INTO tb_log VALUES ($1)', [`before ${args.title}`])
        await before(args, context)
      }),
      second: beforeMutation('add_note', hear('second')),
      third: afterMutation('add_note', async (entity, context) => {
        trace.push(`after ${context.mutation}`)
        await context.query('INSERT INTO tb_log VALUES ($1)', [`after ${entity?.title}`])
        await after(entity, context)
      }),
      ...Object.fromEntries(
        ['drop_note', 'copyNotes', 'idOnly', 'refuse'].map((name) => [name, afterMutation(name, hear('after'))]),
      ),
    }))
    const app = await openNotes(t, database, schema, trace)
    const run = async (query: string, headers: Record<string, string> = {}) => {
      trace.length = 0
      heard = null
      return app.graphql(query, {}, headers)
    }
    const look = async (text: string) =>
      (await app.database.query({ name: null, text }, [], null)).rows.map(([first]) => first)
    const add = (title: string) => `mutation { addNote(title: "${title}", tenant: "red") { title } }`
    const written = async (title: string) => [
      await look(`SELECT entry FROM tb_log WHERE entry LIKE '%${title}'`),
      await look(`SELECT title FROM tb_note WHERE title = '${title}'`),
    ]

    // proves: before_mutation.runs after_mutation.runs pipeline.order
    await t.test(
      'in the transaction, after the checks of access, around the function, in declared order',
      async (t) => {
        let context = null as HookContext | null
        before = (args, of) => {
          context = of
          t.strictSame({ ...args }, { title: 'one', tenant: 'red' })
          t.throws(() => {
            args.title = 'other'
          }, /read only|Cannot assign/)
        }
        after = (entity) => {
          t.match(entity, { id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, title: 'one' })
          t.equal(`${entity.pk_note}`, '9007199254740993', 'numbers keep their digits')
          t.throws(() => {
            entity.title = 'other'
          }, /read only|Cannot assign/)
        }
        const { data, errors } = await run(add('one'), { authorization: 'Login ann:red' })
        t.equal(errors, undefined)
        t.strictSame(data, { addNote: { title: 'one' } })
        t.strictSame(trace, [
          'authenticate ann:red',
          'authorize mutation',
          'before addNote',
          'second addNote',
          'after addNote',
        ])
        t.strictSame(await written('one'), [['before one', 'function one', 'after one'], ['one']])
        t.match(context, {
          mutation: 'addNote',
          operation: 'CREATE',
          transport: 'http',
          auth: { subject: 'ann', claims: { tenant: 'red' } },
          headers: { authorization: 'Login ann:red' },
          isDryRun: false,
        })
        await t.rejects((context as unknown as HookContext).query('SELECT 1'), { message: /hook has ended/ })
      },
    )

    // proves: before_mutation.throw
    await t.test('a throw before aborts and rolls back, with its code', async (t) => {
      before = () => {
        throw new SvcError('QUOTA', 'No more notes.', { details: { most: 3 } })
      }
      const { data, errors } = await run(add('two'))
      t.notOk(data?.addNote)
      t.match(errors, [{ message: 'No more notes.', path: ['addNote'], extensions: { code: 'QUOTA', most: 3 } }])
      t.strictSame(await written('two'), [[], []], 'neither the function nor the hook wrote')
      t.notOk(trace.some((line) => line.startsWith('after') || line.startsWith('second')))
      before = async (_args, context) => void (await context.query('SELECT nothing'))
      const broken = await run(add('two'))
      t.match(broken.errors, [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }])
      t.notMatch(JSON.stringify(broken.errors), /nothing"|SELECT/)
      t.strictSame(await written('two'), [[], []])
      before = () => {}
    })

    // proves: after_mutation.throw
    await t.test('a throw after rolls back what the function wrote', async (t) => {
      after = async (_entity, context) => {
        const [[count] = []] = await context.query('SELECT count(*)::text FROM tb_note WHERE title = $1', ['three'])
        t.equal(count, '1', 'it sees what the function wrote')
        throw new SvcError('FORBIDDEN', 'Not this one.')
      }
      const { errors } = await run(add('three'))
      t.match(errors, [{ message: 'Not this one.', extensions: { code: 'FORBIDDEN' } }])
      t.strictSame(await written('three'), [[], []])
      after = () => Promise.reject(new Error('secret'))
      const hidden = await run(add('three'))
      t.match(hidden.errors, [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }])
      t.notMatch(JSON.stringify(hidden), 'secret')
      t.strictSame(await written('three'), [[], []])
      after = () => {}
    })

    // proves: hooks.named
    await t.test('only the mutation of their name, in either spelling, with arguments of each shape', async (t) => {
      await run('mutation { idOnly(title: "four") { title } }')
      t.strictSame(trace, ['authorize mutation', 'after idOnly'])
      t.match(heard?.of, { id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ })
      await run('mutation { copyNotes(tenant: "blue") { title } }')
      t.match(heard?.of, [{ title: 'copy of b1' }])
      t.equal((heard as { of: unknown[] } | null)?.of.length, 1)
      await run('mutation { dropNote(title: "copy of b1") { title } }')
      t.match(heard, { of: { title: 'copy of b1' }, context: { operation: 'DELETE' } })
      const noop = await run('mutation { dropNote(title: "copy of b1") { title } }')
      t.same([noop.errors, noop.data], [undefined, { dropNote: null }])
      t.strictSame([trace.at(-1), heard as unknown], ['after dropNote', { ...(heard as object | null), of: null }])
      const failed = await run('mutation { refuse(title: "x") { title } }')
      t.match(failed.errors, [{ extensions: { code: 'FULL' } }])
      t.equal(heard, null, 'what says that it failed has not succeeded')
      const moments = app.kernel.mutationHooksOf
      for (const [name, mutation] of app.kernel.generation.schema.mutations) {
        const { before, after } = moments?.(mutation) ?? { before: null, after: null }
        t.strictSame(
          [before !== null, after !== null],
          [name === 'addNote', name !== 'bare'],
          `${name} has its own hooks only`,
        )
      }
    })
  },
  { sql: NOTES_SQL },
)
