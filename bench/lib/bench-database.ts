import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Kit } from './kit.ts'

export interface BenchDatabase {
  readonly url: string
  /** Runs a script. @throws Error when a statement of it fails */
  run(script: string): void
  /**
   * Keeps a session open behind a script, with the locks that it took.
   * @returns ends the session
   */
  hold(script: string): () => void
  /** Version of the server. */
  readonly version: string
  drop(): void
}

/**
 * Creates a separate database on the kit's server, with the kit's tables, views and rows, so that benches do not
 * affect each other. The caller drops it.
 */
export async function createBenchDatabase(kit: Kit): Promise<BenchDatabase> {
  const { url: kitUrl, psql } = await kit.database()
  const name = `svc_bench_${process.pid}`
  const url = Object.assign(new URL(kitUrl), { pathname: `/${name}` }).href
  const run = (target: string, args: readonly string[], input?: string): string =>
    execFileSync(psql, [target, '-v', 'ON_ERROR_STOP=1', '-q', '-X', '-A', '-t', ...args], {
      encoding: 'utf8',
      input: input ?? '',
      env: { ...process.env, PGOPTIONS: '-c client_min_messages=warning' },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
  run(kitUrl, ['-c', `CREATE DATABASE ${name}`])
  const drop = (): void => void run(kitUrl, ['-c', `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`])
  try {
    run(kitUrl, ['-c', `ALTER DATABASE ${name} SET search_path = bench, public`])
    run(kitUrl, ['-c', `ALTER DATABASE ${name} SET timezone = 'UTC'`])
    for (const file of ['schema.sql', 'seed.sql']) run(url, ['-f', join(kit.dir, 'sql', file)])
    const version = run(url, ['-c', 'SHOW server_version']).trim()
    const hold = (script: string): (() => void) => {
      const session = spawn(psql, [url, '-q', '-X', '-o', '/dev/null'], { stdio: ['pipe', 'ignore', 'inherit'] })
      session.stdin.write(script)
      return () => session.stdin.end()
    }
    return { url, version, drop, hold, run: (script) => void run(url, ['-f', '-'], script) }
  } catch (error) {
    drop()
    throw error
  }
}
