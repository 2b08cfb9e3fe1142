import t from 'tap'
import { listFiles, read } from './source-files.ts'
import { weakPatternsOf } from './weak-patterns.ts'

t.test('no pattern of t.match is so short that nearly every value has it', async (t) => {
  const files = listFiles('test', '.ts')
  t.ok(files.length > 400)
  const found = files.flatMap((file) => weakPatternsOf(read(file)).map(({ line, text }) => `${file}:${line}: ${text}`))
  t.strictSame(found, [], 'a text is found anywhere in a value: write /^1$/, or compare with t.equal or t.strictSame')
})

t.test('the check finds short texts wherever they stand in the pattern, and nothing else', async (t) => {
  // Put together here, so that this file is not what it looks for.
  const call = (args: string): string => `${'t'}.match(${args})`
  const textsOf = (args: string) => weakPatternsOf(call(args)).map(({ text }) => text)
  t.strictSame(textsOf(`a, '1'`), [`'1'`])
  t.strictSame(textsOf(`ask('1', "2"), { a: '12', b: [{ 'c': "x" }] }, 'it'`), [`'12'`, `"x"`])
  t.strictSame(textsOf('a, { b: /a/, c: /^:/, d: /^1$/, e: /[,)]x/ }'), ['/a/', '/^:/'])
  t.strictSame(textsOf(`a, { b: 'abc', c: '', d: of('1'), e: \`\${x}\`, f: 1 /* '2' */ } // '3'`), [])
  t.strictSame(textsOf(`a, [\n 'z' as const,\n]`), [`'z'`])
  t.strictSame(
    weakPatternsOf(`x\n${call(`a, 'b'`)}`).map(({ line }) => line),
    [2],
  )
})
