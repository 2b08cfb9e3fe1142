import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { renderBarChart } from '../../bench/lib/bar-chart.ts'
import { renderReport } from '../../bench/lib/render-report.ts'
import { spliceParts } from '../../bench/lib/splice.ts'
import { ROOT } from '../repo/source-files.ts'

t.test('parts go between their markers, again and again', async (t) => {
  const page = 'Before\n\n<!-- bench:a -->\nold\n<!-- /bench:a -->\n\nAfter\n'
  const once = spliceParts(page, new Map([['a', 'new $& text']]))
  t.equal(once, 'Before\n\n<!-- bench:a -->\n\nnew $& text\n\n<!-- /bench:a -->\n\nAfter\n')
  t.equal(spliceParts(once, new Map([['a', 'new $& text']])), once)
  t.throws(() => spliceParts(page, new Map()), /nothing is generated for the markers of "a"/)
  t.throws(
    () =>
      spliceParts(
        page,
        new Map([
          ['a', ''],
          ['b', ''],
        ]),
      ),
    /no markers for "b"/,
  )
})

t.test('a chart is XML that stands alone', async (t) => {
  const svg = renderBarChart({
    title: 'Apples & <pears>',
    axis: 'per day',
    groups: ['W1', 'W2'],
    series: [
      { name: 'one', values: [1, 2.4] },
      { name: 'two', values: [0.5, null] },
    ],
    reference: 1,
    describe: ({ name, values }, group) => `${name}: ${values[group]}`,
  })
  t.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
  t.match(svg, /Apples &amp; &lt;pears&gt;/)
  t.equal(svg.match(/<title>(one|two): /g)?.length, 3, 'a bar per value')
  const heights = [...svg.matchAll(/height="([\d.]+)" fill="#0d7f5f"><title>/g)].map((match) => Number(match[1]))
  t.ok(Math.abs(heights[1]! / heights[0]! - 2.4) < 0.01, 'as high as the value')
  t.match(svg, /prefers-color-scheme: dark/)
  t.notMatch(svg, /NaN|undefined|<script|href/)
})

t.test('the page and the plot show the results that are kept', async (t) => {
  for (const { path, content } of renderReport()) {
    t.ok(existsSync(join(ROOT, path)), path)
    t.equal(readFileSync(join(ROOT, path), 'utf8'), content, `${path}: npm run bench:report`)
  }
})
