import t from 'tap'
import { DurationHistogram, histogramMetric } from '../../../plugins/metrics/duration-histogram.ts'
import { readMetrics, renderMetrics } from '../../../plugins/metrics/render-metrics.ts'
import { metricsIn } from './read-metrics.ts'

const NONE = () => null

/** As if it had taken so many seconds. */
function observe(histogram: DurationHistogram, ...seconds: readonly number[]): void {
  for (const each of seconds) histogram.since(performance.now() - each * 1000)
}

t.test('buckets hold all that is not longer, the last one everything', async (t) => {
  const [query, mutation] = [new DurationHistogram(NONE), new DurationHistogram(NONE)]
  observe(query, 0.0001, 0.002, 0.002, 0.3, 31, 3600)
  const metric = histogramMetric('svc_seconds', 'How "long"\nit took.', 'kind', { query, mutation })
  const text = await renderMetrics([readMetrics([metric], null)])
  t.match(text, '# HELP svc_seconds How "long"\\nit took.\n# TYPE svc_seconds histogram\n')
  const seen = metricsIn(text)
  const below = (le: string) => seen.get(`svc_seconds_bucket{le="${le}",kind="query"}`)
  t.same(['0.001', '0.0025', '0.25', '0.5', '30', '+Inf'].map(below), [1, 3, 3, 4, 4, 6])
  t.equal(seen.get('svc_seconds_count{kind="query"}'), 6)
  t.ok(Math.abs(seen.get('svc_seconds_sum{kind="query"}')! - 3631.3041) < 0.5)
  t.equal(seen.get('svc_seconds_count{kind="mutation"}'), 0, 'what has not happened yet is there, as 0')
  t.equal(seen.get('svc_seconds_bucket{le="+Inf",kind="mutation"}'), 0)
})

t.test('workers: each has its label, nothing is added up', async (t) => {
  const one = (value: number) => ({
    name: 'svc_things',
    help: 'Things.',
    type: 'gauge' as const,
    read: () => [{ labels: { size: 'l' }, value }],
  })
  const text = await renderMetrics([readMetrics([one(3)], 1), readMetrics([one(4)], 2)])
  t.equal(text.match(/# TYPE/g)!.length, 1)
  t.same(Object.fromEntries(metricsIn(text)), {
    'svc_things{size="l",worker="1"}': 3,
    'svc_things{size="l",worker="2"}': 4,
  })
})

t.test('OpenMetrics: counters lose _total in their head, the latest trace of a bucket stands behind it', async (t) => {
  let trace: string | null = 'aa'
  const histogram = new DurationHistogram(() => (trace === null ? null : { trace_id: trace }))
  observe(histogram, 0.002, 3)
  trace = 'bb'
  observe(histogram, 0.002)
  trace = null
  observe(histogram, 0.002, 0.3)
  const counter = {
    name: 'svc_things_total',
    help: 'Things.',
    type: 'counter' as const,
    read: () => [{ labels: {}, value: 2 }],
  }
  const readings = [readMetrics([histogramMetric('svc_seconds', 'Long.', 'kind', { query: histogram }), counter], 1)]
  // As it comes from another worker.
  const text = await renderMetrics(
    [...readings, JSON.parse(JSON.stringify(readings).replaceAll('"1"', '"2"'))[0]],
    'openmetrics',
  )
  t.match(text, /^# TYPE svc_things counter\nsvc_things_total\{worker="1"\} 2\nsvc_things_total\{worker="2"\} 2$/m)
  t.match(text, /le="0.0025",kind="query",worker="2"\} 3 # \{trace_id="bb"\} 0\.00\d+ \d{10}/)
  t.match(text, /le="5",kind="query",worker="1"\} 5 # \{trace_id="aa"\} 3\./)
  t.match(text, /le="0.5",kind="query",worker="1"\} 4$/m, 'what is in no trace shows none')
  t.equal(text.match(/^# TYPE svc_seconds histogram$/gm)?.length, 1)
  t.ok(text.endsWith('\n# EOF\n'))
  t.notMatch(text, /\n\n/)
})
