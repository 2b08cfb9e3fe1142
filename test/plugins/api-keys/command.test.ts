import { join } from 'node:path'
import t from 'tap'
import { createPostgresDatabase, runOnServer } from '../../helpers/databases.ts'
import { openProject, writeProject } from '../../helpers/open-project.ts'
import { runCommand as svc } from '../../helpers/run-command.ts'
import { requireService } from '../../helpers/services.ts'

t.test('svc keys and svc tables, with a database', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t)
  const name = url.slice(url.lastIndexOf('/') + 1)
  const folder = t.testdir({})
  writeProject(folder, `[database]\nurl = "${url}"\n[security.api_keys]\nenabled = true\nhash_algorithm = "argon2"\n`)

  const script = await svc(folder, 'tables')
  t.match(script.out, /-- svc_api_keys: .*\nCREATE TABLE IF NOT EXISTS svc_api_keys \(/)
  t.same(await svc(folder, 'tables', '--apply'), {
    code: 0,
    out: 'svc_idempotency: made\nsvc_api_keys: made\n',
    err: '',
  })
  t.match(await svc(folder, 'tables', '--apply'), { out: 'svc_idempotency: is there\nsvc_api_keys: is there\n' })
  await runOnServer(name, script.out)

  const made = await svc(
    folder,
    'keys',
    'create',
    '--name',
    'billing',
    '--scopes',
    'read:* write:Order',
    '--expires',
    '30',
  )
  t.equal(made.code, 0, made.err)
  const key = made.out.trim()
  t.match(key, /^svc_[0-9a-f]{32}\.[\w-]{43}$/, 'the key alone on stdout, for a pipe')
  const [row] = await runOnServer(name, 'SELECT *, expires_at - now() AS left FROM svc_api_keys')
  t.match(row, { name: 'billing', scopes: ['read:*', 'write:Order'], revoked_at: null, left: { days: 29 } })
  t.notOk(JSON.stringify(row).includes(key.split('.')[1] as string), 'what is stored is a hash')
  t.match((row as { key_hash: string }).key_hash, /^\$argon2id\$/)

  const app = await openProject(t, folder)
  const ask = async () => {
    const body = { query: '{ __typename }' }
    const reply = await app.inject({ method: 'POST', url: '/graphql', headers: { 'x-api-key': key }, body })
    return reply.status
  }
  t.equal(await ask(), 200)
  const listed = await svc(folder, 'keys', 'list')
  t.match(listed.out, /^[0-9a-f]{32} {2}billing {2}read:\* write:Order .* until /)
  t.notMatch(listed.out, key.split('.')[1] as string)
  t.match(JSON.parse((await svc(folder, 'keys', 'list', '--json')).out), [{ name: 'billing', revokedAt: null }])
  const id = key.slice(4, 36)
  t.match(await svc(folder, 'keys', 'revoke', id), { code: 0, out: 'revoked the key of "billing"\n' })
  t.match(await svc(folder, 'keys', 'revoke', id), { code: 1, err: /no key with this id/ })
  t.equal(await ask(), 401)
  t.match((await svc(folder, 'keys', 'list')).out, / revoked 2/)
})

t.test('svc keys --json, with a database', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t)
  const folder = t.testdir({})
  writeProject(folder, `[database]\nurl = "${url}"\n[security.api_keys]\nenabled = true\n`)
  const run = async (...argv: readonly string[]) => {
    const { code, out, err } = await svc(folder, 'keys', ...argv, '--json')
    return { code, err, json: out === '' ? null : JSON.parse(out) }
  }
  const { code, err, json } = await run('create', '--name', 'billing', '--scopes', 'read:*,write:Order')
  t.match(json.key, /^svc_[0-9a-f]{32}\.[\w-]{43}$/)
  const { key } = json
  const id = key.slice(4, 36)
  const scopes = ['read:*', 'write:Order']
  t.strictSame(
    { code, err, json },
    { code: 0, err: '', json: { id, name: 'billing', scopes, key } },
    'no entry: it is in the table',
  )
  const bare = await run('create', '--name', 'bare')
  t.strictSame(bare.json.scopes, [], 'a key without scopes')
  const { json: listed } = await run('list')
  t.strictSame(
    listed.map(({ createdAt, ...rest }: { readonly createdAt: string }) => [typeof createdAt, rest]),
    [
      ['string', { id, name: 'billing', scopes, expiresAt: null, revokedAt: null }],
      ['string', { id: bare.json.id, name: 'bare', scopes: [], expiresAt: null, revokedAt: null }],
    ],
  )
  const lines = (await svc(folder, 'keys', 'list')).out.split('\n')
  t.strictSame(
    lines.map((line) => line.split('  ').slice(0, 3)),
    [[id, 'billing', 'read:* write:Order'], [bare.json.id, 'bare', '(no scopes)'], ['']],
  )
  t.strictSame(await run('revoke', key), { code: 0, err: '', json: { id, name: 'billing', revoked: true } })
  t.match(await run('revoke', key), { code: 1, json: { error: { code: 'NOT_FOUND' } } }, 'once')
  t.strictSame(await svc(folder, 'keys', 'revoke', bare.json.key), {
    code: 0,
    out: 'revoked the key of "bare"\n',
    err: '',
  })
})

