import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const CLI = fileURLToPath(new URL('../../../bin/svc.js', import.meta.url))
/** Prints each flag that is given to V8. */
const LISTEN = `data:text/javascript,${encodeURIComponent(`
  import v8 from 'node:v8'
  import { syncBuiltinESMExports } from 'node:module'
  const set = v8.setFlagsFromString
  v8.setFlagsFromString = (flag) => { console.log(flag); set(flag) }
  syncBuiltinESMExports()`)}`

const flagsOf = (command: string): readonly string[] => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', LISTEN, CLI, command, '--help'], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return stdout.split('\n').filter((line) => line.startsWith('--'))
}

t.test('only a service makes the code of an embedded database faster while it runs', async (t) => {
  t.ok(flagsOf('compile').includes('--liftoff-only'))
  const run = flagsOf('run')
  t.ok(run.length > 0, 'its flags are heard')
  t.notOk(run.includes('--liftoff-only'))
})
