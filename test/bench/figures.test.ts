import t from 'tap'
import { type CpuProfile, renderProfile, selfTimes } from '../../bench/lib/cpu-profile.ts'
import { growthExponent, median, percentile } from '../../bench/lib/stats.ts'
import { formatNumber, numeric, renderTable } from '../../bench/lib/table.ts'

t.test('medians, percentiles, growth', async (t) => {
  t.equal(median([3, 1, 2]), 2)
  t.equal(median([4, 1, 2, 3]), 2.5)
  t.throws(() => median([]), RangeError)
  const hundred = Array.from({ length: 100 }, (_, i) => i + 1)
  t.equal(percentile(hundred, 0.5), 50)
  t.equal(percentile(hundred, 0.99), 99)
  t.throws(() => percentile([], 0.5), RangeError)
  const sizes = [10, 100, 1000]
  for (const power of [0, 1, 2]) {
    const exponent = growthExponent(sizes.map((size) => [size, 3 * size ** power]))
    t.ok(Math.abs(exponent - power) < 1e-9, `${exponent} is ${power}`)
  }
})

t.test('tables line up', async (t) => {
  t.equal(
    renderTable(
      [{ title: 'name' }, ...numeric('n')],
      [
        ['a', formatNumber(1234567)],
        ['longer', formatNumber(1.25, 1)],
      ],
    ),
    ['| name   |         n |', '|--------|----------:|', '| a      | 1 234 567 |', '| longer |       1.3 |'].join('\n'),
  )
})

t.test('self times: only of the measured part, idling left out', async (t) => {
  const frame = (id: number, functionName: string, url = '', lineNumber = -1) => ({
    id,
    callFrame: { functionName, url, lineNumber },
  })
  const profile: CpuProfile = {
    nodes: [
      frame(1, '(idle)'),
      frame(2, 'plan', 'file:///srv/project/dist/core/chunk-A.js', 9),
      frame(3, '', 'file:///srv/project/node_modules/pg/lib/client.js', 4),
      frame(4, 'boot', 'file:///srv/project/dist/core/chunk-A.js', 1),
      frame(5, 'plan', 'file:///srv/project/dist/core/chunk-A.js', 9),
    ],
    startTime: 1000,
    samples: [4, 2, 1, 3, 5, 4],
    timeDeltas: [10, 10, 20, 5, 5, 1000],
  }
  const readChunk = (path: string) => {
    t.equal(path, '/srv/project/dist/core/chunk-A.js')
    return `// core/service/app.ts\n${'\n'.repeat(6)}// core/engine/plan/read.ts\nfunction plan() {}\n`
  }
  const options = { root: '/srv/project/', readChunk }
  const times = selfTimes(profile, { ...options, from: 1015, to: 1100, most: 10 })
  t.strictSame(times, {
    busy: 0.5,
    frames: [
      { name: 'plan', place: 'core/engine/plan/read.ts', share: 0.75 },
      { name: '(anonymous)', place: 'pg/lib/client.js:5', share: 0.25 },
    ],
  })
  t.match(renderProfile({ workload: 'W1', title: 'one row', rps: 10, ...times }), /75\.0 % \| `plan`/)
  t.equal(selfTimes(profile, { ...options, from: 0, to: 2000, most: 1 }).frames.length, 1)
})
