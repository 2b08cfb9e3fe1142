import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from './source-files.ts'

/** A coverage tool that reports 100 % for code that never ran would make every threshold worthless: hold it to that. */
t.test('c8 reports a line that never ran', async (t) => {
  const dir = t.testdir({
    'half.ts':
      'export function used(): number {\n  return 1\n}\nexport function unused(): number {\n  const x = 2\n  return x\n}\n',
    'run.ts': "import { used } from './half.ts'\nused()\n",
  })
  const node = process.execPath
  const c8 = join(ROOT, 'node_modules', 'c8', 'bin', 'c8.js')
  execFileSync(
    node,
    [
      c8,
      '--check-coverage=false',
      '--reporter=json-summary',
      `--reports-dir=${dir}/out`,
      `--temp-directory=${dir}/tmp`,
      '--allowExternal',
      '--include',
      '**/half.ts',
      node,
      '--import=tsx',
      join(dir, 'run.ts'),
    ],
    {
      cwd: dir,
      env: { ...process.env, NODE_V8_COVERAGE: '' },
      stdio: 'pipe',
    },
  )
  const summary = JSON.parse(readFileSync(join(dir, 'out', 'coverage-summary.json'), 'utf8'))
  const half = Object.entries<{ lines: { pct: number } }>(summary).find(([file]) => file.endsWith('half.ts'))
  t.ok(half, 'the file is in the report')
  t.ok(half![1].lines.pct < 100, `uncovered lines are seen (${half![1].lines.pct} %)`)
})
