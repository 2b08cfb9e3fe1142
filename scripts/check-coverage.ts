/**
 * Checks the coverage: the limit for all files that `.c8rc.json` names, and every line of the basic folders. Reads
 * the result of `SVC_TEST_COVERAGE=coverage/tmp npm test`.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { writeSourceMaps } from './tests/write-source-maps.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const WHOLE = /^core\/(?:kernel|base\/errors)\//

const counted = join(root, 'coverage/tmp')
writeSourceMaps(counted)

const { status } = spawnSync(join(root, 'node_modules/.bin/c8'), ['report', '--temp-directory=coverage/tmp'], {
  cwd: root,
  stdio: 'inherit',
})
const summary: Record<string, { lines: { total: number; covered: number; pct: number } }> = JSON.parse(
  readFileSync(join(root, 'coverage/coverage-summary.json'), 'utf8'),
)
const files = Object.entries(summary).map(([file, { lines }]) => ({ file: relative(root, file), lines }))
const rooms = files.filter(({ file }) => WHOLE.test(file))
const gaps = rooms.filter(({ lines }) => lines.covered < lines.total)
for (const { file, lines } of gaps) {
  process.stderr.write(
    `${file}: ${lines.total - lines.covered} of its lines run in no test; all of core/kernel and core/base/errors do.\n`,
  )
}
// A file that no test loads is in no report, so it lowers no limit.
const reported = new Set(files.map(({ file }) => file))
const unseen = ['core', 'plugins', 'presets'].flatMap(sourcesIn).filter((file) => !reported.has(file) && hasCode(file))
for (const file of unseen)
  process.stderr.write(`${file} is loaded by no test of this process: none of it is counted.\n`)
const unseenRooms = unseen.filter((file) => WHOLE.test(file))
if (rooms.length === 0) process.stderr.write('No file of core/kernel and core/base/errors is in the report.\n')
process.exitCode = status === 0 && rooms.length > 0 && gaps.length === 0 && unseenRooms.length === 0 ? 0 : 1

function sourcesIn(folder: string): readonly string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => /(?<!\.d)\.ts$/.test(name)).map((name) => join(folder, name))
}

/** Files with types alone have no code to run. */
function hasCode(file: string): boolean {
  const tsconfigRaw = { compilerOptions: { verbatimModuleSyntax: true } }
  const source = readFileSync(join(root, file), 'utf8')
  const { code } = transformSync(source, {
    loader: 'ts',
    format: 'esm',
    legalComments: 'none',
    minify: true,
    tsconfigRaw,
  })
  return !/^(?:export\{\};)?\s*$/.test(code)
}
