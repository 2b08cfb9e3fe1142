import t from 'tap'
import type { Manifest } from '../../../core/contract/manifest.ts'
import { faultsOf, load } from './helpers.ts'

/** A plugin whose options have other names. */
const MANIFEST: Manifest = {
  name: 'limits',
  version: '1.0.0',
  kernelApi: 1,
  description: 'Limits.',
  config: 'security.limits',
  aliases: { 'security.old.limits_enabled': 'enabled', 'security.old.most': 'most' },
  options: {
    type: 'object',
    properties: {
      enabled: { type: 'boolean', default: false, description: 'Adds it.' },
      most: { type: 'integer', minimum: 1, default: 10, description: 'Most.' },
    },
  },
}
const catalog = () => ({ manifests: [MANIFEST], presetDefaults: { security: { limits: { most: 3 } } } })

t.test('a value under another name counts, and stays where it is', async (t) => {
  const { config, sources } = await load(t, '[security.old]\nlimits_enabled = true\nmost = 20\n', { catalog })
  t.match(config, { security: { limits: { enabled: true, most: 20 }, old: { limits_enabled: true, most: 20 } } })
  t.match(sources.get('security.limits.most'), { layer: 'file', place: 'svc.toml:3' }, 'over what the preset says')
  const byVariable = await load(t, '', { catalog, env: { SVC_SECURITY__OLD__MOST: '7' } })
  t.match(byVariable.config, { security: { limits: { most: 7 } } })
  const none = await load(t, '', { catalog })
  t.match(none.config, { security: { limits: { enabled: false, most: 3 }, old: {} } })
})

t.test('two names that differ, and values that do not fit', async (t) => {
  const both = await faultsOf(t, '[security.old]\nmost = 5\n[security.limits]\nmost = 6\n', { catalog })
  t.same(both, [
    'svc.toml:2: security.old.most is another name of security.limits.most, which says otherwise (svc.toml:4); keep one of them.',
  ])
  t.match((await load(t, '[security.old]\nmost = 5\n[security.limits]\nmost = 5\n', { catalog })).config, {
    security: { limits: { most: 5 } },
  })
  const wants = 'security.old.most wants a whole number of at least 1, got 0.'
  t.same(await faultsOf(t, '[security.old]\nmost = 0\n', { catalog }), [`svc.toml:2: ${wants}`], 'once')
  const port = { flag: '--port', key: 'security.limits.enabled', value: 'true' }
  t.same(
    await faultsOf(t, '', { catalog, env: { SVC_SECURITY__OLD__MOST: '0' }, flags: [port] }),
    [`SVC_SECURITY__OLD__MOST: ${wants}`],
    'with its own place, not that of a neighbour',
  )
  t.match(await faultsOf(t, '[security.old]\nmoost = 1\n', { catalog }), [/Did you mean "most"/])
})
