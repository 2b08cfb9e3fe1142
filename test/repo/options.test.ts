import t from 'tap'
import { checkOptions } from '../../scripts/options/check-options.ts'
import { collectProofs, proofsIn } from '../../scripts/options/collect-proofs.ts'
import { GAPS } from '../../scripts/options/gaps.ts'
import { listOptions } from '../../scripts/options/list-options.ts'
import { listSchemaKeys } from '../../scripts/options/schema-keys.ts'
import { ROOT } from './source-files.ts'

const options = listOptions()

t.test('every option of the schema language has a test that proves it', async (t) => {
  t.strictSame(checkOptions(options, GAPS, collectProofs(ROOT)), [])
})

t.test('the list has every key of schema.json, each option once, each with a text', async (t) => {
  const ids = options.map(({ id }) => id)
  t.ok(ids.length > 200)
  t.strictSame(
    [...listSchemaKeys().keys()].filter((key) => !ids.includes(key)),
    [],
  )
  t.equal(new Set(ids).size, ids.length)
  for (const { id, text } of options) t.not(text, '', id)
})

t.test('the check finds proofs by their marks, and unknown options', async (t) => {
  const [first, second, compile] = ['type.relay', 'field.column', 'error.relay'].map(
    (id) => options.find((option) => option.id === id)!,
  )
  // Written apart, so that nobody takes it for a mark of this file.
  const mark = (ids: string) => `  ${'//'} proves: ${ids}`
  const text = `${mark('type.relay')}\n${mark('field.colum error.relay')}\n  await t.test(\n    'it\\'s two', async`
  const proofs = proofsIn('a.test.ts', text)
  t.strictSame(
    proofs.map(({ id, title, line }) => [id, title, line]),
    [
      ['type.relay', "it's two", 3],
      ['field.colum', "it's two", 3],
      ['error.relay', "it's two", 3],
    ],
  )
  t.strictSame(checkOptions([first!, second!, compile!], { 'type.relay': 'x', nothing: 'x' }, proofs), [
    'a.test.ts:3 proves "type.relay" and opens no database.',
    'a.test.ts:3 proves "field.colum", which is no option. Did you mean "field.column"?',
    '"type.relay" has a test: take it out of scripts/options/gaps.ts.',
    '"field.column" has no test. Write "// proves: field.column" above the one that proves it, against a database.',
    'scripts/options/gaps.ts names "nothing", which is no option.',
  ])
  t.throws(() => proofsIn('a.test.ts', mark('type.relay')), /a\.test\.ts:1: no test follows/)
})
