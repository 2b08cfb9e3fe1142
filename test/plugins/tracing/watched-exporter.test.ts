import t from 'tap'
import { watchExporter } from '../../../plugins/tracing/watched-exporter.ts'

t.test('a collector that is away is said once, and once more when it is back', (t) => {
  const said: unknown[] = []
  let code = 0
  const exporter = {
    export: (_spans: unknown, done: (result: { code: number; error?: Error }) => void) =>
      done(code === 0 ? { code } : { code, error: new Error('away') }),
    shutdown: async () => {},
  }
  const watched = watchExporter(exporter as never, {
    exported: (spans) => said.push(['exported', spans]),
    lost: (spans, error, isNews) => said.push(['lost', spans, error?.message, isNews]),
    recovered: () => said.push(['recovered']),
  })
  const send = (count: number, next: number): void => {
    code = next
    watched.export(Array(count).fill({}) as never, (result) => t.equal(result.code, 0, 'the SDK hears of no failure'))
  }
  send(1, 0)
  send(2, 1)
  send(3, 1)
  send(4, 0)
  send(5, 1)
  t.same(said, [
    ['exported', 1],
    ['lost', 2, 'away', true],
    ['lost', 3, 'away', false],
    ['exported', 4],
    ['recovered'],
    ['lost', 5, 'away', true],
  ])
  t.end()
})
