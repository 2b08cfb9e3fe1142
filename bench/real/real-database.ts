import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Kit } from '../lib/kit.ts'
import { progress } from '../lib/print.ts'

const DATA = fileURLToPath(new URL('./data.sql', import.meta.url))

export interface RealDatabase {
  readonly url: string
  readonly version: string
  /** Bytes of tables and indexes, and of the memory that the server keeps pages in. */
  readonly bytes: number
  readonly sharedBuffers: string
  /** Cancels the statements that still run after the load has ended. */
  settle(): void
  /**
   * Restarts the server, so that it has no page in memory. Drops the page cache of the system too, if permitted.
   * @returns whether it was permitted
   */
  chill(): boolean
}

/** The rows of `data.sql` on the kit's server: made once, and again where the file has changed. */
export async function openRealDatabase(kit: Kit, posts: number, reseed: boolean): Promise<RealDatabase> {
  const { url: kitUrl, psql } = await kit.database()
  const digest = createHash('sha256').update(readFileSync(DATA)).digest('hex').slice(0, 8)
  const name = `svc_real_${posts}_${digest}`
  const url = Object.assign(new URL(kitUrl), { pathname: `/${name}` }).href
  const run = (target: string, ...args: string[]): string =>
    execFileSync(psql, [target, '-v', 'ON_ERROR_STOP=1', '-q', '-X', '-A', '-t', ...args], {
      encoding: 'utf8',
      env: { ...process.env, PGOPTIONS: '-c client_min_messages=warning' },
      stdio: ['ignore', 'pipe', 'inherit'],
    }).trim()
  if (reseed) run(kitUrl, '-c', `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  const whole = `SELECT count(*) FROM pg_database WHERE datname = '${name}' AND shobj_description(oid, 'pg_database') = 'whole'`
  if (run(kitUrl, '-c', whole) === '0') {
    progress(`making ${posts} posts; two million take five minutes`)
    run(kitUrl, '-c', `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, '-c', `CREATE DATABASE ${name}`)
    run(url, '-v', `posts=${posts}`, '-f', DATA)
    run(kitUrl, '-c', `COMMENT ON DATABASE ${name} IS 'whole'`)
  }
  const folder = run(url, '-c', 'SHOW data_directory')
  return {
    url,
    version: run(url, '-c', 'SHOW server_version'),
    bytes: Number(run(url, '-c', 'SELECT pg_database_size(current_database())')),
    sharedBuffers: run(url, '-c', 'SHOW shared_buffers'),
    settle() {
      run(
        kitUrl,
        '-c',
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND state = 'active'`,
      )
    },
    chill() {
      const restart = [
        join(dirname(psql), 'pg_ctl'),
        '-D',
        folder,
        '-m',
        'fast',
        '-w',
        '-l',
        join(folder, '..', 'log'),
        'restart',
      ]
      const isRoot = process.getuid?.() === 0
      const command = isRoot
        ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', ...restart]
        : restart
      execFileSync(command[0]!, command.slice(1), { stdio: 'ignore', cwd: '/' })
      try {
        writeFileSync('/proc/sys/vm/drop_caches', '3')
        return true
      } catch {
        return false
      }
    },
  }
}
