import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'graphql-ws'
import t from 'tap'
import observersPart from '../../../plugins/observers/compile.ts'
import part from '../../../plugins/subscriptions/compile.ts'
import { compileArtifact, readCatalogFor } from '../../helpers/compile-fixture.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { runService } from '../../helpers/service.ts'
import { requireService } from '../../helpers/services.ts'
import { CHANGED, connect, SHOP_SQL, shop } from './shop.ts'

/** Real workers: whichever of them writes, the subscribers of all hear of it, through reload, death and stop. */
t.setTimeout(600_000)

const TOML = (more: string): string => `
[security]
default_policy = "public"
[server]
workers = 3
shutdown_grace_ms = 100
[plugins]
preset = "minimal"
enable = ["subscriptions"]
[[plugins.use]]
path = "./who.js"
${more}
`
/** Says which process answered. */
const WHO = `
import { definePlugin } from 'svc'
const manifest = { name: 'who', version: '1.0.0', kernelApi: 1, description: 'Names the process.' }
export default definePlugin(manifest, (scope) => {
  scope.on('onRequest', async (ctx, next) => {
    const reply = await next()
    return { ...reply, headers: { ...reply.headers, 'x-pid': String(process.pid) } }
  })
})
`

async function until(holds: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
  for (let left = 1200; left > 0; left--) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`not in time: ${what()}`)
}

interface Subscriber {
  readonly client: Client
  readonly heard: string[]
  readonly closed: number[]
}

if (await requireService(t, 'postgres')) {
  for (const [name, toml] of Object.entries({
    'told by the processes to each other': '',
    'read from the outbox': '[observers]\nenabled = true\nbackend = "sqldb"\n',
  })) {
    t.test(name, async (t) => {
      const url = await createPostgresDatabase(t, { sql: SHOP_SQL })
      const database = await openTestDatabase(t, { kind: 'postgres', url })
      const compile = async (description: string): Promise<string> => {
        const authored = shop([{ ...CHANGED, description }])
        const parts = [
          { plugin: 'observers', part: observersPart as never, options: { allow_hosts: [], handlers: [] } },
          { plugin: 'subscriptions', part: part as never, options: {} },
        ]
        const catalog = await readCatalogFor(authored, database)
        return JSON.stringify(compileArtifact(authored, catalog, { dialect: database.dialect, parts }))
      }
      const dir = t.testdir({ 'svc.toml': TOML(toml), 'who.js': WHO })
      const artifact = join(dir, 'schema.compiled.json')
      writeFileSync(artifact, await compile('first'))
      const service = await runService(t, dir, { env: { DATABASE_URL: url } })
      await until(() => /"message":"serving"/.test(service.output()), service.output)

      const pids = new Set<number>()
      const place = async (customer: string): Promise<void> => {
        const query = `mutation { placeOrder(customer: "${customer}") { id } }`
        const headers = { 'content-type': 'application/json', connection: 'close' }
        const reply = await fetch(`${service.url}/graphql`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ query }),
        })
        const text = await reply.text()
        if (!text.includes('"id"')) throw new Error(text)
        pids.add(Number(reply.headers.get('x-pid')))
      }
      const all = Array.from({ length: 6 }, (): Subscriber => {
        const [heard, closed]: [string[], number[]] = [[], []]
        const client = connect(t, service, {}, '/ws', {
          on: { closed: (event: unknown) => void closed.push((event as { code: number }).code) },
        })
        client.subscribe<{ orderChanged: { customer: string } }>(
          { query: 'subscription { orderChanged { customer } }' },
          { next: ({ data }) => void heard.push(data!.orderChanged.customer), error() {}, complete() {} },
        )
        return { client, heard, closed }
      })
      const told = (subscribers: readonly Subscriber[], customer: string) =>
        until(
          () => subscribers.every(({ heard }) => heard.includes(customer)),
          () => `${customer}: ${JSON.stringify(all.map(({ heard }) => heard.length))}\n${service.output()}`,
        )
      await until(
        async () => {
          await place('warm-up')
          return all.every(({ heard }) => heard.length > 0)
        },
        () => 'all are subscribed',
      )

      await t.test('each worker receives each change once, from any writer', async (t) => {
        const names = Array.from({ length: 12 }, (_, n) => `n${n}`)
        for (const customer of names) await place(customer)
        await told(all, 'n11')
        t.ok(pids.size > 1, `${pids.size} processes wrote`)
        for (const { heard } of all)
          t.same(heard.filter((customer) => names.includes(customer)).sort(), [...names].sort())
      })

      await t.test('a reload keeps them', async (t) => {
        const before = JSON.parse(readFileSync(artifact, 'utf8')).content_hash
        writeFileSync(artifact, await compile('second'))
        t.not(JSON.parse(readFileSync(artifact, 'utf8')).content_hash, before)
        service.child.kill('SIGUSR1')
        const names = Array.from({ length: 30 }, (_, n) => `r${n}`)
        for (const customer of names) await place(customer)
        await until(() => /reloaded in all workers/.test(service.output()), service.output)
        await place('reloaded')
        await told(all, 'reloaded')
        for (const { heard, closed } of all) {
          t.same(
            heard.filter((customer) => names.includes(customer)).sort(),
            [...names].sort(),
            'nothing is lost, nothing told twice',
          )
          t.same(closed, [])
        }
      })

      await t.test('one that dies takes its own with it, and no others', async (t) => {
        const [victim] = [...pids]
        process.kill(victim!, 'SIGKILL')
        await until(
          () => all.some(({ closed }) => closed.length > 0),
          () => 'its clients see it',
        )
        const left = all.filter(({ closed }) => closed.length === 0)
        t.ok(left.length > 0 && left.length < all.length, `${left.length} are left`)
        await until(
          async () => {
            try {
              await place('survived')
              return true
            } catch {
              return false
            }
          },
          () => 'others write',
        )
        await told(left, 'survived')
        // One that is still starting is cut, not stopped.
        await until(() => /"message":"worker serves"/.test(service.output()), service.output)
        t.equal(await service.stop(), 0, service.output())
        await until(
          () => left.every(({ closed }) => closed.length > 0),
          () => 'all are closed',
        )
        t.same([...new Set(left.flatMap(({ closed }) => closed))], [1001])
      })
    })
  }
}
