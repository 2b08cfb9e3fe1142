import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { groupFiles } from '../../scripts/tests/group-files.ts'
import { runFile } from '../../scripts/tests/run-file.ts'
import { runGroup } from '../../scripts/tests/run-group.ts'
import { ROOT } from '../repo/source-files.ts'

/** The run itself, over test files of its own. Within the repo, as all test files are. */
const folder = join(ROOT, 'node_modules/.cache', `svc-run-tests-${process.pid}`)
mkdirSync(folder, { recursive: true })
t.teardown(() => rmSync(folder, { recursive: true }))

const write = (name: string, body: string): string => {
  const path = join(folder, `${name}.test.ts`)
  writeFileSync(path, `import t from 'tap'\n${body}`)
  return relative(ROOT, path)
}
const run = (name: string, body: string, env: NodeJS.ProcessEnv = {}, timeoutMs = 60_000) =>
  runFile(write(name, body), { timeoutMs, job: 7, env: { ...process.env, ...env } })

t.test('a test file is reported as passed, failed or skipped, with reasons', async (t) => {
  const passes = await run('passes', "t.test('x', async (t) => { t.ok(1); t.equal(2, 2) })")
  t.match(passes, { word: 'passed', points: 2 })
  t.match(await run('nothing', 'export {}'), { word: 'failed', reasons: ['asserts nothing'] })
  const broken = await run('broken', "import './none.ts'")
  t.match(broken, { word: 'failed', reasons: [/ended with exit code 1/, /Cannot find module .*none\.ts/] })
  const ends = await run('ends', "t.test('x', async (t) => { t.ok(1); process.kill(process.pid, 'SIGKILL') })")
  t.equal(ends.word, 'failed')
  const leaves = 't.ok(1)\nsetTimeout(() => process.exit(0), 10)\nawait new Promise((d) => setTimeout(d, 500))\nt.ok(0)'
  const left = await run('leaves', leaves)
  t.match(left, { word: 'failed', reasons: [/exit code 1/, /process\.exit\(\) ended this test file/] })
  const todo = await run('todo', "t.ok(1)\nt.test('one without a body')")
  t.match(todo, { word: 'failed', reasons: [/one without a body\n {2}todo/] })
  const skips = "t.ok(1)\nt.test('x', { skip: true }, async (t) => t.ok(1))"
  t.match(await run('skips', skips, { SVC_TEST_REQUIRE: undefined }), { word: 'passed', skipped: 1 })
  const lacks = await run('lacks', skips, { SVC_TEST_REQUIRE: 'all' })
  t.match(lacks, { word: 'failed', reasons: [/1 skipped/] })
  // It waits for ever, and so does what it started.
  const spawns = `import { spawn } from 'node:child_process'
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    t.test('x', async (t) => { t.comment('child ' + child.pid); await new Promise(() => setInterval(() => {}, 1000)) })`
  const late = await run('late', spawns, {}, 3000)
  t.match(late, { word: 'timed out' })
  t.match(late.reasons.join('\n'), /ran out of its time/)
  // Long enough to have begun, on a machine of any speed.
  const bound = Math.round(passes.seconds * 3000) + 1000
  const waits = `t.setTimeout(${bound * 10})
    t.test('x', async (t) => { await new Promise((done) => setTimeout(done, ${bound})); t.ok(1) })`
  const longer = await run('longer', waits, {}, bound)
  t.equal(longer.word, 'passed', 'a file may take more time than others')
})

