import t from 'tap'
import type { Manifest } from '../../../core/contract/manifest.ts'
import { faultsOf, MANIFESTS } from './helpers.ts'

/** An option that is a choice: a word, or one of two tables told apart by `kind`. */
const table = (kind: string, properties: object) => ({
  type: 'object',
  additionalProperties: false,
  required: ['kind'],
  properties: { kind: { const: kind }, ...properties },
})
const keep = { type: 'object', additionalProperties: false, properties: { days: { type: 'integer' } } }
const cache: Manifest = {
  name: 'cache',
  version: '1.0.0',
  kernelApi: 1,
  description: 'A cache.',
  config: 'cache',
  options: {
    type: 'object',
    properties: {
      store: {
        description: '"memory" or a table of a store',
        anyOf: [
          { enum: ['memory'] },
          table('redis', { url: { type: 'string' }, prefix: { type: 'string' } }),
          table('file', { path: { type: 'string' }, keep }),
        ],
      },
    },
  },
}
const WANT = 'cache.store wants "memory" or a table of a store'
const TABLE: readonly (readonly [toml: string, fault: RegExp | string])[] = [
  ['kind = "redis"\nprefixx = "a"', 'svc.toml:3: there is no key "prefixx" in [cache.store]. Did you mean "prefix"?'],
  ['kind = "file"\nprefix = "a"', /^svc\.toml:3: there is no key "prefix" in \[cache\.store\]/],
  ['prefixx = "a"', 'svc.toml:2: there is no key "prefixx" in [cache.store]. Did you mean "prefix"?'],
  [
    'kind = "file"\n[cache.store.keep]\ndasy = 1',
    'svc.toml:4: there is no key "dasy" in [cache.store.keep]. Did you mean "days"?',
  ],
  ['kind = "file"\npath = 1', `svc.toml:1: ${WANT}, got a table.`],
  ['kind = "memcached"\nurl = "a"', `svc.toml:1: ${WANT}, got a table.`],
]

for (const [toml, expected] of TABLE) {
  t.test(toml, async (t) => {
    const manifests = [...MANIFESTS, cache]
    const faults = await faultsOf(t, `[cache.store]\n${toml}`, { catalog: () => ({ manifests }) })
    t.equal(faults.length, 1)
    if (typeof expected === 'string') t.equal(faults[0], expected)
    else t.match(faults[0], expected)
  })
}
