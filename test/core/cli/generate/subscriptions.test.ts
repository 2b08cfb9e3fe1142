import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { getIntrospectionQuery } from 'graphql'
import t from 'tap'
import sse from '../../../../plugins/sse/index.ts'
import { createPostgresDatabase } from '../../../helpers/databases.ts'
import { runCommand } from '../../../helpers/run-command.ts'
import { requireService } from '../../../helpers/services.ts'
import { CHANGED, openShop, SHOP_SQL, shop, until } from '../../../plugins/subscriptions/shop.ts'

t.setTimeout(120_000)

type Args = Readonly<Record<string, unknown>>
interface Client {
  readonly subscription: Readonly<
    Record<string, (args: Args, selection: Args, call?: { readonly signal?: AbortSignal }) => AsyncGenerator<unknown>>
  >
}

t.test('subscriptions of the TypeScript client are streams of a running service', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SHOP_SQL })
  const schema = shop([CHANGED, { name: 'orderSecret', type: 'Order!', requires_scope: 'read:orders' }])
  const plugins = [{ plugin: sse, options: { heartbeat_secs: 1 }, source: 'test' }]
  const app = await openShop(t, { kind: 'postgres', url }, schema, { plugins })
  const active = (count: number) =>
    until(() => app.metric('svc_subscriptions_active') === count, `${count} subscriptions are active`)

  const { data } = await app.graphql(getIntrospectionQuery())
  const folder = t.testdir({ 'schema.json': JSON.stringify({ data }) })
  const { out, err } = await runCommand(folder, 'generate', '--client', 'typescript', '--introspection', 'schema.json')
  t.equal(err, '')
  writeFileSync(join(folder, 'client.ts'), out)
  const module = await import(pathToFileURL(join(folder, 'client.ts')).href)
  const client: Client = module.createClient({ url: `${app.url}/graphql`, token: 'ann' })

  const stop = new AbortController()
  const selection = { customer: true, status: true, buyer: { name: true } }
  const orders = client.subscription.orderChanged!({ customer: 'ann' }, selection, { signal: stop.signal })
  const first = orders.next()
  await active(1)
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  await app.place('bob')
  const id = await app.place('ann')
  const ann = { customer: 'ann', buyer: { name: 'Ann' } }
  t.strictSame((await first).value, { ...ann, status: 'new' }, 'after a heartbeat')
  await app.set(id, 'größer 😀\n\nevent: complete')
  t.strictSame((await orders.next()).value, { ...ann, status: 'größer 😀\n\nevent: complete' })
  const waiting = orders.next()
  stop.abort()
  await t.rejects(waiting, { name: 'AbortError' })
  await active(0)

  const left = client.subscription.orderChanged!({}, { id: true })
  const one = left.next()
  await active(1)
  await app.set(id, 'paid')
  t.strictSame((await one).value, { id })
  await left.return(undefined)
  await active(0)

  await t.rejects(client.subscription.orderSecret!({}, { id: true }).next(), { name: 'ClientError', code: 'FORBIDDEN' })
  const refused: Client = module.createClient({ url: `${app.url}/graphql`, token: 'bad' })
  await t.rejects(refused.subscription.orderChanged!({}, { id: true }).next(), { code: 'UNAUTHENTICATED', status: 401 })

  const lasting = client.subscription.orderChanged!({}, { id: true }).next()
  await active(1)
  await app.close()
  await lasting.then(
    ({ done }) => t.equal(done, true, 'the generator ends with the service'),
    (error: unknown) => t.match(error, { name: /^(ClientError|TypeError)$/ }),
  )
})
