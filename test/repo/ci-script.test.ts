import t from 'tap'
import { read } from './source-files.ts'

t.test('the CI script installs each package once', async (t) => {
  const needs = [...read('.ci/run').matchAll(/^need (\S+) (\S+)$/gm)].map(([line]) => line)
  t.ok(needs.length > 10, 'the lines are found')
  t.same(
    needs.filter((line, at) => needs.indexOf(line) !== at),
    [],
  )
})
