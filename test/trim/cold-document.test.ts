import { readdirSync, readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import { createPglite } from '../helpers/databases.ts'
import { openApp } from '../helpers/open-app.ts'
import { ROOT } from '../repo/source-files.ts'

const EXAMPLE = join(ROOT, 'examples', 'chinook')

/** Highest permitted numbers. They may only fall. */
const MOST_FILES = 114
const MOST_FUNCTIONS = 450

/**
 * Two documents of the same types: lists with a relation, a filter and variables. The first makes all that is made once per
 * type.
 */
const FIRST = `query First($text: String, $limit: Int) {
  artists(where: { name: { _ilike: $text } }, limit: $limit) { id name albums { title } }
  albums(where: { title: { _eq: $text } }, limit: $limit) { id artist { id } }
}`
const SECOND = `query Second($text: String, $limit: Int) {
  albums(where: { title: { _ilike: $text } }, limit: $limit) { id title artist { name } }
}`

function readExample() {
  const files = readdirSync(join(EXAMPLE, 'db')).filter((file) => file.endsWith('.sql'))
  return {
    sql: files
      .toSorted()
      .map((file) => readFileSync(join(EXAMPLE, 'db', file), 'utf8'))
      .join('\n'),
    schema: JSON.parse(readFileSync(join(EXAMPLE, 'schema.json'), 'utf8')) as AuthoredSchema,
  }
}

/** Counts the calls of functions in this process from now on. */
async function countCalls(t: Test): Promise<Session> {
  const session = new Session()
  session.connect()
  t.teardown(() => session.disconnect())
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return session
}

/** Functions of core and plugins that were called since the last call, by file. */
async function takeCalled(session: Session): Promise<ReadonlyMap<string, readonly string[]>> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const called = new Map<string, readonly string[]>()
  for (const { url, functions } of result) {
    if (!url.startsWith('file:')) continue
    const file = relative(ROOT, fileURLToPath(url.split('?')[0]!))
    const names = functions.flatMap(({ functionName, ranges }) => (ranges[0]!.count > 0 ? [functionName] : []))
    if (/^(?:core|plugins)\//.test(file) && names.length > 0) called.set(file, names)
  }
  return called
}

t.test('a new document runs no more files and functions than before', async (t) => {
  // Reading the counts resets them, for the coverage of the run as well.
  // The step of CI with the newest Node runs the test without it.
  if (process.env.SVC_TEST_COVERAGE !== undefined) return t.pass('a run with coverage')
  const session = await countCalls(t)
  const { sql, schema } = readExample()
  const app = await openApp(t, { kind: 'pglite', url: await createPglite(t, { sql }) }, schema)
  const ask = async (query: string): Promise<void> => {
    const { status, errors } = await app.graphql(query, { text: '%a%', limit: 3 })
    t.strictSame([status, errors], [200, undefined])
  }
  await ask(FIRST)
  // The work of the start that goes on in the background is not that of a document.
  await app.inject({ url: '/health/ready' })
  const counts: { files: number; functions: number }[] = []
  // Timers may fire during one of them.
  for (let n = 1; n <= 5; n++) {
    await takeCalled(session)
    await ask(SECOND.replace('title artist', `title${n}: title artist`))
    const called = await takeCalled(session)
    counts.push({ files: called.size, functions: [...called.values()].flat().length })
  }
  const files = Math.min(...counts.map((each) => each.files))
  const functions = Math.min(...counts.map((each) => each.functions))
  t.comment(`${files} files, ${functions} functions`)
  t.ok(files > 50, 'the calls are counted')
  t.ok(files <= MOST_FILES, `${files} files`)
  t.ok(functions <= MOST_FUNCTIONS, `${functions} functions`)
})
