import t from 'tap'
import { defaultConfig } from '../../../core/config/default-config.ts'
import { mergeTables } from '../../../core/config/key-path.ts'
import { load } from './helpers.ts'

t.test('the default configuration is the one that an empty svc.toml gives', async (t) => {
  const { config } = await load(t, '', { catalog: () => ({ manifests: [] }) })
  t.strictSame(defaultConfig(), config)
  t.equal(config.svc.max_rows, 10_000)
  t.ok(Object.isFrozen(defaultConfig().server.tls))
})

t.test('tables merge key by key, and everything else replaces what is below', async (t) => {
  const base = { a: { b: 1, c: { d: 2 } }, list: [1, 2], e: 1 }
  const over = { a: { c: { f: 3 }, b: { g: 4 } }, list: [3], e: {} }
  t.strictSame(mergeTables(base, over), { a: { b: { g: 4 }, c: { d: 2, f: 3 } }, list: [3], e: {} })
  t.strictSame(base, { a: { b: 1, c: { d: 2 } }, list: [1, 2], e: 1 })
})
