import t from 'tap'
import { DEEPEST_JSON, parseClientJson } from '../../../../core/base/util/client-json.ts'

const lists = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

t.test('JSON of a client is refused below the deepest level, however it is nested', (t) => {
  for (const nest of [lists, objects]) {
    t.doesNotThrow(() => parseClientJson(nest(DEEPEST_JSON)))
    for (const depth of [DEEPEST_JSON + 1, 200_000]) {
      t.throws(() => parseClientJson(nest(depth)), {
        name: 'SyntaxError',
        message: `it is nested deeper than ${DEEPEST_JSON} levels`,
      })
    }
  }
  t.end()
})

t.test('brackets in strings and adjacent values are not counted as nesting', (t) => {
  const text = '\\"['.repeat(DEEPEST_JSON)
  t.equal((parseClientJson(JSON.stringify({ [text]: text })) as Record<string, string>)[text], text)
  t.equal((parseClientJson(`[${'[],{},'.repeat(DEEPEST_JSON)}1]`) as unknown[]).length, 2 * DEEPEST_JSON + 1)
  const escaped = JSON.stringify(`\\\\`)
  t.throws(
    () => parseClientJson(`[${escaped},${lists(DEEPEST_JSON)}]`),
    /nested deeper/,
    'a backslash before the quote',
  )
  t.throws(() => parseClientJson(`"${'['.repeat(2 * DEEPEST_JSON)}`), SyntaxError, 'a string without an end')
  t.end()
})

t.test('numbers keep their digits', (t) => {
  t.equal(String((parseClientJson('{"n":12345678901234567890}') as { n: unknown }).n), '12345678901234567890')
  t.end()
})
