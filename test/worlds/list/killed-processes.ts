import { mkdtempSync, rmSync } from 'node:fs'
import { ownBus } from '../../../bench/lib/chaos/own-bus.ts'
import { ownPostgres, postgresPrograms } from '../../../bench/lib/chaos/own-postgres.ts'
import { runSql } from '../../helpers/run-sql.ts'
import { skip } from '../../helpers/services.ts'
import { enterPlainly } from '../enter-plainly.ts'
import type { Fault, World, WorldService } from '../world.ts'

const NAP_MS = 1500
const nap = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, NAP_MS))

/** PostgreSQL, Redis, the server and each worker: stopped for a while, and killed. None of them is the machine's. */
export const killedProcesses: World = {
  name: 'killed-processes',
  about: 'the database, the bus and each process of the service are stopped and killed',
  tests: [],
  except: { '*': 'they start and stop their services themselves' },
  async enter(t) {
    if (postgresPrograms() === null) {
      skip(t, 'a PostgreSQL of its own', 'there is no initdb')
      return null
    }
    // The folder of a test run is closed to the users that databases run as.
    const folder = mkdtempSync('/tmp/svc-test-world-')
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    const database = await ownPostgres(folder)
    t.teardown(() => database.kill())
    await database.start()
    const redis = await ownBus('kvstore', folder)
    t.teardown(() => redis.kill())
    await redis.start()
    const restart = (service: typeof redis, name: string): Fault => ({
      name: `${name} is killed`,
      begin: () => service.kill(),
      end: () => service.start(),
    })
    const freeze = (pids: () => readonly number[], name: string): Fault => ({
      name: `${name} is stopped`,
      begin: () => signal(pids(), 'SIGSTOP'),
      end: () => signal(pids(), 'SIGCONT'),
    })
    const own = ({ pids }: WorldService): readonly Fault[] => {
      const workers = pids().slice(1)
      return [
        ...workers.map((pid, index): Fault => freeze(() => [pid], `worker ${index + 1}`)),
        freeze(() => pids().slice(0, 1), 'the process that starts workers'),
        ...workers.map(
          (pid, index): Fault => ({
            name: `worker ${index + 1} is killed`,
            begin: () => signal([pid], 'SIGKILL'),
            end: nap,
          }),
        ),
      ]
    }
    return {
      ...enterPlainly(),
      isProcess: true,
      toml: `
[observers]
enabled = true
backend = "kvstore"
kvstore_url = "${redis.url}"
`,
      async database(_, sql) {
        const name = 'world'
        await runSql(database.admin, `CREATE DATABASE ${name}`)
        const url = Object.assign(new URL(database.admin), { pathname: `/${name}` }).href
        await runSql(url, sql)
        return url
      },
      faults: (service) => [
        restart(redis, 'Redis'),
        freeze(() => [redis.pid()], 'Redis'),
        restart(database, 'PostgreSQL'),
        ...own(service),
      ],
    }
  },
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) process.kill(pid, name)
}
