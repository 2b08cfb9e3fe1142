import t from 'tap'
import { parse } from 'yaml'
import { listFiles, read } from './source-files.ts'

interface Form {
  readonly name?: string
  readonly description?: string
  readonly body?: readonly {
    readonly type?: string
    readonly id?: string
    readonly attributes?: { readonly label?: string }
  }[]
}

/** GitHub shows a form with a fault as nothing at all, and says so nowhere else. */
function faultsOf(form: Form): readonly string[] {
  const faults: string[] = []
  if (!form.name) faults.push('no name')
  if (!form.description) faults.push('no description')
  const questions = (form.body ?? []).filter(({ type }) => type !== 'markdown')
  if (questions.length === 0) faults.push('no question')
  for (const { type, id, attributes } of questions) {
    if (!['textarea', 'input', 'dropdown', 'checkboxes'].includes(type ?? '')) faults.push(`unknown type ${type}`)
    if (!attributes?.label) faults.push(`${id}: no label`)
    if (questions.filter((other) => other.id === id).length > 1) faults.push(`${id}: not unique`)
  }
  return faults
}

t.test('every issue form is one that GitHub shows', async (t) => {
  const forms = listFiles('.github/ISSUE_TEMPLATE', '.yml')
  t.ok(forms.length >= 3, 'the forms are found')
  for (const file of forms) t.strictSame(faultsOf(parse(read(file)) as Form), [], file)
})

t.test('a faulty form is refused', async (t) => {
  t.strictSame(faultsOf({}), ['no name', 'no description', 'no question'])
  const twice = { type: 'input', id: 'a', attributes: { label: 'A' } }
  t.strictSame(faultsOf({ name: 'n', description: 'd', body: [twice, twice, { type: 'text', id: 'b' }] }), [
    'a: not unique',
    'a: not unique',
    'unknown type text',
    'b: no label',
  ])
})
