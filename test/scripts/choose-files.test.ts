import t from 'tap'
import { chooseFiles } from '../../scripts/tests/choose-files.ts'

const files = () => ({ 'a.test.ts': '', 'helper.ts': '' })

t.test('files, folders and globs', async (t) => {
  const root = t.testdir({
    test: { core: { kernel: files(), engine: { plan: files() } }, e2e: { 'long.test.ts': '' }, 'b.test.ts': '' },
  })
  const all = [
    'test/e2e/long.test.ts',
    'test/b.test.ts',
    'test/core/engine/plan/a.test.ts',
    'test/core/kernel/a.test.ts',
  ]
  t.strictSame(chooseFiles(root, []), all, 'those that take long are first')
  t.strictSame(chooseFiles(root, ['test/b.test.ts']), ['test/b.test.ts'])
  t.strictSame(chooseFiles(root, ['./test/core/engine/plan/']), ['test/core/engine/plan/a.test.ts'])
  t.strictSame(chooseFiles(root, ['test/*.test.ts']), ['test/b.test.ts'])
  t.strictSame(chooseFiles(root, ['test/**/*.test.ts']), all)
  t.strictSame(
    chooseFiles(root, ['test/core/{kernel,engine/plan}/*', 'test/core/engine/plan/a.test.ts']),
    all.slice(2),
    'each once',
  )
  for (const none of ['test/nope.test.ts', 'test/core/kernel/helper.ts', 'x/*']) {
    t.throws(() => chooseFiles(root, [none]), {
      message: `No test file matches ${none}. Test files are test/**/*.test.ts.`,
    })
  }
})
