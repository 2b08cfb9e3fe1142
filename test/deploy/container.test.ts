import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { freePort } from '../../bench/lib/svc-process.ts'
import { createPostgresDatabase } from '../helpers/databases.ts'
import { runCommand } from '../helpers/run-command.ts'
import { requireService } from '../helpers/services.ts'
import { ROOT } from '../repo/source-files.ts'
import { readImage } from './dockerfile.ts'

t.setTimeout(240_000)

/** Nobody's. */
const UID = 65_534

/** The image without Docker: its command, variables, user and health check, on a folder that belongs to somebody else. */
t.test('the command of the image serves as a user without rights, writes nothing, and is healthy', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const folder = join(t.testdir({}), 'shop')
  t.equal((await runCommand(join(folder, '..'), 'init', 'shop')).code, 0)
  // As PostgreSQL's image runs them: in the order of their names.
  const scripts = readdirSync(join(folder, 'db')).sort()
  const sql = scripts.map((name) => readFileSync(join(folder, 'db', name), 'utf8')).join('\n')
  const url = await createPostgresDatabase(t, { sql })
  t.equal((await runCommand(folder, 'compile', '--database', url)).code, 0)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(ROOT, join(folder, 'node_modules', 'svc'))
  const before = snapshot(folder)

  const { env, command, healthCheck, port } = readImage()
  const own = String(await freePort())
  const user = process.getuid?.() === 0 && canRead(UID) ? { uid: UID, gid: UID } : {}
  const options = {
    cwd: folder,
    ...user,
    env: { ...process.env, ...env, DATABASE_URL: url, SVC_SERVER__PORT: own, HOME: '/nonexistent' },
  }
  const inside = (text: string): string => (text === 'node' ? process.execPath : text.replaceAll(String(port), own))
  const isHealthy = () => {
    const [program = '', ...args] = healthCheck.map(inside)
    return spawnSync(program, args, options).status === 0
  }
  t.equal(isHealthy(), false, 'it says no where nobody serves')
  const [program = '', ...args] = command.map(inside)
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => void (child.exitCode === null && child.kill('SIGKILL')))
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk))
  for (let left = 600; left > 0 && !log.includes(`:${own}`) && child.exitCode === null; left--) await sleep(50)
  if (child.exitCode !== null || !t.equal(isHealthy(), true, log)) return t.fail(log)
  const reply = await fetch(`http://127.0.0.1:${own}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ posts(limit: 1) { title author { name } } }' }),
  })
  t.match(await reply.json(), { data: { posts: [{ title: String }] } })
  child.kill('SIGTERM')
  const [code] = child.exitCode === null ? await once(child, 'close') : [child.exitCode]
  t.equal(code, 0, log)
  t.same(snapshot(folder), before, 'nothing was written')
})

/** A checkout may lie where only its owner may look. */
function canRead(uid: number): boolean {
  return (
    spawnSync(process.execPath, ['-e', `fs.readFileSync(${JSON.stringify(join(ROOT, 'bin/svc.js'))})`], { uid })
      .status === 0
  )
}

/** Not through the link to svc itself. */
function snapshot(folder: string): readonly string[] {
  return ['.', 'db', 'node_modules'].flatMap((below) =>
    readdirSync(join(folder, below)).map((name) => {
      const { size, mtimeMs } = lstatSync(join(folder, below, name))
      return `${below}/${name} ${size} ${mtimeMs}`
    }),
  )
}
