import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ROOT } from '../../../repo/source-files.ts'

/** Entries of svc that projects import, by the file that defines them. */
const ENTRIES = {
  '.': 'core/doors/plugin.ts',
  './authoring': 'core/authoring/index.ts',
  './testing': 'core/testing/testing.ts',
}

/** Runs `npm test` of a project with this checkout as `svc`, without an installation. @returns the report */
export async function runTests(folder: string): Promise<string> {
  const own = join(folder, 'node_modules/svc')
  mkdirSync(own, { recursive: true })
  const exports = Object.fromEntries(Object.keys(ENTRIES).map((name, index) => [name, `./entry${index}.ts`]))
  writeFileSync(join(own, 'package.json'), JSON.stringify({ name: 'svc', type: 'module', exports }))
  Object.values(ENTRIES).forEach((file, index) => {
    writeFileSync(join(own, `entry${index}.ts`), `export * from '${join(ROOT, file)}'\n`)
  })
  const tsx = join(folder, 'node_modules/tsx')
  if (!existsSync(tsx)) symlinkSync(join(ROOT, 'node_modules/tsx'), tsx)
  // The project is a program of its own: the settings of this test run are not for it.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(_?TAP|NODE_|SVC_|DATABASE_URL)/.test(name)),
  )
  const child = spawn('sh', ['-c', 'node --import=tsx --test --test-reporter=tap test/*.test.ts 2>&1'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [report] = await Promise.all([text(child.stdout), once(child, 'close')])
  return report
}
