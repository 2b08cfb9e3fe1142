import t from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { executeWorldOn, openExecuteWorld } from '../../../helpers/execute-world.ts'
import { ANN, BLOG, BLOG_SQL } from './blog.ts'

/** What was written is told as written, and what was not as not. */
const SQL = `${BLOG_SQL}
CREATE FUNCTION fn_silent(p_title text) RETURNS SETOF v_post LANGUAGE plpgsql AS $$
BEGIN PERFORM insert_post('${ANN}', p_title); RETURN; END $$;
CREATE FUNCTION fn_silent_row(p_title text) RETURNS v_post LANGUAGE plpgsql AS $$
BEGIN PERFORM insert_post('${ANN}', p_title); RETURN NULL; END $$;
CREATE FUNCTION fn_forged(p_text text) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN p_text::int; END $$;
CREATE FUNCTION fn_rec(p jsonb) RETURNS TABLE (status text, message text, entity_id text, entity jsonb, updated_fields jsonb) LANGUAGE sql AS $$
  SELECT p->>'status', NULL::text, p->>'entity_id', p->'entity', p->'updated_fields' $$;
CREATE FUNCTION fn_strict(p_how text) RETURNS int LANGUAGE plpgsql AS $$ DECLARE x bigint; BEGIN
  CASE p_how
    WHEN 'none' THEN SELECT pk_post INTO STRICT x FROM tb_post WHERE title = 'there is none';
    WHEN 'raised' THEN RAISE no_data_found USING MESSAGE = 'no such post';
    WHEN 'locked' THEN PERFORM 1 FROM tb_author WHERE name = 'Bob' FOR UPDATE NOWAIT;
  END CASE; RETURN 1; END $$;
CREATE FUNCTION fn_class(p_class text, p_http int) RETURNS TABLE (succeeded boolean, state_changed boolean, error_class text, status_detail text,
  http_status smallint, message text, entity_id uuid, entity_type text, entity jsonb) LANGUAGE sql AS $$
  SELECT false, false, p_class, 'x', p_http::smallint, 'class says', NULL::uuid, NULL::text, NULL::jsonb $$;
`
const TITLE = [{ name: 'title', type: 'String!' }]
const SCHEMA = {
  ...BLOG,
  mutations: [
    ...(BLOG.mutations ?? []),
    { name: 'silent_must', type: 'Post!', sql_source: 'fn_silent', arguments: TITLE },
    { name: 'silent_may', type: 'Post', sql_source: 'fn_silent', arguments: TITLE },
    { name: 'silent_row_must', type: 'Post!', sql_source: 'fn_silent_row', arguments: TITLE },
    { name: 'rec', type: 'Post', sql_source: 'fn_rec', arguments: [{ name: 'p', type: 'JSON!' }] },
    { name: 'strict', type: 'Int', sql_source: 'fn_strict', arguments: [{ name: 'how', type: 'String!' }] },
    { name: 'forged', type: 'Int', sql_source: 'fn_forged', arguments: [{ name: 'text', type: 'String!' }] },
    {
      name: 'class',
      type: 'Author',
      sql_source: 'fn_class',
      arguments: [
        { name: 'class', type: 'String!' },
        { name: 'http', type: 'Int' },
      ],
    },
  ],
}

