import t from 'tap'
import { readReport } from '../../scripts/tests/describe-failures.ts'

/** As tap writes it: a property that does not hold within two tests, and a comparison beside it. */
const FAILED = `TAP version 14
# Subtest: outer
    # Subtest: inner
        ok 1 - fine
        not ok 2 - Property failed after 3 tests { seed: 42, path: "0:2" } Counterexample: ["   "]
          ---
          stack: |
            Test.<anonymous> (test/a.test.ts:4:50)
          at:
            fileName: test/a.test.ts
            lineNumber: 4
          cause:
            message: Property failed by returning false
          ...
        1..2
        # failed 1 of 2 tests
    not ok 1 - inner # time=5ms
      ---
      at:
        fileName: test/a.test.ts
      ...

    not ok 2 - one is two
      ---
      diff: |
        -2
        +1
      ...

    1..2
    # failed 2 tests
not ok 1 - outer # time=10ms

1..1
# failed 1 test
`

t.test('each assertion that failed, with the tests it stands in and what was compared', async (t) => {
  const { ok, failures } = readReport(FAILED)
  t.notOk(ok)
  t.equal(failures.length, 2, 'the tests around them are no failures of their own')
  t.match(failures[0], /^outer > inner > Property failed after 3 tests \{ seed: 42.*Counterexample: \[" {3}"\]/)
  t.match(failures[0], /cause: Property failed by returning false[\s\S]*test\/a\.test\.ts:4:50/)
  t.equal(failures[1], 'outer > one is two\n  diff:\n    -2\n    +1')
})

t.test('a report counts passed and skipped assertions, and an empty one has none', async (t) => {
  const passed = readReport(
    'TAP version 14\n# Subtest: x\n    ok 1 - a\n    ok 2 - b # SKIP no server\n    1..2\nok 1 - x\n1..1\n',
  )
  t.match(passed, { ok: true, points: 2, skipped: 1 })
  t.strictSame(passed.failures, [])
  t.match(readReport('TAP version 14\n1..0\n'), { points: 0 })
  t.match(readReport(''), { points: 0 }, 'a process that ended before it said anything')
  t.notOk(readReport('TAP version 14\nok 1 - a\n1..2\n').ok, 'fewer than were planned')
  t.match(readReport('TAP version 14\nok 1 - a\n1..2\n').failures, ['incorrect number of tests'])
})

t.test('a long comparison is cut', async (t) => {
  const lines = Array.from({ length: 500 }, (_, i) => `    +${i}`).join('\n')
  const [failure] = readReport(`not ok 1 - long\n  ---\n  diff: |\n${lines}\n  ...\n1..1\n`).failures
  t.ok(failure!.split('\n').length < 70)
})
