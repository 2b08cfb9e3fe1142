/**
 * `npm run bench`: the benchmark kit for svc and the limits of the machine, on this Node and on the newest one that the
 * kit has, in under ten minutes. Prints the ratios against svc's targets and writes bench/results/kit.json.
 *
 *     npm run bench                              # svc, bare pool, bare pipeline
 *     npm run bench -- --peers                   # PostGraphile and Mercurius beside them
 *     npm run bench -- --rounds 1 --workloads W1,W3 --out quick
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findKit } from './lib/kit.ts'
import { checkValidity, type KitOutput, type KitRun } from './lib/kit-results.ts'
import { nodeVersion } from './lib/node-version.ts'
import { print, progress } from './lib/print.ts'
import { renderFigureTable, renderRatioTable, runtimesOf } from './lib/ratio-table.ts'
import { checkResultsName, describeRun, writeResults } from './lib/results.ts'
import { ensureBuilt } from './lib/svc-process.ts'

const { values } = parseArgs({
  options: {
    peers: { type: 'boolean', default: false },
    out: { type: 'string', default: 'kit' },
    targets: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string' },
    workloads: { type: 'string' },
    warmup: { type: 'string', default: '1' },
    connections: { type: 'string' },
    pool: { type: 'string' },
    reseed: { type: 'boolean' },
    'stop-db': { type: 'boolean' },
    'verify-only': { type: 'boolean' },
  },
})

checkResultsName(values.out)

const here = fileURLToPath(new URL('.', import.meta.url))
const kit = findKit()
const newest = kit.newestNode
const targets = [
  join(here, 'target.mjs'),
  'ceiling-20',
  'pipeline-20',
  ...(kit.bun === null ? [] : [join(here, 'target-bun.mjs'), 'bun']),
  ...(newest === null ? [] : [join(here, 'target-newest.mjs'), 'ceiling-26', 'pipeline-26']),
  ...(values.peers
    ? ['postgresjs-20', 'postgraphile', ...(newest === null ? ['mercurius-20'] : ['mercurius-20', 'mercurius-26'])]
    : []),
]
// Two runtimes at two seconds a cell, or one at four, are eight to nine minutes of three rounds.
const seconds = values.seconds ?? (newest === null ? '4' : '2')
const scratch = mkdtempSync(join(tmpdir(), 'svc-bench-run-'))
const { peers: _, out, ...passed } = { ...values, targets: values.targets ?? targets.join(','), seconds }
const args = Object.entries(passed).flatMap(([key, value]) =>
  value === true ? [`--${key}`] : typeof value === 'string' ? [`--${key}`, value] : [],
)

ensureBuilt()
try {
  const code = await new Promise<number>((done, fail) => {
    const child = spawn(process.execPath, ['run.mjs', ...args, '--out', join(scratch, 'kit')], {
      cwd: kit.dir,
      env: {
        ...process.env,
        BENCH_NODE: process.execPath,
        BENCH_SVC_NODE: process.execPath,
        ...(kit.bun === null ? {} : { BENCH_BUN: kit.bun }),
        ...(newest === null ? {} : { BENCH_NODE_NEW: newest, BENCH_SVC_NODE_NEWEST: newest }),
      },
      // The results contain its tables; its progress output is useful during the run.
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    child.on('error', fail)
    child.on('exit', (code) => done(code ?? 1))
  })
  process.exitCode = code
  const results = join(scratch, 'kit.json')
  if (existsSync(results)) report(JSON.parse(readFileSync(results, 'utf8')) as KitOutput)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function report(output: KitOutput): void {
  const { cells, targets, failures } = output
  const run: KitRun = {
    ...describeRun({
      ...(newest === null ? {} : { newestNode: nodeVersion(newest) }),
      postgres: output.settings.postgres,
      load: output.settings.load,
    }),
    seeds: kit.seeds,
    validity: checkValidity(output),
    kit: output,
  }
  const path = writeResults(out, run)
  print(`Requests per second, median of ${output.settings.rounds} rounds\n\n${renderFigureTable(output, 'rps', 0)}`)
  for (const runtime of runtimesOf(output).filter((runtime) =>
    cells.some(
      ({ target }) => targets.find(({ id }) => id === target)?.runtime === runtime && target.startsWith('svc'),
    ),
  )) {
    print(`\nOn ${runtime} (bold: the target is missed)\n\n${renderRatioTable(output, runtime)}`)
  }
  const { failedRequests, shortResponses, widestSpread } = run.validity
  print(`\n${failures.length} targets failed, ${failedRequests} requests failed, ${shortResponses} short responses`)
  if (widestSpread !== null) {
    const { target, workload, spread } = widestSpread
    print(`widest spread over the rounds: ${(spread * 100).toFixed(0)} % (${target}, ${workload})`)
  }
  progress(`\n${path}; npm run bench:report puts it into docs/explain/performance.md`)
}
