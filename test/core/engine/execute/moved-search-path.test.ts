import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { createPostgresDatabase, eachDatabase, openDatabase, runOnServer } from '../../../helpers/databases.ts'
import { ACCOUNTS_SQL, accounts, openAccounts } from '../../../plugins/observers/accounts.ts'
import { openSink } from '../../../plugins/observers/sink.ts'
import { restPlugin } from '../../../plugins/rest/world.ts'

/** A function that sets another search_path: tables of svc, views and functions of the same transaction are found all the same. */
t.setTimeout(120_000)

const MOVES = ['true', 'false'].map(
  (local) => `
CREATE FUNCTION fn_move_${local}(name text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE made jsonb; BEGIN
  PERFORM set_config('search_path', 'elsewhere', ${local});
  INSERT INTO public.tb_account (name) VALUES (fn_move_${local}.name)
    RETURNING jsonb_build_object('status', 'created', 'entity_id', id, 'entity', to_jsonb(tb_account)) INTO made;
  RETURN made; END $$;
CREATE FUNCTION fn_key_${local}(name text) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE made uuid; BEGIN
  PERFORM set_config('search_path', 'elsewhere', ${local});
  INSERT INTO public.tb_account (name) VALUES (fn_key_${local}.name) RETURNING id INTO made;
  RETURN made; END $$;`,
)
/** What is called in turn moves it, too. */
const NESTED = `
CREATE FUNCTION fn_nested(name text) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN RETURN public.fn_move_true(name); END $$;`
const NAMES = ['move_true', 'move_false', 'key_true', 'key_false', 'nested']

await eachDatabase(
  t,
  async (t, database) => {
    const sink = await openSink(t)
    const hook = { name: 'made', event: 'INSERT' as const, actions: [{ type: 'webhook', url: `${sink.url}/` }] }
    const base = accounts([hook] as never)
    const mutation = (name: string) => ({
      name,
      type: 'Account',
      sql_source: `fn_${name}`,
      operation: 'CREATE',
      arguments: [{ name: 'name', type: 'String!' }],
      rest_path: `/${name}`,
    })
    const schema = { ...base, mutations: [...base.mutations!, ...NAMES.map(mutation)] } as unknown as AuthoredSchema
    const app = await openAccounts(t, database, schema, { allow_hosts: [sink.host] }, { plugins: [restPlugin()] })
    for (const [index, name] of NAMES.entries()) {
      const key = { 'idempotency-key': randomUUID() }
      const send = async (headers: Readonly<Record<string, string>>, given: string) => {
        const { status, text } = await app.inject({
          method: 'POST',
          url: `/rest/v1/${name}`,
          headers,
          body: { name: given },
        })
        return [status, status === 201 ? JSON.parse(text).data.name : text]
      }
      t.same(await send(key, `${name} kept`), [201, `${name} kept`], `${name} under a key`)
      t.same(await send({}, name), [201, name], `${name} alone`)
      await sink.wait('/', (index + 1) * 2)
    }
    const { data, errors } = await app.graphql('{ accounts { name } }')
    t.equal(errors, undefined, 'sessions are as they were')
    t.equal(data.accounts.length, NAMES.length * 2)
  },
  { sql: `CREATE SCHEMA elsewhere; ${ACCOUNTS_SQL} ${MOVES.join('')} ${NESTED}` },
)

t.test('only where a function may move it a statement is run to bring it back', async (t) => {
  const url = await createPostgresDatabase(t, {
    sql: `CREATE FUNCTION fn_still(name text) RETURNS text LANGUAGE sql SET search_path = public AS 'SELECT name'`,
  })
  const database = await openDatabase(t, url)
  const moves = async () => {
    const { functions } = await database.catalog({ relations: [], functions: ['fn_still'] })
    return functions.get('fn_still')?.[0]?.movesPath
  }
  t.equal(await moves(), undefined, 'a clause of the function ends with it')
  const name = new URL(url).pathname.slice(1)
  const bodies = [
    "LANGUAGE plpgsql AS $$ BEGIN SET LOCAL search_path = public; RETURN 'x'; END $$",
    "LANGUAGE sql AS $$ SELECT set_config('search_path', 'public', true) $$",
    "LANGUAGE sql BEGIN ATOMIC SELECT set_config('search_path', 'public', true); END",
  ]
  for (const [i, body] of bodies.entries()) {
    if (i === 2 && Number((await runOnServer(name, 'SHOW server_version_num'))[0]?.server_version_num) < 140_000)
      continue
    await runOnServer(name, `CREATE FUNCTION fn_moves() RETURNS text ${body}`)
    t.equal(await moves(), true, body)
    await runOnServer(name, 'DROP FUNCTION fn_moves')
  }
  t.equal(await moves(), undefined)
})
