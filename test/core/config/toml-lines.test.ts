import fc from 'fast-check'
import { parse, stringify } from 'smol-toml'
import t from 'tap'
import { isTable, printKey } from '../../../core/config/key-path.ts'
import { locateKeys } from '../../../core/config/toml-lines.ts'

t.test('lines of tables, keys, inline tables and arrays of tables', async (t) => {
  const text = `# comment with [brackets] = "x"
title = "a # b"
[server]
port = 1 # [not a table]
tls = {
  enabled = true,
  # { comment
  min_version = "1.3", }
text = """
[inside]
key = 1
"""
literal = '''
[inside2]'''
after = 1
"quoted key" . b = 2
[[plugins.use]]
package = "a"
[[plugins.use]]
path = 'c:\\d'
options = { list = [
  { deep = 1 },
  { deep = 2 } ] }
[plugins.use.more]
x = 1979-05-27T07:32:00Z
`
  parse(text)
  const lines = locateKeys(text)
  t.strictSame(Object.fromEntries(lines), {
    title: 2,
    server: 3,
    'server.port': 4,
    'server.tls': 5,
    'server.tls.enabled': 6,
    'server.tls.min_version': 8,
    'server.text': 9,
    'server.literal': 13,
    'server.after': 15,
    'server."quoted key"': 16,
    'server."quoted key".b': 16,
    plugins: 17,
    'plugins.use': 17,
    'plugins.use[0]': 17,
    'plugins.use[0].package': 18,
    'plugins.use[1]': 19,
    'plugins.use[1].path': 20,
    'plugins.use[1].options': 21,
    'plugins.use[1].options.list': 21,
    'plugins.use[1].options.list[0]': 22,
    'plugins.use[1].options.list[0].deep': 22,
    'plugins.use[1].options.list[1]': 23,
    'plugins.use[1].options.list[1].deep': 23,
    'plugins.use[1].more': 24,
    'plugins.use[1].more.x': 25,
  })
})

t.test('escapes and quotes at the end of strings do not end them early', async (t) => {
  const text = String.raw`a = "x\"y"`.concat('\nb = """q""""\nc = "\\\\"\nd = 1\n')
  parse(text)
  t.strictSame(
    [...locateKeys(text).entries()],
    [
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['d', 4],
    ],
  )
})

t.test('every key of any document is found', async (t) => {
  const key = fc.string({ minLength: 1, maxLength: 6 }).filter((name) => name !== '__proto__')
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { maxLength: 3 }))
  const document = fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf)))))
  fc.assert(
    fc.property(document, (value) => {
      const text = stringify(value)
      const lines = locateKeys(text)
      const walk = (table: object, path: readonly string[]): void => {
        for (const [name, inner] of Object.entries(table)) {
          const line = lines.get(printKey([...path, name]))
          if (line === undefined) throw new Error(`${printKey([...path, name])} has no line in:\n${text}`)
          if (isTable(inner)) walk(inner, [...path, name])
        }
      }
      walk(parse(text), [])
    }),
    { numRuns: 300 },
  )
  t.pass('all found')
})