t.test('files in one process: each is judged by itself', async (t) => {
  const group = (files: Readonly<Record<string, string>>, timeoutMs = 60_000) => {
    const paths = Object.entries(files).map(([name, body]) => write(name, body))
    return runGroup(paths, { timeoutMs, job: 8, env: process.env, lingerMs: 1000 })
  }
  const pid = "t.test('x', async (t) => t.ok(process.pid))"
  const results = await group({
    one: pid,
    fails: "t.test('sum', async (t) => t.equal(1 + 1, 3))",
    // It goes on after its last line, as a file that waits for one test to name the next.
    late: "const go = async () => { await t.test('a', async (t) => t.ok(1)); await t.test('b', async (t) => t.ok(2)) }\nvoid go()",
    broken: "import './none.ts'",
    nothing: 'export {}',
    leaves: "t.test('x', async (t) => { process.env['SVC_LEFT'] = '1'; t.ok(1) })",
    after: "t.test('x', async (t) => t.equal(process.env['SVC_LEFT'], undefined))",
  })
  const words = results.map(({ file, word }) => `${file.slice(file.lastIndexOf('/') + 1, -8)} ${word}`)
  t.strictSame(words, [
    'one passed',
    'fails failed',
    'late passed',
    'broken failed',
    'nothing failed',
    'leaves failed',
    'after passed',
  ])
  const [, fails, late, broken, nothing, leaves] = results
  t.match(fails!.reasons.join(), /sum > should be equal/)
  t.equal(late!.points, 2)
  t.match(broken!.reasons.join(), /Cannot find module .*none\.ts/)
  t.match(nothing!.reasons.join(), /asserts nothing/)
  t.match(leaves!.reasons.join(), /leaves process\.env\.SVC_LEFT/)

  // One that does not come to its end takes nobody with it.
  const ended = await group({
    before: pid,
    dies: "t.test('x', async (t) => { t.ok(1); process.kill(process.pid, 'SIGKILL') })",
    next: pid,
    another: pid,
  })
  t.strictSame(
    ended.map(({ word }) => word),
    ['passed', 'failed', 'passed', 'passed'],
  )
  const bound = Math.round(ended[0]!.seconds * 3000) + 3000
  const stuck = await group({ first: pid, stuck: "t.test('x', async () => { for (;;); })", last: pid }, bound)
  t.strictSame(
    stuck.map(({ word }) => word),
    ['passed', 'timed out', 'passed'],
  )
  const open = await group({
    opens: "import { createServer } from 'node:net'\nt.test('x', async (t) => { createServer().listen(0); t.ok(1) })",
    behind: pid,
  })
  t.match(open[1], { word: 'timed out', reasons: [/opens\.test\.ts: .*TCPServerWrap/] })
})

t.test('which files share a process', async (t) => {
  const plain = 'import t from "tap"'
  const root = t.testdir({
    test: {
      a: { 'one.test.ts': plain, 'two.test.ts': plain, 'memory.test.ts': 'const { rss } = process.memoryUsage()' },
      b: { c: { 'one.test.ts': plain }, 'long.test.ts': 't.setTimeout(600_000)', 'short.test.ts': plain },
    },
  })
  const files = ['a/memory', 'a/one', 'b/c/one', 'a/two', 'b/long', 'b/short'].map((name) => `test/${name}.test.ts`)
  const groups = groupFiles(root, files).map((group) => group.map((file) => file.slice(5, -8)).join())
  t.strictSame(groups, ['a/memory', 'a/one,a/two', 'b/c/one,b/short', 'b/long'])
  for (let n = 0; n < 15; n++) writeFileSync(join(root, `test/a/n${n}.test.ts`), plain)
  const many = Array.from({ length: 15 }, (_, n) => `test/a/n${n}.test.ts`)
  t.strictSame(
    groupFiles(root, many).map(({ length }) => length),
    [10, 5],
  )
})

t.test(
  'properties: one seed for all runs, another where it is asked for, and as many cases as are asked for',
  async (t) => {
    // Seen from within our own tests: what this process got as fast-check.
    const probe = (env: NodeJS.ProcessEnv): string => {
      const body = `import fc from 'fast-check'
      const seen = []
      fc.assert(fc.property(fc.integer(), (n) => void seen.push(n)), { numRuns: 3 })
      console.log(JSON.stringify([seen, fc.sample(fc.integer(), 2)]))`
      const path = join(ROOT, 'test/scripts', `probe-${process.pid}.ts`)
      writeFileSync(path, body)
      try {
        const loader = new URL('../../scripts/tests/loader/register.js', import.meta.url).href
        const ran = spawnSync(process.execPath, ['--import', loader, path], {
          encoding: 'utf8',
          env: { ...process.env, ...env },
        })
        return ran.stdout || ran.stderr
      } finally {
        rmSync(path)
      }
    }
    const usual = probe({ SVC_TEST_SEED: undefined, SVC_TEST_TIMES: undefined })
    t.equal(JSON.parse(usual)[0].length, 3)
    t.equal(probe({ SVC_TEST_SEED: undefined, SVC_TEST_TIMES: undefined }), usual)
    const other = probe({ SVC_TEST_SEED: '7', SVC_TEST_TIMES: '5' })
    t.equal(JSON.parse(other)[0].length, 15)
    t.not(JSON.stringify(JSON.parse(other)[0].slice(0, 3)), JSON.stringify(JSON.parse(usual)[0]))
  },
)