t.test('svc keys list, with keys in svc.toml', async (t) => {
  const folder = t.testdir({})
  const entries = [
    `{ name = "ci", key_hash = "sha256:${'0'.repeat(64)}", scopes = ["read:*", "write:Order"] }`,
    `{ name = "bare", key_hash = "sha256:${'1'.repeat(64)}", scopes = [] }`,
  ]
  writeProject(
    folder,
    `[database]\nurl = "postgres://x@127.0.0.1:1/x"\n[security.api_keys]\nenabled = true\nstorage = "env"\nstatic = [${entries.join(', ')}]\n`,
  )
  t.strictSame(await svc(folder, 'keys', 'list'), {
    code: 0,
    out: 'ci  read:* write:Order\nbare  \n',
    err: '',
  })
  const { code, out, err } = await svc(folder, 'keys', 'list', '--json')
  const json = [
    { name: 'ci', scopes: ['read:*', 'write:Order'] },
    { name: 'bare', scopes: [] },
  ]
  t.strictSame({ code, err, json: JSON.parse(out) }, { code: 0, err: '', json }, 'and no hash')
})

t.test('mistyped arguments', async (t) => {
  const folder = t.testdir({})
  writeProject(
    folder,
    '[database]\nurl = "postgres://x@127.0.0.1:1/x"\n[security.api_keys]\nenabled = true\nstorage = "env"\n',
  )
  for (const [argv, message] of [
    [['keys'], /ACTION/],
    [['keys', 'make'], /knows create, list and revoke, not "make"|create, list, revoke/],
    [['keys', 'create'], /needs --name NAME/],
    [['keys', 'create', '--name', 'a\nb'], /needs --name NAME/],
    [['keys', 'create', '--name', 'x', '--expires', '5'], /has no end/],
    [['keys', 'create', '--name', 'x', '--expires', 'soon'], /number of days/],
    [['keys', 'create', '--name', 'x', '--expires', '0'], /number of days/],
    [['keys', 'create', '--name', 'x', '--expires', '1.5'], /number of days/],
    [['keys', 'create', '--name', 'x', '--expires', '36501'], /number of days/],
    [['keys', 'create', '--name', 'x', '--expires', '36500'], /has no end/],
    [['keys', 'create', '--name', 'x'.repeat(101)], /needs --name NAME/],
    [['keys', 'create', '--name', ' '], /needs --name NAME/],
    [['keys', 'revoke', 'x'], /taking it out of svc.toml/],
    [['keys', 'create', '--nme', 'x'], /--name/],
  ] as const) {
    t.match(await svc(folder, ...argv), { code: 2, err: message }, argv.join(' '))
  }
  const made = await svc(folder, 'keys', 'create', '--name', 'ci', '--scopes', 'read:*', '--json')
  const { key } = JSON.parse(made.out) as { key: string }
  const entry = /\{ name = .*\}/.exec(made.err)?.[0]
  writeProject(
    folder,
    `[plugins]\npreset = "minimal"\n[database]\nurl = "postgres://x@127.0.0.1:1/x"\n[security.api_keys]\nenabled = true\nstorage = "env"\nstatic = [${entry}]\n`,
  )
  const app = await openProject(t, folder)
  const body = { query: '{ __typename }' }
  t.match(await app.inject({ method: 'POST', url: '/graphql', headers: { 'x-api-key': key }, body }), { status: 200 })
  t.match((await svc(folder, 'tables')).err, /Nothing in this project needs a table/)

  writeProject(join(folder), '[database]\nurl = "postgres://x@127.0.0.1:1/x"\n')
  t.match((await svc(folder, 'keys', 'list')).err, /It is one of plugin "api-keys". To have it/, 'off by default')
})
