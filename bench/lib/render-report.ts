import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BesideResults, renderBeside } from './beside/page.ts'
import { type AllResults, renderParts } from './performance-page.ts'
import { renderReadmeTable } from './readme-table.ts'
import { readResults } from './results.ts'
import { spliceParts } from './splice.ts'
import { ROOT } from './svc-process.ts'
import { renderThroughputChart } from './throughput-chart.ts'

const PAGE = 'docs/explain/performance.md'
const BESIDE = 'docs/explain/beside-postgraphile.md'
const README = 'README.md'
/** The file of results and the command that makes it. */
const SOURCES: Readonly<Record<keyof AllResults, string>> = {
  kit: 'bench',
  'schema-size': 'bench:schema-size',
  'large-schema': 'bench:large-schema',
  'cold-plan': 'bench:cold-plan',
  concurrency: 'bench:concurrency',
  'response-size': 'bench:response-size',
  'slow-mix': 'bench:slow-mix',
  secured: 'bench:secured',
  cache: 'bench:cache',
  rest: 'bench:rest',
  real: 'bench:real -- --cold',
  entities: 'bench:entities',
  stream: 'bench:stream',
  workers: 'bench:workers',
  events: 'bench:events',
  'chaos-events': 'chaos:events',
  boot: 'bench:boot',
  serve: 'bench:serve',
  profile: 'profile',
}

export interface GeneratedFile {
  /** Relative to the project. */
  readonly path: string
  readonly content: string
}

/**
 * The pages, the README's part of them and the plot, made from `bench/results`.
 * @throws Error naming the command whose results are missing
 */
export function renderReport(): readonly GeneratedFile[] {
  const results = Object.fromEntries(
    Object.entries(SOURCES).map(([name, command]) => {
      const found = readResults(name)
      if (found === null) throw new Error(`bench/results/${name}.json is missing: run npm run ${command}`)
      return [name, found]
    }),
  ) as unknown as AllResults
  const beside = readResults<BesideResults>('beside')
  if (beside === null) throw new Error('bench/results/beside.json is missing: run npm run bench:beside')
  const readme = new Map([['kit', renderReadmeTable(results.kit.kit)]])
  return [
    { path: PAGE, content: spliceParts(readFileSync(join(ROOT, PAGE), 'utf8'), renderParts(results)) },
    { path: BESIDE, content: spliceParts(readFileSync(join(ROOT, BESIDE), 'utf8'), renderBeside(beside)) },
    { path: README, content: spliceParts(readFileSync(join(ROOT, README), 'utf8'), readme) },
    { path: 'docs/images/throughput.svg', content: renderThroughputChart(results.kit.kit) },
  ]
}
