import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { COUNTER_SCHEMA, COUNTER_SQL, observe } from '../../../bench/lib/counter-project.ts'
import { watchStale } from '../../../bench/lib/watch-stale.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { runService } from '../../helpers/service.ts'
import { requireService } from '../../helpers/services.ts'

interface Health {
  readonly workers: { readonly listening: number }
}

t.setTimeout(300_000)

t.test('no worker gives what was so before a mutation that another has answered', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const folder = t.testdir({})
  const url = await createPostgresDatabase(t, { sql: COUNTER_SQL })
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write(
    'svc.toml',
    `[database]\nurl = "${url}"\npool_min = 0\npool_max = 6\n[server]\nworkers = 3\n[security]\ndefault_policy = "public"\n` +
      '[plugins]\npreset = "minimal"\n[svc.caching]\nenabled = true\nresponse_header = true\n',
  )
  write('schema.json', JSON.stringify(COUNTER_SCHEMA))
  const compiled = await runCommand(folder, 'compile')
  t.equal(compiled.code, 0, compiled.err)
  const service = await runService(t, folder)
  const listening = async () => ((await (await fetch(`${service.url}/health`)).json()) as Health).workers.listening
  for (let left = 1200; left > 0 && (await listening()) < 3; left--) await sleep(50)
  // Connections are handed to the workers in turn, and each client has its own.
  const clients = Array.from({ length: 6 }, () => observe(() => `${service.url}/graphql`))
  const { stale, writes, hits, failed } = await watchStale(clients, { ms: 3000, readers: 12 })
  t.same(stale.slice(0, 5), [])
  t.ok(writes > 1, `${writes} writes`)
  t.ok(hits > 10, `${hits} hits`)
  t.equal(failed, 0)
  t.equal(await service.stop(), 0, service.output())
})
