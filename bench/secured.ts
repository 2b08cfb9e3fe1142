/**
 * `npm run bench:secured`: what it costs to know who asks, whether they may, and how often: the requests of the kit without a
 * credential, and with a verified token, scopes, limits of documents and limits of requests. Short slices in turn, so that what else the machine does
 * falls on both; requests per second and processor time of the server per request.
 *
 *     npm run bench:secured -- --workloads W1,W8 --slices 12 --slice-seconds 1
 */
import { createHmac } from 'node:crypto'
import { parseArgs } from 'node:util'
import { createBenchDatabase } from './lib/bench-database.ts'
import { type BenchProject, readKitSchema, writeBenchProject } from './lib/bench-project.ts'
import { SECURED, type SecuredRow } from './lib/growth-tables.ts'
import { findKit, type Workload } from './lib/kit.ts'
import { postGraphQL } from './lib/post.ts'
import { print, progress } from './lib/print.ts'
import { cpuSeconds } from './lib/process-tree.ts'
import { checkResultsName, describeRun, writeResults } from './lib/results.ts'
import { median } from './lib/stats.ts'
import { compileProject, ensureBuilt, type SvcProcess, startSvc } from './lib/svc-process.ts'
import { runTokenLoad } from './lib/token-load.ts'

const { values } = parseArgs({
  options: {
    workloads: { type: 'string', default: 'W1,W2,W8' },
    slices: { type: 'string', default: '12' },
    'slice-seconds': { type: 'string', default: '1' },
    connections: { type: 'string', default: '32' },
    /** `1,4`: only some of the steps, the first of which is the baseline. */
    steps: { type: 'string' },
    out: { type: 'string', default: 'secured' },
  },
})
checkResultsName(values.out)
const connections = Number(values.connections)
const seconds = Number(values['slice-seconds'])
const SECRET = 'the secret of the benchmark, of some length'
const SCOPE = 'read:bench'

/** The addition of each step; the target is about the last one. */
interface Step {
  readonly name: string
  readonly scoped: boolean
  readonly limited: boolean
  readonly token: boolean
}
const ALL: readonly Step[] = [
  { name: 'anonymous', scoped: false, limited: false, token: false },
  { name: 'verified token', scoped: false, limited: false, token: true },
  { name: '… and scopes', scoped: true, limited: false, token: true },
  { name: '… and limits of requests', scoped: true, limited: true, token: true },
]
const STEPS = values.steps === undefined ? ALL : values.steps.split(',').map((number) => ALL[Number(number) - 1]!)

ensureBuilt()
const kit = findKit()
const [schema, workloads] = await Promise.all([readKitSchema(), kit.workloads()])
const database = await createBenchDatabase(kit)
const token = makeToken()
const projects: BenchProject[] = []
const servers: SvcProcess[] = []
try {
  for (const step of STEPS) servers.push(await start(step))
  const rows: SecuredRow[] = []
  for (const id of values.workloads.split(',')) rows.push(...(await measure(workloads[id]!)))
  print(SECURED.render(rows))
  const description = describeRun({ postgres: database.version, load: 'wrk -t1' })
  progress(writeResults(values.out, { ...description, settings: values, rows }))
} finally {
  await Promise.all(servers.map((server) => server.stop()))
  for (const project of projects) project.remove()
  database.drop()
}

async function start({ scoped, limited, token: verifies }: Step): Promise<SvcProcess> {
  const guarded = (operation: object): object => ({ ...operation, requires_scope: SCOPE })
  const own = scoped
    ? { ...schema, queries: schema.queries?.map(guarded), mutations: schema.mutations?.map(guarded) }
    : schema
  const limits = { enabled: true, requests_per_second: 1_000_000, burst_size: 1_000_000 }
  const project = writeBenchProject(own as typeof schema, {
    ...(verifies
      ? { security: { default_policy: scoped ? 'authenticated' : 'public', jwt_secret: SECRET, jwt_audience: 'bench' } }
      : {}),
    ...(limited ? { 'security.rate_limiting': limits } : {}),
  })
  projects.push(project)
  compileProject(project.dir, database.url)
  return startSvc({ project: project.dir, databaseUrl: database.url })
}

/** Each step has a turn in each slice; the order rotates. */
async function measure(workload: Workload): Promise<SecuredRow[]> {
  progress(workload.id)
  const seen = STEPS.map(() => ({ rps: [] as number[], cpu: 0, requests: 0, errors: 0 }))
  const load = (i: number, time: number) =>
    runTokenLoad(kit, {
      url: servers[i]!.url,
      request: workload,
      connections,
      seconds: time,
      token: STEPS[i]!.token ? token : undefined,
    })
  for (const [i, { url }] of servers.entries()) {
    await check(url, workload, i)
    await load(i, 2)
  }
  for (let slice = 0; slice < Number(values.slices); slice++) {
    for (let turn = 0; turn < STEPS.length; turn++) {
      const i = (turn + slice) % STEPS.length
      const before = cpuSeconds(servers[i]!.pid)
      const { rps, requests, errors } = await load(i, seconds)
      const figures = seen[i]!
      figures.cpu += cpuSeconds(servers[i]!.pid) - before
      figures.rps.push(rps)
      figures.requests += requests
      figures.errors += errors
    }
  }
  const [first] = seen
  return STEPS.map(({ name }, i) => {
    const { rps, cpu, requests, errors } = seen[i]!
    // Slice by slice, because other load on the machine changes between them.
    const ratios = rps.map((each, slice) => each / first!.rps[slice]!)
    const cpuUs = (cpu / requests) * 1e6
    return {
      workload: workload.id,
      step: name,
      rps: median(rps),
      ratio: median(ratios),
      cpuUs,
      cpuRatio: cpuUs / ((first!.cpu / first!.requests) * 1e6),
      failed: errors,
    }
  })
}

/** An error would be quick, too. */
async function check(url: string, workload: Workload, i: number): Promise<void> {
  const headers = STEPS[i]!.token ? { authorization: `Bearer ${token}` } : {}
  const { status, body } = await postGraphQL(url, workload, headers)
  if (status !== 200 || body.startsWith('{"errors"'))
    throw new Error(`${STEPS[i]!.name}: ${status} ${body.slice(0, 200)}`)
  if (STEPS[i]!.scoped && (await postGraphQL(url, workload)).body.includes('"data":{"')) {
    throw new Error(`${STEPS[i]!.name}: it answers anybody`)
  }
}

function makeToken(): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = {
    sub: 'bench',
    aud: 'bench',
    scope: `${SCOPE} write:bench`,
    exp: Math.floor(Date.now() / 1000) + 86_400,
  }
  const input = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${input}.${createHmac('sha256', SECRET).update(input).digest('base64url')}`
}
