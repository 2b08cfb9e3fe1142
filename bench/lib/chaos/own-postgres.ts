import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../svc-process.ts'
import { type OwnService, ownProcess } from './own-process.ts'

const ROOT = '/usr/lib/postgresql'
/** The kernel keeps the writes of a killed process: only a power failure would need the disk. */
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'max_connections=100', 'listen_addresses=127.0.0.1']

/** Folder of the programs of the newest installed PostgreSQL; `null`: none is installed. */
export function postgresPrograms(): string | null {
  const versions = existsSync(ROOT) ? readdirSync(ROOT).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [process.env.PG_BIN, ...versions.map((version) => join(ROOT, version, 'bin'))]
  return folders.find((folder) => folder !== undefined && existsSync(join(folder, 'initdb'))) ?? null
}

/** A cluster of its own, below `folder`. Its postmaster is killed, and with it go all of its processes. */
export async function ownPostgres(folder: string): Promise<OwnService & { readonly admin: string }> {
  const programs = postgresPrograms()
  if (programs === null) throw new Error(`There is no initdb below ${ROOT}; PG_BIN says where it is.`)
  const data = join(folder, 'postgres')
  mkdirSync(data, { recursive: true })
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    chmodSync(folder, 0o755)
    execFileSync('chown', ['postgres', data])
  }
  const drop = isRoot ? ['--reuid=postgres', '--regid=postgres', '--init-groups'] : null
  const initdb = [join(programs, 'initdb'), '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']
  const [program, ...args] = [...(drop === null ? [] : ['setpriv', ...drop]), ...initdb] as [string]
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], cwd: '/' })
  const port = await freePort()
  const admin = `postgres://postgres@127.0.0.1:${port}/postgres`
  const settings = [...SETTINGS, `port=${port}`, 'unix_socket_directories='].flatMap((setting) => ['-c', setting])
  const process_ = ownProcess(
    join(programs, 'postgres'),
    ['-D', data, ...settings],
    async () => {
      const client = new pg.Client({ connectionString: admin, connectionTimeoutMillis: 2000 })
      client.on('error', () => {})
      try {
        await client.connect()
      } finally {
        await client.end().catch(() => {})
      }
    },
    'postgres',
  )
  return { ...process_, url: admin, admin, forget: null }
}
