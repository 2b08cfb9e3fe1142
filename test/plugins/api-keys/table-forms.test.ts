import t from 'tap'
import { digestOf, makeKey, sha256Hash } from '../../../plugins/api-keys/key-format.ts'
import { API_KEYS_TABLE } from '../../../plugins/api-keys/table.ts'
import { createPostgresDatabase, runOnServer } from '../../helpers/databases.ts'
import { openProject, writeProject } from '../../helpers/open-project.ts'
import { runCommand as svc } from '../../helpers/run-command.ts'
import { requireService, type TestLike } from '../../helpers/services.ts'
import { checkTableTypes } from '../../helpers/table-types.ts'

/** Existing tables `svc_api_keys`: with the documented columns, of earlier versions, and with unsuitable columns (docs/plugins/api-keys.md#the-table). */
t.setTimeout(60_000)
if (!(await requireService(t, 'postgres'))) process.exit(0)

const SPEC = `CREATE TABLE svc_api_keys (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(), key_hash text NOT NULL UNIQUE, name text NOT NULL,
  scopes json NOT NULL DEFAULT '[]', created_at timestamptz NOT NULL DEFAULT now(), revoked_at timestamptz);
CREATE INDEX svc_api_keys_live ON svc_api_keys (key_hash) WHERE revoked_at IS NULL;`
const EARLIER = `CREATE TABLE svc_api_keys (id text PRIMARY KEY, name text NOT NULL, key_hash text NOT NULL UNIQUE, scopes text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP, expires_at timestamptz, revoked_at timestamptz);`

async function project(t: TestLike, sql: string) {
  const url = await createPostgresDatabase(t, { sql })
  const folder = t.testdir({})
  writeProject(folder, `[database]\nurl = "${url}"\n[security.api_keys]\nenabled = true\nrecheck_secs = 0\n`)
  return { folder, name: new URL(url).pathname.slice(1) }
}

async function asker(t: TestLike, folder: string) {
  const app = await openProject(t, folder)
  return async (key: string): Promise<number> => {
    const body = { query: '{ __typename }' }
    return (await app.inject({ method: 'POST', url: '/graphql', headers: { 'x-api-key': key }, body })).status
  }
}

for (const [form, sql] of [
  ['is documented', SPEC],
  ['an earlier version made', EARLIER],
  ['is made now', 'SELECT 1'],
] as const) {
  t.test(`a key lives and ends in the table that ${form}`, async (t) => {
    const { folder, name } = await project(t, sql)
    t.equal((await svc(folder, 'tables', '--apply')).code, 0)
    const made = await svc(folder, 'keys', 'create', '--name', 'billing', '--scopes', 'read:*')
    t.equal(made.code, 0, made.err)
    const key = made.out.trim()
    const id = key.slice(4, 36)
    const ask = await asker(t, folder)
    t.equal(await ask(key), 200)
    t.equal(await ask(`${key}x`), 401)
    t.equal(await ask(`svc_${'f'.repeat(16)}.${'x'.repeat(43)}`), 401, 'an id that is no UUID is that of nobody')
    t.match((await svc(folder, 'keys', 'list')).out, new RegExp(`^${id} {2}billing {2}read:\\* `))

    // By hand, as the columns have their defaults.
    const other = makeKey().key
    const own = form === 'an earlier version made' ? `id, scopes, ` : ''
    const values = own === '' ? '' : `'by-hand', '[]', `
    await runOnServer(
      name,
      `INSERT INTO svc_api_keys (${own}key_hash, name) VALUES (${values}'${sha256Hash(digestOf(other))}', 'hand')`,
    )
    t.equal(await ask(other), 200)

    const end = await svc(folder, 'keys', 'create', '--name', 'short', '--expires', '1')
    if (form === 'is documented') t.match(end, { code: 2, err: /no column expires_at.*ALTER TABLE/s })
    else {
      t.equal(await ask(end.out.trim()), 200)
      await runOnServer(name, `UPDATE svc_api_keys SET expires_at = now() - interval '1 s' WHERE name = 'short'`)
      t.equal(await ask(end.out.trim()), 401)
    }
    t.match(await svc(folder, 'keys', 'revoke', 'no-uuid'), { code: 1, err: /no key with this id/ })
    t.match(await svc(folder, 'keys', 'revoke', id), { code: 0 })
    t.equal(await ask(key), 401)
  })
}

t.test('an unusable table is reported at boot, by svc doctor and by svc tables', async (t) => {
  for (const [sql, wanted] of [
    [
      SPEC.replace('id uuid PRIMARY KEY DEFAULT gen_random_uuid()', 'id serial PRIMARY KEY'),
      /public\.svc_api_keys .*id is int4 and has to be uuid or text or varchar/,
    ],
    [
      SPEC.replace('scopes json ', 'scopes text[] ').replace("'[]'", "'{}'"),
      /scopes is _text and has to be jsonb or json/,
    ],
    [
      SPEC.replace('revoked_at timestamptz', 'gone_at timestamptz').split(';')[0]!,
      /public\.svc_api_keys .*it lacks revoked_at/,
    ],
    [
      SPEC.replace('created_at timestamptz', 'created_at timestamp'),
      /created_at is timestamp and has to be timestamptz/,
    ],
  ] as const) {
    const { folder } = await project(t, sql)
    await t.rejects(openProject(t, folder), { message: wanted })
    const applied = await svc(folder, 'tables', '--apply')
    t.not(applied.code, 0)
    t.match(applied.err, wanted)
    t.match((await svc(folder, 'doctor')).out, /svc_api_keys/)
  }
})

t.test('the table accepts the listed types of columns and no others', async (t) => {
  const texts = ['text', 'varchar']
  await checkTableTypes(t, API_KEYS_TABLE, {
    id: ['uuid', ...texts],
    key_hash: texts,
    name: texts,
    scopes: ['jsonb', 'json', ...texts],
    created_at: ['timestamptz'],
    revoked_at: ['timestamptz'],
    expires_at: ['timestamptz'],
  })
})
