import { mkdtempSync, rmSync } from 'node:fs'
import t from 'tap'
import { type BusKind, missingProgram, ownBus } from '../../../bench/lib/chaos/own-bus.ts'
import { ownPostgres, postgresPrograms } from '../../../bench/lib/chaos/own-postgres.ts'
import type { OwnService } from '../../../bench/lib/chaos/own-process.ts'
import { type ChaosOptions, runChaos, type Victim } from '../../../bench/lib/chaos/run-chaos.ts'
import { skip, type TestLike } from '../../helpers/services.ts'

/** The short form of `npm run chaos:events`: processes of its own, killed under load. */
t.setTimeout(900_000)

async function survives(
  t: TestLike,
  backend: string,
  database: OwnService,
  victims: readonly Victim[],
  more: Partial<ChaosOptions> = {},
) {
  const result = await runChaos({
    backend,
    mutations: 240,
    victims,
    connections: 8,
    workers: 2,
    servers: 1,
    failing: 0.02,
    slowMs: 0,
    database,
    bus: null,
    fromSource: !process.env.SVC_DIST,
    atMostOnce: false,
    say: (line) => t.comment(line),
    ...more,
  })
  const { verdict, subscriber, left, ok } = result
  t.match({ ...verdict, left, ok }, { otherId: 0, invented: 0, left: 0, ok: true }, verdict.examples.join('; '))
  if (subscriber !== null) {
    const { examples, errors } = subscriber
    t.match(subscriber, { missing: 0, doubled: 0, outOfOrder: 0, otherRow: 0 }, [...examples, ...errors].join('; '))
    t.ok(subscriber.heard > 0)
  }
  t.ok(result.rolledBack > 0, 'something failed on the way')
  t.ok(verdict.committed >= 240)
  return result
}

t.test('committed changes are reported whichever process is killed', async (t) => {
  if (postgresPrograms() === null) return skip(t, 'a PostgreSQL of its own', 'there is no initdb')
  // The folder of a test run is closed to the users that databases run as.
  const folder = mkdtempSync('/tmp/svc-test-chaos-')
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const database = await ownPostgres(folder)
  t.teardown(() => database.kill())
  await database.start()

  await t.test('in-memory: at most once', async (t) => {
    const alone = { workers: 1, atMostOnce: true }
    const whole = await survives(t, 'in-memory', database, [], alone)
    t.match(whole.verdict, { missing: 0, repeated: 0 })
    const { verdict, kills } = await survives(t, 'in-memory', database, ['server', 'database'], alone)
    t.match({ ...verdict, kills }, { repeated: 0, kills: { server: 1, database: 1 } })
  })

  await t.test('sqldb', async (t) => {
    const { verdict, kills } = await survives(t, 'sqldb', database, ['relay', 'server', 'database'])
    t.match({ ...verdict, kills }, { missing: 0, outOfOrder: 0, kills: { relay: 1, server: 1, database: 1 } })
  })

  const url = { kvstore: 'kvstore_url', msgbus: 'msgbus_url', mariadb: 'mariadb_url' } as const
  for (const kind of ['kvstore', 'msgbus', 'mariadb'] as const satisfies readonly BusKind[]) {
    await t.test(kind, async (t) => {
      const missing = missingProgram(kind)
      if (missing !== null) return skip(t, `a bus of its own`, `${missing} is not installed`)
      const bus = await ownBus(kind, folder)
      t.teardown(() => bus.kill())
      await bus.start()
      // What becomes of the outbox when servers and database are killed is sqldb's, above; `npm run chaos:events` kills all.
      const victims: readonly Victim[] = ['relay', 'bus']
      const { verdict } = await survives(t, kind, database, victims, { bus, settings: { [url[kind]]: bus.url } })
      t.match(verdict, { missing: 0, outOfOrder: 0 })
    })
  }
})
