import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { dropForeignPlaces } from '../../scripts/tests/drop-foreign-places.ts'

const urlsOf = (folder: string, name: string): readonly string[] =>
  (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] }).result.map(({ url }) => url)

t.test('of processes that translate sources otherwise, only what no test has loaded counts', async (t) => {
  const [own, shared, child] = ['core/app.ts', 'plugins/sqlite/driver.ts', 'plugins/sqlite/child/child.ts'].map(
    (file) => `file:///repo/${file}`,
  )
  const report = (...urls: (string | undefined)[]) =>
    JSON.stringify({
      result: urls.map((url) => ({ scriptId: '1', url, functions: [] })),
      timestamp: 1,
      'source-map-cache': {},
    })
  const folder = t.testdir({
    'test.json': report('file:///repo/scripts/tests/loader/hooks.js', own, shared),
    'child.json': report('file:///repo/node_modules/tsx/dist/loader.js', shared, child),
    'service.json': report(own, shared),
    'build.json': report('file:///repo/dist/plugins/sqlite/child/child.js', 'node:fs'),
  })
  dropForeignPlaces(folder)
  t.strictSame(readdirSync(folder).sort(), ['child.json', 'test.json'])
  t.strictSame(urlsOf(folder, 'child.json'), [child])
  t.equal(urlsOf(folder, 'test.json').length, 3, 'those of tests are left as they are')
  t.ok(readFileSync(join(folder, 'child.json'), 'utf8').includes('source-map-cache'), 'with what maps its places')
})
