import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { writeSourceMaps } from '../../scripts/tests/write-source-maps.ts'
import { ROOT } from '../repo/source-files.ts'

const FILE = 'core/base/util/exact-number.ts'

t.test('coverage counts lines of the sources only', async (t) => {
  const folder = t.testdir({ tmp: {} })
  const counted = join(folder, 'tmp')
  const loader = new URL('../../scripts/tests/loader/register.js', import.meta.url).href
  const run = (...args: readonly string[]) =>
    execFileSync(process.execPath, args, { cwd: ROOT, env: { ...process.env, SVC_TEST_COVERAGE: counted } })
  run('--import', loader, '--input-type=module', '-e', `const { writeJson } = await import('./${FILE}'); writeJson(1)`)
  t.equal(readdirSync(counted).length, 1)
  const [name] = readdirSync(counted)
  const { result } = JSON.parse(readFileSync(join(counted, name!), 'utf8')) as { result: readonly { url: string }[] }
  t.strictSame(
    result.map(({ url }) => url.slice(-FILE.length)),
    [FILE],
    'no package, and nothing of Node',
  )
  writeSourceMaps(counted)
  const c8 = join(ROOT, 'node_modules/c8/bin/c8.js')
  const check = ['--check-coverage=false', '--reporter=json', `--reports-dir=${folder}/out`, `--include=${FILE}`]
  run(c8, 'report', `--temp-directory=${counted}`, ...check)
  const [report] = Object.values<{
    statementMap: Record<string, { start: { line: number } }>
    s: Record<string, number>
  }>(JSON.parse(readFileSync(join(folder, 'out/coverage-final.json'), 'utf8')))
  const lines = readFileSync(join(ROOT, FILE), 'utf8').split('\n')
  const timesOf = (text: string): number | undefined => {
    const line = lines.findIndex((one) => one.includes(text)) + 1
    const [at] = Object.entries(report!.statementMap).find(([, { start }]) => start.line === line) ?? []
    return report!.s[at!]
  }
  t.equal(timesOf('const text = JSON.stringify(value, null, space)'), 1, 'it ran')
  t.equal(timesOf('return MARK + this.#text'), 0, 'it did not')
})
