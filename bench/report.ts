/**
 * `npm run bench:report`: writes bench/results into docs/explain/performance.md and README.md, between their markers,
 * and draws docs/images/throughput.svg. With `--check` it writes nothing and exits with 1 if they are stale.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderReport } from './lib/render-report.ts'
import { ROOT } from './lib/svc-process.ts'

const isCheck = process.argv.includes('--check')

for (const { path, content } of renderReport()) {
  const file = join(ROOT, path)
  if (existsSync(file) && readFileSync(file, 'utf8') === content) continue
  if (isCheck) {
    process.stderr.write(`${path} is not up to date: run npm run bench:report\n`)
    process.exitCode = 1
  } else {
    writeFileSync(file, content)
    process.stdout.write(`${path}\n`)
  }
}
