import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { Steps } from '../../../../core/cli/introspect/steps.ts'

function createTerminal(isTerminal = true) {
  const written: string[] = []
  return { written, io: { isTerminal, stderr: (text: string) => void written.push(text) } }
}

t.test('a step that takes longer than 400 ms shows a bar with its name, and removes it at its end', async (t) => {
  const { written, io } = createTerminal()
  const steps = new Steps(io, 4)
  t.equal(await steps.run('Connecting', async () => 'result'), 'result')
  t.same(written, [], 'a short step shows nothing')
  await steps.run('Reading the catalog', () => wait(700))
  t.equal(written[0]!.slice(0, 4), '\r\x1b[K', 'it clears the line')
  t.match(written[0]!.slice(4), /^\[={5} {15}\] Reading the catalog … 0\.\d s$/, 'one of four steps is done')
  t.ok(written.length >= 3, 'it is drawn again')
  t.equal(written.at(-1), '\r\x1b[K')
})

t.test('a step that blocks the process shows its bar before it begins', async (t) => {
  const { written, io } = createTerminal()
  const steps = new Steps(io, 2)
  await steps.run('Reading the catalog', () => wait(450))
  written.length = 0
  await steps.run('Compiling the schema', async () => t.match(written.join(''), /\[={10} {10}\] Compiling the schema/))
  t.equal(written.at(-1), '\r\x1b[K')
})

t.test('a failed step removes its bar, too', async (t) => {
  const { written, io } = createTerminal()
  await t.rejects(
    new Steps(io, 2).run('Connecting', async () => {
      await wait(450)
      throw new Error('no database')
    }),
    /no database/,
  )
  t.equal(written.at(-1), '\r\x1b[K')
})

t.test('nothing is shown in a pipe, and with --quiet', async (t) => {
  for (const [isTerminal, isQuiet] of [
    [false, false],
    [true, true],
  ] as const) {
    const { written, io } = createTerminal(isTerminal)
    await new Steps(io, 2, isQuiet).run('Connecting', () => wait(700))
    t.same(written, [])
  }
})
