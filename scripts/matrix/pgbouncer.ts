import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ACCOUNT, freePort, type Started, serverAccount, startProgram } from './start-program.ts'

/** The first version that keeps prepared statements in transaction mode. */
const KEEPS_STATEMENTS = [1, 21] as const

export interface PgBouncerOptions {
  /** Program, or a script that runs it. */
  readonly command: string
  readonly server: { readonly host: string; readonly port: number; readonly user: string }
  readonly folder: string
  /** `max_prepared_statements`; 0: none are kept. */
  readonly prepared: number
}

/** Returns the version of a PgBouncer, as in `1.18.0`; `null`: it does not run. */
export function pgbouncerVersion(command: string): string | null {
  try {
    return /PgBouncer (\d+\.\d+\.\d+)/.exec(execFileSync(command, ['--version'], { encoding: 'utf8' }))?.[1] ?? null
  } catch {
    return null
  }
}

/** Does this version know `max_prepared_statements`? */
export function keepsStatements(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > KEEPS_STATEMENTS[0] || (major === KEEPS_STATEMENTS[0] && minor >= KEEPS_STATEMENTS[1])
}

/** Starts PgBouncer in transaction mode in front of all databases of a server. */
export async function startPgBouncer({ command, server, folder, prepared }: PgBouncerOptions): Promise<Started> {
  const port = await freePort()
  const own = join(folder, `pgbouncer-${port}`)
  mkdirSync(own)
  const file = join(own, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=${server.host} port=${server.port} user=${server.user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
admin_users = admin
pool_mode = transaction
max_client_conn = 1000
default_pool_size = 10
server_idle_timeout = 5
${prepared === 0 ? '' : `max_prepared_statements = ${prepared}`}
`,
  )
  // PgBouncer reads its file before it changes to the account.
  const account = serverAccount() === null ? [] : ['-u', ACCOUNT]
  return startProgram({ command, args: [...account, file], account: null, port })
}
