/**
 * What tests cover, counted once: the bound of all that `.c8rc.json` names, and every line of the rooms that everything
 * else stands on. Reads what `NODE_V8_COVERAGE=coverage/tmp npm test` left.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const WHOLE = /^core\/(?:kernel|errors)\//

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
    `${file}: ${lines.total - lines.covered} of its lines run in no test; all of core/kernel and core/errors do.\n`,
  )
}
if (rooms.length === 0) process.stderr.write('No file of core/kernel and core/errors is in the report.\n')
process.exitCode = status === 0 && rooms.length > 0 && gaps.length === 0 ? 0 : 1
