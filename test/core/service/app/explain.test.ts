import t from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import type { AccessControl } from '../../../../core/contract/access.ts'
import type { Explanation } from '../../../../core/contract/explanation.ts'
import type { Scope } from '../../../../core/contract/scope.ts'
import { testOperation, testPlugin } from '../../../../core/testing/testing.ts'
import { PreparedDocument } from '../../../../plugins/graphql/document/prepared-document.ts'
import { createSchemaView } from '../../../../plugins/graphql/schema/graphql-schema.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { entry, plugin } from '../../../helpers/kernel.ts'
import { openApp } from '../../../helpers/open-app.ts'
import { NOTES, NOTES_SQL, OUTBOX } from './notes.ts'

/** `scope.engine.explain`: describes an operation for callers that may run it (docs/guides/write-a-plugin.md). */

await eachDatabase(
  t,
  async (t, test) => {
    let kept: Scope | null = null
    let closed = false
    let said: (access: AccessControl) => void = () => {}
    const looking = plugin('looking', (scope) => {
      kept = scope
      scope.writes(OUTBOX)
      scope.on('authorize', (_ctx, _operation, access) => {
        said(access)
        if (closed) throw new SvcError('FORBIDDEN', 'closed')
      })
      scope.on('resolve', (_ctx, _operation, next) => {
        t.fail('nothing is resolved')
        return next()
      })
    })
    const app = await openApp(t, test, NOTES, { plugins: [entry(looking)] })
    const view = createSchemaView(app.kernel.generation.schema, false)
    const limits = { maxTokens: 1000, introspection: true }
    const explain = async (document: string, variables = {}, options = {}): Promise<Explanation> => {
      const operation = new PreparedDocument(document, view, limits, () => {}).operation(null).toOperation(variables)
      let found: unknown
      const signal = await kept!.pipeline.enter({ transport: 'stdio' }, async (ctx) => {
        found = await kept!.engine.explain(ctx, operation, options).catch((error: unknown) => error)
        return { status: 200, headers: {}, body: null }
      })
      t.equal(signal.status, 200)
      if (found instanceof Error) throw found
      return found as Explanation
    }
    const count = async () =>
      (await app.database.query({ name: null, text: 'SELECT count(*)::text FROM tb_note' }, [], null)).rows[0]![0]

    await t.test('a query: plan, statement, values, and what the database would do', async (t) => {
      const document = 'query ($text: String!) { notes(where: { text: { _eq: $text } }) { id } }'
      const found = await explain(document, { text: 'x' }, { database: true })
      t.match(found, { kind: 'query', plan: /notes: list v_note/, sources: ['v_note'] })
      t.match(found.statements, [{ root: null, sql: /"v_note"/, parameters: [/^x$/] }])
      t.match(JSON.parse(found.statements[0]!.database!), [{ Plan: {} }])
      t.equal(
        (await explain(document, { text: 'x' })).statements[0]?.database,
        null,
        'the database is asked where that is wanted',
      )
      t.same((await explain('{ __typename }')).statements, [])
    })

    await t.test('statements run as the caller', async (t) => {
      said = (access) => access.set('app.tenant', 'acme')
      const { explain: real } = app.database
      let settings: unknown
      Object.assign(app.database, {
        explain: (...given: Parameters<typeof real>) => {
          settings = given[2]
          return real(...given)
        },
      })
      const found = await explain('{ notes { id } }', {}, { database: true })
      t.match(JSON.parse(found.statements[0]!.database!), [{ Plan: {} }])
      t.match(settings, [{ name: 'transaction_read_only' }, { name: 'app.tenant', value: 'acme' }])
      Object.assign(app.database, { explain: real })
      said = () => {}
    })

    await t.test('a mutation: the statement that would run, and nothing else', async (t) => {
      const document = 'mutation { a: addNote(text: "never") { id } b: addNote(text: "never") { text } }'
      const found = await explain(document, {}, { database: true })
      t.match(found, { kind: 'mutation', plan: null, sources: ['fn_add_note'] })
      t.match(found.statements, [
        { root: /^a$/, sql: /^WITH .*"fn_add_note".*INSERT INTO "svc_outbox"/s, database: null },
        {
          root: /^b$/,
          sql: /"fn_add_note"/,
          parameters: ['never', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, /^\d{4}-\d\d-\d\dT/],
          database: null,
        },
      ])
      t.equal(await count(), '0')
    })

    await t.test('a caller who may not run the operation gets no explanation', async (t) => {
      closed = true
      await t.rejects(explain('{ notes { id } }'), { code: 'FORBIDDEN' })
      closed = false
      await t.rejects(explain('{ notes(limit: -1) { id } }'), { code: 'BAD_USER_INPUT' })
    })

    await t.test('a database that is gone is said to be', async (t) => {
      const { explain: real } = app.database
      const broken = Object.assign(new Error('syntax error'), { code: '42601', severity: 'ERROR' })
      Object.assign(app.database, { explain: () => Promise.reject(broken) })
      await t.rejects(explain('{ notes { id } }', {}, { database: true }), {
        code: 'DATABASE_ERROR',
        message: /cannot explain/,
      })
      const gone = new SvcError('SERVICE_UNAVAILABLE', 'gone')
      Object.assign(app.database, { explain: () => Promise.reject(gone) })
      await t.rejects(explain('{ notes { id } }', {}, { database: true }), { code: 'SERVICE_UNAVAILABLE' })
      Object.assign(app.database, { explain: real })
    })
  },
  { sql: NOTES_SQL },
)

t.test('in the test kit', async (t) => {
  let kept: Scope | null = null
  const kit = plugin('kit', (scope) => {
    kept = scope
  })
  const nothing = await testPlugin(kit as never)
  await t.rejects(kept!.engine.explain(nothing.exchange(), testOperation()), { message: /give `explain`/ })
  await nothing.close()
  const explained: Explanation = { kind: 'query', plan: '', sources: [], statements: [] }
  const tested = await testPlugin(kit as never, { explain: async () => explained })
  t.equal(await kept!.engine.explain(tested.exchange(), testOperation()), explained)
  await tested.close()
})
