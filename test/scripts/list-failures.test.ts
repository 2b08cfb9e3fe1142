import t from 'tap'
import { listFailures } from '../../scripts/list-failures.ts'

const point = (number: number, name: string, facts: string) =>
  `not ok ${number} - ${name} # time=1.5ms\n  ---\n  cwd: /x\n${facts}  exitCode: 1\n  ...\n\n`

t.test('every file that failed, and which of them ran out of time', async (t) => {
  const tap = `TAP version 14
1..4
# Subtest: test/a.test.ts
    not ok 1 - something within
      ---
      expired: TAP
      ...
${point(1, 'test/a.test.ts', '  signal: null\n')}ok 2 - test/fine.test.ts # time=2ms
${point(3, 'test/b.test.ts', '  signal: SIGALRM\n')}${point(4, 'test/c.test.ts', '  signal: SIGKILL\n')}not ok 5 - timeout!
  ---
  expired: test/d.test.ts
  ...

not ok 6 - timeout!
  ---
  expired: test/c.test.ts
  ...
`
  t.equal(
    listFailures(tap),
    'failed: test/a.test.ts\ntimed out: test/b.test.ts\ntimed out: test/c.test.ts\ntimed out: test/d.test.ts\n',
  )
  t.equal(listFailures('TAP version 14\nok 1 - test/fine.test.ts\n'), '')
})
