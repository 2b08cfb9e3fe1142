import t from 'tap'
import { CODES, describeCode } from '../../../../core/base/errors/codes.ts'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'

t.test('status and exposure come from the table', async (t) => {
  for (const [code, { status, exposed }] of Object.entries(CODES)) {
    const error = new SvcError(code, 'text')
    t.equal(error.status, status, code)
    t.equal(error.exposed, exposed, code)
    t.equal(exposed, !code.startsWith('SVC_'), `${code}: operator errors never leave`)
  }
})

t.test("a code of the schema's author is exposed with 422; an operator code of a plugin stays inside", async (t) => {
  t.match(describeCode('OUT_OF_STOCK'), { status: 422, exposed: true })
  t.match(describeCode('SVC_AUDIT_SINK'), { status: 500, exposed: false })
  t.match(describeCode('toString'), { status: 422 })
})

t.test('options are kept; the status can be overridden', async (t) => {
  const cause = new Error('driver')
  const error = new SvcError('CONFLICT', 'taken', {
    details: { reason: 'email' },
    cause,
    locations: [{ line: 1, column: 2 }],
    status: 412,
    retryAfter: 3,
  })
  t.match(error, { name: 'SvcError', code: 'CONFLICT', message: 'taken', status: 412, retryAfter: 3 })
  t.same(error.details, { reason: 'email' })
  t.equal(error.cause, cause)
  t.notOk('cause' in new SvcError('CONFLICT', 'taken'))
})

t.test('at: sets the path once, keeps the rest', async (t) => {
  const error = new SvcError('CONFLICT', 'taken', { status: 412, details: { a: 1 } })
  const placed = error.at(['users', 0])
  t.same(placed.path, ['users', 0])
  t.match(placed, { code: 'CONFLICT', message: 'taken', status: 412, details: { a: 1 } })
  t.equal(placed.at(['other']), placed)
  t.equal(error.path, undefined)
})