t.test('the outcome of a write is reported', (t) =>
  eachDatabase(
    t,
    async (t, test) => {
      const world = await openExecuteWorld(t, test, SCHEMA)
      const { run } = world
      const count = async (title: string) =>
        Number((await world.look(`SELECT count(*) FROM tb_post WHERE title = '${title}'`))[0]?.[0])

      await t.test('no row where there has to be one undoes the write, with hooks and without', async (t) => {
        const hooked = await executeWorldOn(world.database, SCHEMA, {
          mutationHooks: { before: async () => {}, after: null },
        })
        for (const [name, { run, log }] of [
          ['alone', world],
          ['hooked', hooked],
        ] as const) {
          for (const field of ['silentMust', 'silentRowMust']) {
            log.length = 0
            const title = `${field} ${name}`
            const { data, errors } = await run(`mutation { ${field}(title: "${title}") { title } }`)
            t.equal(data, null)
            t.match(errors, [{ code: 'NOT_FOUND', message: `${field}: nothing was found.`, path: [field] }])
            t.equal(await count(title), 0, title)
            t.equal(log.length, name === 'alone' ? 1 : 2, 'one statement without hooks')
          }
          t.same((await run(`mutation { silentMay(title: "may ${name}") { title } }`)).data, { silentMay: null })
          t.equal(await count(`may ${name}`), 1, 'where there may be none it is no failure')
        }
        t.same((await run('mutation { setofMust(titles: ["a1", "a2"]) { title } }')).data, {
          setofMust: { title: 'a1' },
        })
        t.equal(await count('a2'), 1)
      })

      await t.test('an answer that breaks its type is an error behind COMMIT, which says so', async (t) => {
        for (const [document, path] of [
          ['jsonPost(value: {id: "x", title: null}) { id title }', ['jsonPost', 'title']],
          ['jsonPost(value: {id: "x", title: "t", state: "gone"}) { state }', ['jsonPost', 'state']],
        ] as const) {
          const { errors } = await run(`mutation { ${document} }`)
          t.match(errors, [{ code: 'INTERNAL_SERVER_ERROR', path, details: { outcome: 'committed' } }], document)
        }
        const operation = world.operation('mutation { jsonPost(value: {id: "x", title: null}) { title } }')
        const tried = await world.resolve({ ...operation, write: { dryRun: true } })
        t.equal(tried.errors?.[0]?.details?.outcome, undefined, 'nothing stands of a dry run')
        const together = await world.resolve({ ...operation, write: { atomic: true } })
        t.equal(together.errors?.[0]?.details?.outcome, undefined, 'nor of what stands or falls as a whole')
      })

      await t.test('a status concerns its root, whatever its code is called', async (t) => {
        for (const [status, code] of [
          ['failed:timeout', 'TIMEOUT'],
          ['failed:service_unavailable', 'SERVICE_UNAVAILABLE'],
        ] as const) {
          const { data, errors } = await run(
            `mutation { a: number(value: 1) b: answer(status: "${status}") { title } c: number(value: 3) }`,
          )
          t.same(data, { a: 1, b: null, c: 3 }, status)
          t.match(errors, [{ code, path: [/^b$/] }])
        }
        const { data, errors } = await run(
          'mutation { a: number(value: 1) b: class(class: "timeout") { name } c: number(value: 3) }',
        )
        t.same(data, { a: 1, b: null, c: 3 })
        t.match(errors, [{ code: 'TIMEOUT', status: 504, path: [/^b$/] }])
        const operation = world.operation(
          'mutation { a: number(value: 1) b: answer(status: "failed:timeout") { title } }',
        )
        const { errors: told } = await world.resolve({ ...operation, write: { atomic: true } })
        t.match(told, [{ code: 'TIMEOUT', path: [/^b$/] }], 'in one transaction as well')
      })

      await t.test('a failure has no status of a success, nor of an interim response', async (t) => {
        for (const [http, status] of [
          [100, 409],
          [200, 409],
          [204, 409],
          [304, 409],
          [399, 409],
          [400, 400],
          [418, 418],
          [599, 599],
        ] as const) {
          const { errors } = await run(`mutation { class(class: "conflict", http: ${http}) { name } }`)
          t.equal(errors[0]?.status, status, String(http))
        }
      })

      await t.test('a failure after a write still reports the write', async (t) => {
        const { database } = world
        const { query } = database
        t.teardown(() => {
          database.query = query
        })
        for (const code of ['SERVICE_UNAVAILABLE', 'TIMEOUT']) {
          const break_ = () => {
            let calls = 0
            world.log.length = 0
            database.query = (...args) =>
              ++calls === 1
                ? query.apply(database, args)
                : Promise.reject(new SvcError(code, 'down', { retryAfter: 1 }))
          }
          break_()
          const { data, errors } = await run('mutation { a: number(value: 1) b: number(value: 2) c: number(value: 3) }')
          t.same(data, { a: 1, b: null, c: null }, code)
          t.match(errors, [
            { code, path: [/^b$/] },
            { code, message: /^This was not run/, path: [/^c$/] },
          ])
          t.ok(
            errors.every(({ retryAfter }) => retryAfter === undefined),
            'nobody is told to try again',
          )
          t.equal(world.log.length, 1, 'the third was not tried')
          break_()
          const must = await run('mutation { a: number(value: 1) b: big c: number(value: 3) }')
          t.equal(must.data, null)
          t.match(
            must.errors,
            [{ code, path: [/^b$/], details: { committed: [/^a$/] } }],
            'nothing is shown, and it is told',
          )
          database.query = () => Promise.reject(new SvcError(code, 'down', { retryAfter: 1 }))
          await t.rejects(run('mutation { a: number(value: 1) b: number(value: 2) }'), { code })
          database.query = query
        }
      })

      await t.test('where a root that may not be null takes all with it, the others are named', async (t) => {
        const { data, errors } = await run(
          `mutation { a: number(value: 1) no: answer(status: "failed:x") { title } b: done(title: "named") c: mustRaise(how: "plain") d: number(value: 4) }`,
        )
        t.equal(data, null)
        t.match(errors, [
          { code: /^X$/, path: [/^no$/] },
          { code: 'INVALID_INPUT', message: 'not today', path: [/^c$/], details: { committed: [/^a$/, /^b$/] } },
        ])
        t.equal(await count('named'), 1)
        const alone = await run('mutation { mustRaise(how: "plain") }')
        t.equal(alone.errors[0]?.details, undefined)
      })

      await t.test('names of changed fields that are none hide no write', async (t) => {
        for (const [fields, told] of [
          [{ a: 1 }, null],
          ['title', null],
          [7, null],
          [
            ['title', 'state'],
            ['title', 'state'],
          ],
        ] as const) {
          world.events.length = 0
          const p = { status: 'updated', entity: { id: 'x', title: 'T' }, updated_fields: fields }
          const { data, errors } = await run('mutation ($p: JSON!) { rec(p: $p) { title } }', { p })
          t.same([data, errors], [{ rec: { title: 'T' } }, []])
          t.match(world.events, [{ writes: [{ kind: 'UPDATE', entityId: /^x$/, updatedFields: told }] }])
        }
      })

      await t.test('a missing row that is required, and a locked row', async (t) => {
        const strict = (how: string) => run('mutation ($h: String!) { strict(how: $h) }', { h: how })
        t.match((await strict('none')).errors, [{ code: 'NOT_FOUND', message: 'A row that has to be there is not.' }])
        t.match((await strict('raised')).errors, [{ code: 'NOT_FOUND', message: 'no such post' }])
        if (test.kind !== 'postgres') return
        await world.database.transaction(
          async (session) => {
            await session.query({ name: null, text: "SELECT 1 FROM tb_author WHERE name = 'Bob' FOR UPDATE" }, [])
            t.match((await strict('locked')).errors, [{ code: 'TRANSACTION_FAILED', message: /Try again/ }])
          },
          { cancel: null },
        )
      })

      await t.test('an id that is none is no fault of the client', async (t) => {
        const p = { status: 'ok', entity_id: 'no uuid' }
        const { data, errors } = await run('mutation ($p: JSON!) { rec(p: $p) { title } }', { p })
        t.same(data, { rec: null })
        t.match(errors, [{ code: 'INTERNAL_SERVER_ERROR', message: /"fn_rec" gave an id that no Post can have/ }])
      })

      await t.test('a text of a client is no fault of ours', async (t) => {
        for (const fault of ['unknown-type', 'unknown-status', 'entity-incomplete', 'nothing-found']) {
          const { data, errors } = await run('mutation ($t: String!) { forged(text: $t) }', { t: `svc:${fault}:x:` })
          t.same(data, { forged: null })
          t.match(errors, [{ code: 'BAD_USER_INPUT', path: ['forged'] }], fault)
        }
        world.log.length = 0
        await run('mutation { forged(text: "1") }')
        t.equal(world.log.length, 1, 'and its statement stays one')
      })
    },
    { sql: SQL },
  ),
)
