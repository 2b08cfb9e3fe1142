import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { svc } from '../helpers/service.ts'
import { ROOT, read } from '../repo/source-files.ts'

/** Several processes start one after the other, on a machine that does other things too. */
t.setTimeout(600_000)

const SAMPLE = /^```ts file=api\.test\.ts\n([\s\S]*?)^```$/m.exec(read('docs/guides/test-your-api.md'))?.[1] ?? ''

/** Runs the sample in the project. @returns the exit code and the report */
async function runSample(folder: string, sample: string): Promise<{ code: number | null; report: string }> {
  writeFileSync(join(folder, 'api.test.ts'), sample)
  // The sample is a program of its own: the settings of this test run are not for it.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(_?TAP|NODE_|SVC_)/.test(name)))
  const child = spawn(process.execPath, ['--import=tsx', '--test', 'api.test.ts'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [report] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { code: child.exitCode, report }
}

t.test('the sample of the guide tests the project of svc init, and fails when the API does not fit', async (t) => {
  const root = t.testdir({})
  t.equal((await svc(['init', 'shop'], root)).code, 0)
  const folder = join(root, 'shop')
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(ROOT, join(folder, 'node_modules/svc'))
  symlinkSync(join(ROOT, 'node_modules/tsx'), join(folder, 'node_modules/tsx'))
  t.equal((await svc(['compile'], folder)).code, 0)

  const good = await runSample(folder, SAMPLE)
  t.equal(good.code, 0, good.report)
  t.match(good.report, /# pass 2\n/)

  const bad = await runSample(folder, SAMPLE.replace("'GRAPHQL_VALIDATION_FAILED'", "'NOT_FOUND'"))
  t.equal(bad.code, 1, 'the assertion of the sample holds something')
  t.match(bad.report, /# fail 1\n/)
})
