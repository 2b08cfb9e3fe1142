import fc from 'fast-check'
import t from 'tap'
import type { Manifest } from '../../../core/contract/manifest.ts'
import { faultsOf } from '../../../core/kernel/faults.ts'
import { orderPlugins } from '../../../core/kernel/order.ts'
import { emptySchema } from '../../../core/testing/testing.ts'
import { boot, entry, failure, plugin } from '../../helpers/kernel.ts'

const listed = (name: string, manifest: Partial<Manifest> = {}) => ({
  manifest: plugin(name, undefined, manifest).manifest,
  source: 'test',
})
const names = (list: readonly { manifest: Manifest }[]) => list.map(({ manifest }) => manifest.name)

t.test('plugins that are in order already stay in place', async (t) => {
  const { order, faults } = orderPlugins([listed('c'), listed('a'), listed('b')])
  t.same(names(order), ['c', 'a', 'b'])
  t.same(faults, [])
})

t.test('hard and soft dependencies move; a soft one may be absent', async (t) => {
  const list = [
    listed('a', { dependencies: ['d'] }),
    listed('b', { after: ['c', 'absent'] }),
    listed('c'),
    listed('d'),
    listed('e', { before: ['a', 'absent'] }),
  ]
  t.same(names(orderPlugins(list).order), ['d', 'e', 'a', 'c', 'b'])
  t.same(orderPlugins(list).faults, [])
})

t.test('a cycle prints its path', async (t) => {
  const error = await failure(() =>
    boot([
      plugin('x', undefined, { dependencies: ['a'] }),
      plugin('a', undefined, { dependencies: ['b'] }),
      plugin('b', undefined, { after: ['c'] }),
      plugin('c', undefined, { dependencies: ['a'] }),
    ]),
  )
  t.equal(error.code, 'SVC_BOOT_FAILED')
  t.match(error.message, 'a -> b -> c -> a')
  t.notMatch(error.message, 'x -> ')
})

t.test('all faults of one boot come together', async (t) => {
  const error = await failure(() =>
    boot(
      [
        plugin('mcp', undefined, { dependencies: ['rest'] }),
        plugin('sse', undefined, { dependencies: ['subscripions'] }),
        plugin('old', undefined, { kernelApi: 0 }),
        entry(plugin('twin'), {}, 'preset standard'),
        entry(plugin('twin'), {}, 'use ./twin.ts'),
        entry(plugin('cors', undefined, { options: { properties: { origins: { type: 'array' } } } }), { origin: [] }),
        plugin('one', undefined, { dependencies: ['two'] }),
        plugin('two', undefined, { dependencies: ['one'] }),
      ],
      {
        known: [
          { name: 'rest', howToEnable: 'write enable = ["rest"] under [plugins]' },
          { name: 'subscriptions', howToEnable: 'x' },
        ],
        schema: { ...emptySchema(), requires: ['mcp', 'scopes'] },
      },
    ),
  )
  t.same(
    faultsOf(error)
      .map(({ code, plugin }) => [code, plugin])
      .sort(),
    [
      ['SVC_PLUGIN_API_MISMATCH', 'old'],
      ['SVC_PLUGIN_CYCLE', 'one'],
      ['SVC_PLUGIN_DUPLICATE', 'twin'],
      ['SVC_PLUGIN_MISSING_DEPENDENCY', 'mcp'],
      ['SVC_PLUGIN_MISSING_DEPENDENCY', 'sse'],
      ['SVC_PLUGIN_OPTIONS', 'cors'],
      ['SVC_SCHEMA_REQUIRES', null],
    ],
  )
  for (const { message } of faultsOf(error)) t.ok(error.message.includes(message), 'the text lists it')
  t.match(error.message, 'To have it: write enable = ["rest"] under [plugins].')
  t.match(error.message, 'No plugin of that name is known. Did you mean "subscriptions"?')
  t.match(error.message, 'from preset standard and from use ./twin.ts')
  t.match(error.message, 'unknown option `origin`. Did you mean "origins"?')
  t.match(error.message, 'written for kernel API 0; this is 1')
  t.match(error.message, 'relies on plugin "scopes", which is not running')
})

t.test('one fault is one line', async (t) => {
  const error = await failure(() => boot([plugin('a', undefined, { kernelApi: 2 })]))
  t.match(error.message, /^Boot found a fault:\n {2}- Plugin "a" .* \(SVC_PLUGIN_API_MISMATCH\)$/)
  t.same(faultsOf(new Error('other')), [])
})

t.test('property: every edge is kept, and nothing is lost', async () => {
  const graph = fc.array(fc.array(fc.nat(20), { maxLength: 4 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(graph, fc.infiniteStream(fc.boolean()), (edges, hard) => {
      // Edges point to lower numbers only, so that there is no cycle; the list is given the other way round.
      const list = edges
        .map((targets, i) => {
          const lower = [...new Set(targets.filter((target) => target < i).map((target) => `p${target}`))]
          const isHard = hard.next().value as boolean
          return listed(`p${i}`, isHard ? { dependencies: lower } : { after: lower })
        })
        .reverse()
      const { order, faults } = orderPlugins(list)
      if (faults.length > 0 || order.length !== list.length) throw new Error('lost')
      const place = new Map(names(order).map((name, i) => [name, i]))
      for (const { manifest } of order)
        for (const earlier of [...(manifest.dependencies ?? []), ...(manifest.after ?? [])])
          if (place.get(earlier)! > place.get(manifest.name)!) throw new Error(`${earlier} after ${manifest.name}`)
    }),
  )
})
