import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runService, svc } from '../helpers/service.ts'

// Several processes start one after the other, on a machine that does other things too.
t.setTimeout(600_000)

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
  t.match(health, { status: /^ok$/, schema_hash: /^[0-9a-f]{64}$/ })
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
