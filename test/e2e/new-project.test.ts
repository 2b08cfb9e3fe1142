import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createPostgresDatabase } from '../helpers/databases.ts'
import { runService, svc } from '../helpers/service.ts'

// Several processes start one after the other, on a machine that does other things too.
t.setTimeout(180_000)

import { requireService } from '../helpers/services.ts'

t.test('init, compile, run: a newcomer has an API of their own on the embedded database', async (t) => {
  const dir = t.testdir()
  const init = await svc(['init', 'shop'], dir)
  t.equal(init.code, 0, init.stderr)
  const shop = join(dir, 'shop')
  for (const file of ['svc.toml', 'schema.ts', 'schema.json', 'db']) t.ok(existsSync(join(shop, file)), file)

  const compile = await svc(['compile'], shop)
  t.equal(compile.code, 0, compile.stderr)
  t.match(compile.stdout, /✓ \d+ types/)
  t.equal((await svc(['compile', '--check'], shop)).code, 0, 'the artifact is what the schema says')

  const first = await runService(t, shop)
  const health = (await (await fetch(`${first.url}/health`)).json()) as { status: string; schema_hash: string }
  t.match(health, { status: 'ok', schema_hash: /^[0-9a-f]{64}$/ })
  const { body } = await first.graphql(
    '{ __schema { queryType { fields { name } } mutationType { fields { name } } } }',
  )
  t.ok(body.data.__schema.queryType.fields.length > 0)
  const { body: posts } = await first.graphql('{ posts { id title author { name } comments { body } } }')
  t.equal(posts.errors, undefined)
  t.ok(posts.data.posts.length > 0, 'there are rows to look at')
  t.equal(await first.stop(), 0)

  const again = await runService(t, shop)
  const { body: kept } = await again.graphql('{ posts { id } }')
  t.same(
    kept.data.posts.map((p: { id: string }) => p.id).sort(),
    posts.data.posts.map((p: { id: string }) => p.id).sort(),
    'a second start keeps the data',
  )
  t.equal(await again.stop(), 0)
})

t.test('the same project runs on a PostgreSQL server by DATABASE_URL', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const dir = t.testdir()
  await svc(['init', 'shop'], dir)
  const shop = join(dir, 'shop')
  const { readFileSync } = await import('node:fs')
  const sql = readdirSync(join(shop, 'db'))
    .sort()
    .map((f) => readFileSync(join(shop, 'db', f), 'utf8'))
    .join('\n')
  const DATABASE_URL = await createPostgresDatabase(t, { sql })
  const compile = await svc(['compile'], shop, { DATABASE_URL })
  t.equal(compile.code, 0, compile.stderr)
  const service = await runService(t, shop, { env: { DATABASE_URL } })
  const { body } = await service.graphql('{ posts(limit: 1) { title } }')
  t.equal(body.errors, undefined)
  t.equal(body.data.posts.length, 1)
  t.match(await (await fetch(`${service.url}/health`)).json(), {
    database: { database_type: 'postgres', connected: true },
  })
  t.equal(await service.stop(), 0)
})

t.test('a folder that is not empty is left alone', async (t) => {
  const dir = t.testdir({ shop: { 'notes.txt': 'mine' } })
  const init = await svc(['init', 'shop'], dir)
  t.equal(init.code, 2)
  t.match(init.stderr, /not empty/)
  t.same(readdirSync(join(dir, 'shop')), ['notes.txt'])
})
