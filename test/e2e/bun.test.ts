import { execFileSync } from 'node:child_process'
import t from 'tap'
import { requireService } from '../helpers/services.ts'
import { enterPlainly } from '../worlds/enter-plainly.ts'
import { serveTags } from '../worlds/fronts/serve-tags.ts'
import { IDS, TAGS_SQL } from '../worlds/fronts/tags.ts'
import { WAYS } from '../worlds/fronts/ways.ts'

/**
 * The build on Bun: every way in, and the end of the service. Bun is no dependency of ours: CI installs it into a folder, and BUN names
 * the program.
 */
t.setTimeout(120_000)
const { BUN } = process.env

t.test('svc on Bun', async (t) => {
  if (BUN === undefined) return t.pass('BUN names no program')
  if (!(await requireService(t, 'postgres'))) return
  t.comment(execFileSync(BUN, ['--version'], { encoding: 'utf8' }))
  const entered = { ...enterPlainly(), isProcess: true, runtime: [BUN, '--bun'], workers: 1 }
  const database = await entered.database(t, TAGS_SQL)
  const service = await serveTags(t, database, entered)
  const names = new Map(IDS.map((id, index) => [id, `tag ${index}`]))

  for (const way of WAYS.READS) {
    await t.test(way.name, async (t) => {
      for (const id of IDS) t.equal(await way.ask(service.url, id, names.get(id)!), 'right', id.slice(0, 20))
    })
  }
  for (const [index, way] of [...WAYS.WRITES, ...WAYS.STREAMS].entries()) {
    await t.test(way.name, async (t) => {
      const id = IDS[index]!
      names.set(id, way.name)
      t.equal(await way.ask(service.url, id, way.name), 'right')
      t.equal(await WAYS.READS[0]!.ask(service.url, id, way.name), 'right', 'is there')
    })
  }
  await t.test('it ends on a signal', async (t) => {
    const [pid] = service.pids()
    process.kill(pid!, 'SIGTERM')
    await t.rejects(
      async () => {
        for (;;) {
          process.kill(pid!, 0)
          await new Promise((done) => setTimeout(done, 50))
        }
      },
      { code: 'ESRCH' },
    )
  })
})
