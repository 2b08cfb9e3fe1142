import t from 'tap'
import { MetricsRegistry } from '../../../../core/service/signals/metrics-registry.ts'

function createStockMetrics() {
  const registry = new MetricsRegistry()
  registry.declare('stock', {
    stock_sold_total: { type: 'counter', help: 'Sold.' },
    stock_asked_total: { type: 'counter', help: 'Asked.', labels: ['kind'] },
    stock_seconds: { type: 'histogram', help: 'Time.', buckets: [1, 2] },
    stock_size: { type: 'gauge', help: 'Size.' },
  })
  const read = (name: string) =>
    registry
      .collect()
      .find((metric) => metric.name === name)!
      .read()
  return { registry, read }
}

t.test('nothing is counted before metrics are exposed', async (t) => {
  const { registry, read } = createStockMetrics()
  const sold = registry.counter('stock', 'stock_sold_total')()
  const seconds = registry.histogram('stock', 'stock_seconds')()
  sold.add()
  seconds.observe(1)
  t.same(read('stock_sold_total'), [{ labels: {}, value: 0 }])
  sold.add()
  sold.add(2)
  t.same(read('stock_sold_total'), [{ labels: {}, value: 3 }])
  for (const value of [0.5, 1, 1.5, 9]) seconds.observe(value)
  t.same(
    read('stock_seconds').map(({ metricName, labels, value }) => [metricName, labels.le ?? null, value]),
    [
      ['stock_seconds_bucket', 1, 2],
      ['stock_seconds_bucket', 2, 3],
      ['stock_seconds_bucket', '+Inf', 4],
      ['stock_seconds_sum', null, 12],
      ['stock_seconds_count', null, 4],
    ],
  )
})

t.test('labels: a series per value, and a bound', async (t) => {
  const { registry, read } = createStockMetrics()
  const asked = registry.counter('stock', 'stock_asked_total')
  t.same(read('stock_asked_total'), [])
  asked('a').add()
  asked('a').add()
  t.equal(asked('a'), asked('a'))
  for (let i = 0; i < 1100; i++) asked(`k${i}`).add()
  const samples = read('stock_asked_total')
  t.equal(samples.length, 1001)
  t.same(samples[0], { labels: { kind: 'a' }, value: 2 })
  t.same(samples.at(-1), { labels: { kind: '(other)' }, value: 101 })
  t.throws(() => asked(), { code: 'SVC_METRIC_INVALID', message: /takes a value for each of kind; 0 were given/ })
  const sold = registry.counter('stock', 'stock_sold_total')
  t.throws(() => sold('x'), { message: /takes no labels; 1 were given/ })
})

t.test('a gauge is read on collection', async (t) => {
  const { registry, read } = createStockMetrics()
  t.same(read('stock_size'), [], 'nobody gives it')
  registry.gauge('stock', 'stock_size', () => 7)
  t.same(read('stock_size'), [{ labels: {}, value: 7 }])
  registry.gauge('stock', 'stock_size', () => [{ labels: { shelf: 'a' }, value: 1 }])
  t.same(read('stock_size'), [{ labels: { shelf: 'a' }, value: 1 }])
})

t.test('only what the own manifest declares, as what it declares', async (t) => {
  const { registry } = createStockMetrics()
  const invalid = (work: () => unknown, message: RegExp) => t.throws(work, { code: 'SVC_METRIC_INVALID', message })
  invalid(() => registry.counter('stock', 'stock_solds_total'), /Did you mean "stock_sold_total"\? Declared: /)
  invalid(() => registry.counter('other', 'stock_sold_total'), /"other" uses .* It declares none\./)
  invalid(() => registry.histogram('stock', 'stock_size'), /uses "stock_size" as a histogram; .* declares a gauge/)
})
