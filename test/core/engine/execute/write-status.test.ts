import t from 'tap'
import { type Failure, failureOf, isNoop, isSuccess } from '../../../../core/engine/plan/write/write-status.ts'

const none: Failure = {
  status: '',
  message: null,
  code: null,
  field: null,
  errorClass: null,
  httpStatus: null,
  detail: null,
}

t.test('statuses that succeed', async (t) => {
  for (const status of ['success', 'ok', 'new', 'created', 'updated', 'deleted', 'noop', 'noop:unchanged', 'CREATED']) {
    t.ok(isSuccess(status), status)
  }
  t.ok(isNoop('noop:already_there'))
  t.notOk(isNoop('created'))
})

t.test('statuses that fail, and what is no status', async (t) => {
  for (const status of ['failed:x', 'failed', 'error', 'error:x', 'conflict:x', 'not_found:x', 'forbidden:x']) {
    t.notOk(isSuccess(status), status)
  }
  for (const status of ['', 'done', 'okay', 'successful', 'failure', 'newish', ' ok'])
    t.notOk(isSuccess(status), status)
})

t.test('code, message, reason and HTTP status of a failure', async (t) => {
  const cases: readonly (readonly [Partial<Failure>, string, string, unknown, number])[] = [
    [{ status: 'failed:not_found', message: 'author not found' }, 'NOT_FOUND', 'author not found', undefined, 404],
    [{ status: 'failed:out of stock' }, 'OUT_OF_STOCK', 'buy: out of stock', { reason: 'out of stock' }, 422],
    [{ status: 'failed:' }, 'INVALID_INPUT', 'buy: failed', undefined, 422],
    [{ status: 'failed:42' }, 'INVALID_INPUT', 'buy: 42', { reason: '42' }, 422],
    [{ status: 'failed:svc_boot_failed' }, 'INVALID_INPUT', 'buy: svc_boot_failed', { reason: 'svc_boot_failed' }, 422],
    [{ status: 'error' }, 'INVALID_INPUT', 'buy: error', undefined, 422],
    [{ status: 'error:card_declined' }, 'CARD_DECLINED', 'buy: card_declined', undefined, 422],
    [
      { status: 'conflict:duplicate_email', message: '' },
      'CONFLICT',
      'buy: duplicate_email',
      { reason: 'duplicate_email' },
      409,
    ],
    [{ status: 'not_found:user' }, 'NOT_FOUND', 'buy: user', { reason: 'user' }, 404],
    [{ status: 'forbidden:owner', message: 'no' }, 'FORBIDDEN', 'no', { reason: 'owner' }, 403],
    [{ status: 'failed', code: 'bad_email', field: 'email' }, 'BAD_EMAIL', 'buy: failed', { field: 'email' }, 422],
    [
      { status: 'error:taken', errorClass: 'conflict', detail: '{"a":1}' },
      'CONFLICT',
      'buy: taken',
      { detail: { a: 1 } },
      409,
    ],
    [{ status: 'error:', errorClass: 'validation' }, 'VALIDATION_ERROR', 'buy: error', undefined, 422],
    [{ status: 'error:', errorClass: 'rate_limited' }, 'RATE_LIMITED', 'buy: error', undefined, 429],
    [
      { status: 'error:', errorClass: 'not_found', httpStatus: '410', detail: 'null' },
      'NOT_FOUND',
      'buy: error',
      undefined,
      410,
    ],
    [{ status: 'error:', errorClass: 'not_found', httpStatus: '9' }, 'NOT_FOUND', 'buy: error', undefined, 404],
  ]
  for (const [failure, code, message, details, status] of cases) {
    const error = failureOf({ ...none, ...failure }, 'buy')
    t.same([error.code, error.message, error.details, error.status], [code, message, details, status])
  }
})
