import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { freePort } from '../svc-process.ts'
import { answers, type OwnService, ownEnvironment, ownProcess } from './own-process.ts'

export type BusKind = 'kvstore' | 'msgbus' | 'mariadb'

const PROGRAM: Readonly<Record<BusKind, string>> = {
  kvstore: 'redis-server',
  msgbus: 'nats-server',
  mariadb: 'mariadbd',
}

/** The program that a bus of its own needs, where this machine does not have it; `null`: it has. */
export function missingProgram(kind: BusKind): string | null {
  return find(PROGRAM[kind]) === null ? PROGRAM[kind] : null
}

function find(program: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, program)).find(existsSync) ?? null
}

/** A bus for this run, below `folder`. Acknowledged messages are on its disk when it is killed. */
export async function ownBus(kind: BusKind, folder: string): Promise<OwnService> {
  const program = find(PROGRAM[kind])
  if (program === null) throw new Error(`${PROGRAM[kind]} is not installed.`)
  const port = await freePort()
  const data = join(folder, kind)
  mkdirSync(data, { recursive: true })
  const forget = (): void => {
    rmSync(data, { recursive: true, force: true })
    mkdirSync(data, { recursive: true })
  }
  if (kind === 'kvstore') {
    const args = ['--bind', '127.0.0.1', '--port', String(port), '--dir', data, '--save', '', '--appendonly', 'yes']
    return { ...ownProcess(program, args, () => answers(port)), url: `redis://127.0.0.1:${port}`, forget }
  }
  if (kind === 'msgbus') {
    const args = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', data]
    return { ...ownProcess(program, args, () => answers(port)), url: `nats://127.0.0.1:${port}`, forget }
  }
  return ownMariadb(program, data, folder, port)
}

async function ownMariadb(program: string, data: string, folder: string, port: number): Promise<OwnService> {
  const user = process.getuid?.() === 0 ? ['--user=mysql'] : []
  if (user.length > 0) {
    chmodSync(folder, 0o755)
    execFileSync('chown', ['mysql', data])
  }
  const install = [...user, `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db']
  execFileSync('mariadb-install-db', install, { stdio: 'ignore', env: ownEnvironment() })
  const socket = join(data, 'socket')
  const args = ['--no-defaults', ...user, `--datadir=${data}`, '--bind-address=127.0.0.1', `--port=${port}`]
  // As with PostgreSQL: the kernel keeps the writes of a killed process.
  const careless = [`--socket=${socket}`, '--skip-log-bin', '--innodb-flush-log-at-trx-commit=2']
  const ready = async (): Promise<void> => {
    const connection = await createConnection({ host: '127.0.0.1', port, user: 'root', connectTimeout: 2000 })
    await connection.query('CREATE DATABASE IF NOT EXISTS events').finally(() => connection.destroy())
  }
  // To make its tables anew takes longer than the run gives it: it keeps them.
  const url = `mysql://root@127.0.0.1:${port}/events`
  return { ...ownProcess(program, [...args, ...careless], ready), url, forget: null }
}
