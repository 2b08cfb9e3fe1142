import t from 'tap'
import { checkValidity, type KitCell, type KitOutput, summarise } from '../../bench/lib/kit-results.ts'
import { renderFigureTable, renderRatioTable, runtimesOf } from '../../bench/lib/ratio-table.ts'
import { isMet, TARGETS } from '../../bench/lib/targets.ts'

const cell = (target: string, workload: string, round: number, rps: number, rest: Partial<KitCell> = {}): KitCell => ({
  target,
  workload,
  round,
  rps,
  p50ms: 1,
  p99ms: 2,
  requests: rps,
  errors: 0,
  short: false,
  serverCpuSecPer1000: 0.03,
  peakRssMiB: 100,
  ...rest,
})

function outputOf(cells: readonly KitCell[], rest: Partial<KitOutput> = {}): KitOutput {
  const ids = [...new Set(cells.map(({ target }) => target))]
  return {
    started: '',
    finished: '',
    settings: { rounds: 3, seconds: 2, warmup: 1, connections: 32, pool: 10, load: 'wrk', postgres: '15' },
    targets: ids.map((id) => ({ id, title: `the ${id}`, runtime: `node${id.split('-n')[1]}` })),
    workloads: [...new Set(cells.map(({ workload }) => workload))].map((id) => ({ id, title: id, bytes: 1 })),
    failures: [],
    cells,
    ...rest,
  }
}

const OUTPUT = outputOf([
  cell('svc-n20', 'W1', 1, 900),
  cell('svc-n20', 'W1', 2, 1200),
  cell('svc-n20', 'W1', 3, 1100),
  cell('svc-n20', 'W5', 1, 80, { p99ms: 3 }),
  cell('ceiling-n20', 'W1', 1, 1000),
  cell('ceiling-n20', 'W5', 1, 100),
  cell('pipeline-n20', 'W1', 1, 2000, { serverCpuSecPer1000: 0.02 }),
  cell('postgraphile-n26', 'W1', 1, 100, { peakRssMiB: 400 }),
])

t.test('a summary is the median over the rounds', async (t) => {
  t.equal(summarise(OUTPUT).get('svc-n20')?.get('W1')?.rps, 1100)
  t.equal(summarise(OUTPUT).get('svc-n20')?.get('W2'), undefined)
})

t.test('ratios against what ran, bold where the target is missed', async (t) => {
  t.strictSame(runtimesOf(OUTPUT), ['node20'])
  const rows = renderRatioTable(OUTPUT, 'node20')
    .split('\n')
    .map((line) => line.split('|').map((text) => text.trim()))
    .slice(2)
    .map(([, name, , ...cells]) => [name, ...cells.slice(0, -1)])
  t.strictSame(rows, [
    ['requests/s ÷ bare pool', '1.10', '**0.80**'],
    // The pipeline did not run on W5.
    ['requests/s ÷ bare pipeline', '**0.55**', '–'],
    ['requests/s ÷ PostGraphile (Node 26)', '11.00', '–'],
    ['p99 ÷ bare pool', '1.00', '1.50'],
    ['CPU per request ÷ bare pipeline', '**1.50**', '–'],
    ['peak memory ÷ PostGraphile (Node 26)', '0.25', '–'],
  ])
  t.throws(() => renderRatioTable(OUTPUT, 'node26'), /did not run on node26/)
})

t.test('a figure of all that ran', async (t) => {
  t.match(renderFigureTable(OUTPUT, 'rps', 0), /\| the svc-n20 +\| 1 100 \| +80 \|/)
  t.match(renderFigureTable(OUTPUT, 'rps', 0), /\| the pipeline-n20 +\| 2 000 \| +– \|/)
})

t.test('a bound of a workload goes before that of all', async (t) => {
  const pipeline = TARGETS.find(({ title }) => title === 'requests/s ÷ bare pipeline')!
  t.equal(isMet(pipeline, 'W1', 1), true)
  t.equal(isMet(pipeline, 'W1', 0.99), false)
  t.equal(isMet(pipeline, 'W5', 1.49), false)
  t.equal(isMet(pipeline, 'W5', 1.5), true)
})

t.test('invalid measurements are counted', async (t) => {
  t.strictSame(checkValidity(OUTPUT), {
    responsesVerified: true,
    failedRequests: 0,
    shortResponses: 0,
    widestSpread: { target: 'svc-n20', workload: 'W1', spread: 300 / 1100 },
  })
  const bad = outputOf([cell('svc-n20', 'W1', 1, 900, { errors: 7, short: true })], {
    failures: [{ target: 'ceiling-n20', round: 1, error: 'differs' }],
  })
  t.strictSame(checkValidity(bad), {
    responsesVerified: false,
    failedRequests: 7,
    shortResponses: 1,
    widestSpread: null,
  })
})
