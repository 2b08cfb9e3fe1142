import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { progress } from './print.ts'

/** The parts of the kit's modules that the benches use. */
export interface KitDatabase {
  /** Database with the kit's tables, views, functions and rows. */
  readonly url: string
  stop(): void
}
interface DatabaseModule {
  ensureDatabase(options: { log: (line: string) => void }): Promise<KitDatabase>
  pgBin(): string
}
export interface LoadResult {
  readonly rps: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly requests: number
  readonly errors: number
  readonly bytesPerReq: number
}
interface LoadModule {
  readonly hasWrk: boolean
  httpLoad(options: { url: string; bodyFile: string; connections: number; seconds: number }): Promise<LoadResult>
}
export interface Workload {
  readonly id: string
  readonly title: string
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

export interface Kit {
  /** Folder of the kit, with its dependencies installed. */
  readonly dir: string
  /** The newest Node that came with it; `null` when it did not come. */
  readonly newestNode: string | null
  /** The Bun that came with it; `null` when it did not come. */
  readonly bun: string | null
  /** Checksums of the files that make the data and the requests: equal seeds, equal work. */
  readonly seeds: Readonly<Record<string, string>>
  database(): Promise<KitDatabase & { readonly psql: string }>
  load(): Promise<LoadModule>
  workloads(): Promise<Readonly<Record<string, Workload>>>
}

/**
 * The benchmark kit: the folder `BENCH_KIT`, else `../shared/bench` beside the project. Where it has no dependencies and
 * they cannot be installed in place, a copy in the temporary folder is used, and used again next time.
 * @throws Error when there is none
 */
export function findKit(): Kit {
  const source = process.env.BENCH_KIT ?? fileURLToPath(new URL('../../../shared/bench', import.meta.url))
  if (!existsSync(join(source, 'run.mjs'))) {
    throw new Error(`There is no benchmark kit at ${source}. Say where it is: BENCH_KIT=/path/to/bench`)
  }
  const dir = existsSync(join(source, 'node_modules', 'pg')) ? source : installKit(source)
  const newest = join(dir, 'node_modules', 'node', 'bin', 'node')
  const bun = join(dir, 'node_modules', '.bin', 'bun')
  const module = (path: string): Promise<unknown> => import(pathToFileURL(join(dir, path)).href)
  return {
    dir,
    newestNode: existsSync(newest) ? newest : null,
    bun: process.env.BENCH_BUN ?? (existsSync(bun) ? bun : null),
    seeds: Object.fromEntries(
      ['sql/schema.sql', 'sql/seed.sql', 'workloads.mjs'].map((path) => [path, sha256(join(dir, path))]),
    ),
    async database() {
      const { ensureDatabase, pgBin } = (await module('lib/db.mjs')) as DatabaseModule
      return { ...(await ensureDatabase({ log: progress })), psql: join(pgBin(), 'psql') }
    },
    load: async () => (await module('lib/load.mjs')) as LoadModule,
    workloads: async () => ((await module('workloads.mjs')) as { byId: Readonly<Record<string, Workload>> }).byId,
  }
}

function installKit(source: string): string {
  const dir = isWritable(source)
    ? source
    : join(tmpdir(), `svc-bench-kit-${sha256(join(source, 'package-lock.json')).slice(0, 12)}`)
  if (dir !== source) {
    mkdirSync(dir, { recursive: true })
    cpSync(source, dir, { recursive: true, force: true, filter: (path) => !path.endsWith('node_modules') })
    execFileSync('chmod', ['-R', 'u+w', dir])
  }
  if (!existsSync(join(dir, 'node_modules', 'pg'))) {
    progress(`installing the benchmark kit in ${dir} …`)
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  return dir
}

function isWritable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
