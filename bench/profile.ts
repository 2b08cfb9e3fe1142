/**
 * `npm run profile`: profile of a request. Runs the built server under `--cpu-prof`, one process per workload of the
 * kit, and lists the ten frames with the highest self time, without idle time.
 *
 *     npm run profile -- --workloads W1,W5 --seconds 5 --newest
 *
 * Writes bench/results/profile.json and bench/results/profile.md. `--keep DIR` keeps the `.cpuprofile` files, for the
 * developer tools of a browser.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createBenchDatabase } from './lib/bench-database.ts'
import { readKitSchema, writeBenchProject } from './lib/bench-project.ts'
import { type CpuProfile, type ProfileRun, renderProfile, selfTimes } from './lib/cpu-profile.ts'
import { findKit, type Workload } from './lib/kit.ts'
import { openLoad } from './lib/kit-load.ts'
import { nodeVersion } from './lib/node-version.ts'
import { print, progress } from './lib/print.ts'
import { describeRun, writeResults } from './lib/results.ts'
import { compileProject, ensureBuilt, ROOT, startSvc } from './lib/svc-process.ts'

const { values } = parseArgs({
  options: {
    workloads: { type: 'string' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '32' },
    newest: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
})

ensureBuilt()
const kit = findKit()
const node = values.newest ? kit.newestNode : process.execPath
if (node === null) throw new Error('the kit has no newest Node')
const [schema, workloads, load] = await Promise.all([readKitSchema(), kit.workloads(), openLoad(kit)])
const ids = values.workloads?.split(',') ?? Object.keys(workloads)
const database = await createBenchDatabase(kit)
const project = writeBenchProject(schema)
try {
  compileProject(project.dir, database.url)
  const runs: ProfileRun[] = []
  for (const id of ids) runs.push(await profileWorkload(workloads[id]!))
  const results = {
    ...describeRun({ profiled: nodeVersion(node), postgres: database.version, load: load.name }),
    settings: { seconds: values.seconds, connections: values.connections },
    runs,
  }
  writeResults('profile', results)
  const page = runs.map(renderProfile).join('\n\n')
  writeFileSync(join(ROOT, 'bench', 'results', 'profile.md'), `${page}\n`)
  print(page)
  progress('bench/results/profile.md')
} finally {
  project.remove()
  database.drop()
}

async function profileWorkload(workload: Workload): Promise<ProfileRun> {
  progress(workload.id)
  const dir = mkdtempSync(join(tmpdir(), 'svc-bench-profile-'))
  try {
    const server = await startSvc({
      project: project.dir,
      databaseUrl: database.url,
      node: node!,
      nodeArgs: ['--cpu-prof', `--cpu-prof-dir=${dir}`, '--cpu-prof-interval=500'],
    })
    const connections = Number(values.connections)
    // Compiling and optimising is over when the measured part starts.
    await load.run(server.url, workload, connections, 2)
    const from = Number(process.hrtime.bigint() / 1000n)
    const { rps } = await load.run(server.url, workload, connections, Number(values.seconds))
    const to = Number(process.hrtime.bigint() / 1000n)
    await server.stop()
    const [file] = readdirSync(dir).filter((name) => name.endsWith('.cpuprofile'))
    if (file === undefined) throw new Error('the server left no profile')
    if (values.keep !== undefined) {
      mkdirSync(values.keep, { recursive: true })
      cpSync(join(dir, file), join(values.keep, `${workload.id}.cpuprofile`))
    }
    const profile = JSON.parse(readFileSync(join(dir, file), 'utf8')) as CpuProfile
    const { id, title } = workload
    return { workload: id, title, rps, ...selfTimes(profile, { from, to, root: ROOT, most: 10, readChunk }) }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function readChunk(path: string): string {
  return readFileSync(path, 'utf8')
}
