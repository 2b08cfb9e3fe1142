import { execFileSync } from 'node:child_process'
import t from 'tap'

t.test('pg is loaded without the whole of fetch, and no navigator stays behind', async (t) => {
  const root = new URL('../../../', import.meta.url)
  const script = `
    const before = 'navigator' in globalThis
    const { pgModule } = await import('./plugins/postgres/wire/pg-module.ts')
    const fetched = process.moduleLoadList.some((name) => name.includes('undici/undici'))
    console.log(JSON.stringify([typeof pgModule.Client, fetched, ('navigator' in globalThis) === before]))`
  const args = ['--import', './scripts/tests/loader/register.js', '--input-type=module', '--eval', script]
  const text = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  t.same(JSON.parse(text), ['function', false, true])
})
