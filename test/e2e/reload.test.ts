import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { runService, svc } from '../helpers/service.ts'

// Several processes start one after the other, on a machine that does other things too.
t.setTimeout(600_000)

const RELOADS = 20
const CLIENTS = 4

t.test('twenty reloads under load fail no request', async (t) => {
  const dir = t.testdir()
  await svc(['init', 'shop'], dir)
  const shop = join(dir, 'shop')
  const schema = join(shop, 'schema.ts')
  const artifact = join(shop, 'schema.compiled.json')
  t.equal((await svc(['compile'], shop)).code, 0)
  const one = readFileSync(artifact, 'utf8')
  // The second schema differs in a description only: every request must succeed on both.
  writeFileSync(schema, readFileSync(schema, 'utf8').replace(/@type\(\{/, "@type({ description: 'Changed.',"))
  t.equal((await svc(['compile'], shop)).code, 0)
  const two = readFileSync(artifact, 'utf8')
  t.not(one, two, 'two schemas')
  writeFileSync(artifact, one)

  const service = await runService(t, shop)
  const hash = async (): Promise<string> =>
    ((await (await fetch(`${service.url}/health`)).json()) as { schema_hash: string }).schema_hash
  const hashOf = (text: string): string => JSON.parse(text).content_hash
  t.equal(await hash(), hashOf(one))

  let running = true
  let served = 0
  const failures: string[] = []
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (running) {
      try {
        const { status, body } = await service.graphql('{ posts { id title author { name } } }')
        if (status !== 200 || body.errors) failures.push(JSON.stringify(body).slice(0, 300))
        served += 1
      } catch (error) {
        failures.push(String(error))
      }
    }
  })
  for (let i = 1; i <= RELOADS; i++) {
    const next = i % 2 === 1 ? two : one
    writeFileSync(artifact, next)
    service.child.kill('SIGUSR1')
    const wanted = hashOf(next)
    for (let tries = 0; tries < 6000 && (await hash()) !== wanted; tries++) await sleep(10)
    t.equal(await hash(), wanted, `reload ${i}`)
  }
  running = false
  await Promise.all(clients)
  t.same(failures, [])
  t.ok(served > RELOADS, `${served} requests served meanwhile`)

  await t.test('the same hash is no swap, an invalid schema leaves the old one active and is logged', async (t) => {
    service.child.kill('SIGUSR1')
    for (let tries = 0; tries < 6000 && !/has not changed/.test(service.output()); tries++) await sleep(10)
    t.equal(await hash(), hashOf(one))
    writeFileSync(artifact, '{ "not": "a schema" }')
    service.child.kill('SIGUSR1')
    for (let tries = 0; tries < 6000 && !/reload failed/.test(service.output()); tries++) await sleep(10)
    t.equal(await hash(), hashOf(one))
    t.match(service.output(), /schema_format_version/, 'the log says why')
    t.equal((await service.graphql('{ posts { id } }')).status, 200)
  })
  t.equal(await service.stop(), 0)
})
