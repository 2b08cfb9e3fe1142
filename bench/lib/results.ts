import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'bench', 'results')

/** Under which circumstances figures came to be. */
export interface Circumstances {
  /** ISO 8601. */
  readonly finished: string
  readonly svc: string
  /** Commit of the project; `null` outside a checkout. */
  readonly commit: string | null
  /** Changed files beside the commit. */
  readonly dirty: boolean
  /** Version by name: node, wrk, … */
  readonly versions: Readonly<Record<string, string>>
  readonly machine: {
    readonly cpus: number
    readonly model: string
    readonly memoryGiB: number
    readonly kernel: string
  }
}

/** Machine, versions and commit of a run that ends now. */
export function describeRun(versions: Readonly<Record<string, string>> = {}): Circumstances {
  const git = (...args: string[]): string | null => {
    try {
      return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    } catch {
      return null
    }
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return {
    finished: new Date().toISOString(),
    svc: version,
    commit: git('rev-parse', '--short', 'HEAD'),
    dirty: (git('status', '--porcelain', '--', 'core', 'plugins', 'presets', 'bench/kit-project') ?? '') !== '',
    versions: { node: process.versions.node, ...versions },
    machine: {
      cpus: cpus().length,
      model: cpus()[0]?.model ?? 'unknown',
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      kernel: release(),
    },
  }
}

/** Ends the process before anything is measured when `--out` is nothing that {@link writeResults} can take. */
export function checkResultsName(name: string): void {
  if (/^[A-Za-z0-9][\w-]*$/.test(name)) return
  process.stderr.write(`--out wants the name of a file in bench/results (letters, digits, "-", "_"), got "${name}".\n`)
  process.exit(2)
}

/** Writes `bench/results/<name>.json`. @returns its path, relative to the project */
export function writeResults(name: string, results: object): string {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(results, null, 1)}\n`)
  return `bench/results/${name}.json`
}

/** Reads the result of a bench; `null` if it never ran. */
export function readResults<T>(name: string): T | null {
  const path = join(folder, `${name}.json`)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : null
}
