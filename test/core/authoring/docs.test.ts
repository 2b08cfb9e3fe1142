import { readFileSync } from 'node:fs'
import t from 'tap'
import { collectSchema, field, mutation, query, String, scalar, type, union } from '../../../core/authoring/index.ts'
import { withFreshRegistry } from '../../../core/authoring/registry.ts'

t.test('docs/reference/authoring.md describes every option', async (t) => {
  const wrong = { noSuchOption: 1 } as never
  const message = await withFreshRegistry(async () => {
    type('T', { fields: { x: field(String, wrong) }, ...(wrong as object) })
    union('U', [], wrong)
    scalar('S', wrong)
    query('q', String, wrong)
    mutation('m', String, wrong)
    return collectSchema()
  }).catch((error: Error) => error.message)
  const options = [...String_(message).matchAll(/Options: (.*)/g)].flatMap((match) => (match[1] ?? '').split(', '))
  t.ok(options.length > 60)
  const page = readFileSync('docs/reference/authoring.md', 'utf8')
  const missing = [...new Set(options)].filter((name) => !new RegExp(`[\`{, ]${name}[\`}:, ]`).test(page))
  t.strictSame(missing, [])
})

const String_ = (value: unknown): string => `${value}`
