import t from 'tap'
import { fromDatabaseError } from '../../../core/base/errors/from-database.ts'
import { SvcError } from '../../../core/base/errors/svc-error.ts'
import type { Scope } from '../../../core/contract/scope.ts'
import errorSanitization, { createSanitizer } from '../../../plugins/error-sanitization/index.ts'
import type { SanitizationOptions } from '../../../plugins/error-sanitization/options.ts'
import { createBareDatabase } from '../../helpers/bare-app.ts'
import { entry, plugin } from '../../helpers/kernel.ts'
import type { TestLike } from '../../helpers/services.ts'
import { openBareShop } from '../graphql/open-bare-shop.ts'

const DEFAULTS: SanitizationOptions = {
  enabled: true,
  hide_implementation_details: true,
  sanitize_database_errors: true,
  custom_error_message: 'An internal error occurred',
}
const driver = (code: string, more: object = {}) =>
  Object.assign(new Error('relation "tb_secret" on db.internal'), { code, severity: 'ERROR', ...more })

/** What becomes of an error, as the kernel shows it to the hook. */
function told(error: SvcError, options: Partial<SanitizationOptions> = {}) {
  const { code, message, status, details = {}, retryAfter } = error
  const shown = { code, message, status, details, retryAfter }
  const changed = createSanitizer({ ...DEFAULTS, ...options })(shown, { error }) ?? shown
  return [changed.code, changed.message, changed.details]
}
const HIDDEN = 'An internal error occurred'
const of = (code: string, more: object = {}) => fromDatabaseError(driver(code, more), { source: 'v_user' })

t.test('replaced messages, removed details, unchanged errors', async (t) => {
  t.same(told(of('XX000')), ['DATABASE_ERROR', HIDDEN, {}])
  t.same(told(of('42P01')), ['DATABASE_ERROR', HIDDEN, {}], 'no name of a view')
  t.same(told(of('40001')), ['TRANSACTION_FAILED', HIDDEN, {}])
  const stored = new SvcError('INTERNAL_SERVER_ERROR', 'A value that is stored in "v_user" cannot be read.', {
    details: { errorId: 'x', view: 'v_user' },
  })
  t.same(told(stored), ['INTERNAL_SERVER_ERROR', HIDDEN, {}])
  const unique = of('23505', { constraint: 'tb_user_email_key', detail: 'Key (email)=(a) already exists.' })
  t.same(told(unique), ['CONFLICT', 'There is already a row with the same value of "email".', { column: 'email' }])
  const foreign = of('23503', { constraint: 'fk"x' })
  t.notMatch(told(of('23514', { constraint: 'ck_age' }))[1], /ck_age/)
  t.notMatch(JSON.stringify(told(foreign)[2]), /fk/)
  const raised = of('P0001', {
    routine: 'exec_stmt_raise',
    message: 'No stock left.',
    hint: 'OUT_OF_STOCK',
    detail: 'SELECT * FROM tb_stock',
  })
  t.same(told(raised), ['OUT_OF_STOCK', 'No stock left.', {}], "the author's words to clients")
  t.same(told(of('P0001', { routine: 'exec_stmt_raise', message: 'Ask Ann.', hint: 'see the wiki' })), [
    'INVALID_INPUT',
    'Ask Ann.',
    {},
  ])
  t.same(
    told(of('P0001', { routine: 'exec_stmt_raise', message: 'x', hint: 'INTERNAL_ERROR' })),
    ['INTERNAL_ERROR', HIDDEN, {}],
    'the old name',
  )

  for (const code of [
    'VALIDATION_ERROR',
    'FORBIDDEN',
    'NOT_FOUND',
    'UNAUTHENTICATED',
    'BAD_USER_INPUT',
    'CONFLICT',
    'RATE_LIMITED',
    'MINE',
  ]) {
    const details = { detail: 'said by a hook', hint: 'and so is this', constraint: 'x', path: '/a/b' }
    t.same(
      told(new SvcError(code, 'At /srv/app/x.ts (constraint "y")', { details })),
      [code, 'At /srv/app/x.ts (constraint "y")', details],
      `${code} is left alone`,
    )
  }
  const away = new SvcError('SERVICE_UNAVAILABLE', 'The database cannot be reached.', { retryAfter: 1 })
  t.equal(told(away)[1], 'The database cannot be reached.')
  const plugin = new SvcError(
    'TIMEOUT',
    'Late: /srv/app/dist/x.js:10:5, file:///srv/app/y.ts, C:\\app\\z.ts\n    at f (/srv/app/x.js:1:2)\n    at g',
  )
  t.equal(told(plugin)[1], 'Late: …, …, …')
})

t.test('the two switches, each by itself', async (t) => {
  const lax = { hide_implementation_details: false }
  t.same(told(of('XX000'), lax), ['DATABASE_ERROR', HIDDEN, {}])
  t.same(told(new SvcError('INTERNAL_SERVER_ERROR', 'Ours.'), lax)[1], 'Ours.')
  t.same(
    told(new SvcError('INTERNAL_SERVER_ERROR', 'Ours.', { cause: driver('22P02') }), lax)[1],
    HIDDEN,
    'behind which the database stands',
  )
  t.equal(told(new SvcError('TIMEOUT', 'x /a/b/c.ts'), lax)[1], 'x /a/b/c.ts')
  const keeps = { sanitize_database_errors: false }
  t.equal(told(of('XX000'), keeps)[1], '"v_user" failed in the database.')
  t.match(told(of('23505', { constraint: 'k', detail: 'Key (email)=(a) already exists.' }), keeps), [
    'CONFLICT',
    /constraint "k"/,
    { constraint: /^k$/ },
  ])
  t.equal(told(new SvcError('INTERNAL_SERVER_ERROR', 'Ours.'), keeps)[1], HIDDEN)
  t.equal(told(of('XX000'), { custom_error_message: 'Oh.' })[1], 'Oh.')
})

t.test('long and odd texts take no time', async (t) => {
  const started = performance.now()
  for (const text of [
    '\n'.repeat(1e6),
    '/a'.repeat(1e6),
    `/${'a'.repeat(1e6)}`,
    '\n at '.repeat(1e5),
    ' (constraint "'.repeat(1e5),
  ])
    for (const code of ['TIMEOUT', 'CONFLICT']) told(new SvcError(code, text, { cause: driver('23505') }))
  t.ok(performance.now() - started < 3000)
})

/** Every front, with a plugin that fails in its own way on each. */
async function failOnEveryFront(t: TestLike, enabled: boolean) {
  const SECRET = 'password authentication failed for db.internal'
  let scope = null as Scope | null
  const failing = plugin('failing', (given: Scope) => {
    scope = given
    const fail = (): never => {
      throw Object.assign(new Error(SECRET), { code: 'XX000', stack: `Error\n at ${SECRET}` })
    }
    given.route({ method: 'GET', path: '/fails', handler: fail })
    given.route({ method: 'GET', path: '/rejects', handler: async () => fail() })
    given.route({
      method: 'GET',
      path: '/exposed',
      handler: () => {
        throw new SvcError('DATABASE_ERROR', SECRET, { details: { sql: SECRET } })
      },
    })
    given.on('onRequest', (ctx, next) => (ctx.headers['x-fail'] === undefined ? next() : fail()))
  })
  const sanitizing = enabled
    ? [entry(errorSanitization as never, { enabled: true, custom_error_message: 'Hidden.' })]
    : []
  const database = createBareDatabase({
    query: async () => {
      throw driver('XX000', { message: SECRET })
    },
  })
  const app = await openBareShop(t, [entry(failing), ...sanitizing], { defaultPolicy: 'public', database })
  const ask = async (url: string, headers: Record<string, string> = {}, body?: unknown) =>
    (await app.inject({ url, headers, ...(body === undefined ? {} : { body }) })).text
  const query = { query: '{ users { id } }' }
  const entered = await scope!.pipeline.enter({ transport: 'stdio' }, () => {
    throw new Error(SECRET)
  })
  return {
    app,
    SECRET,
    texts: {
      route: await ask('/fails'),
      async: await ask('/rejects'),
      exposed: await ask('/exposed'),
      hook: await ask('/anything', { 'x-fail': '1' }),
      'graphql hook': await ask('/graphql', { 'x-fail': '1' }, query),
      graphql: await ask('/graphql', {}, query),
      'graphql get': await ask(`/graphql?query=${encodeURIComponent(query.query)}`),
      entered: String(entered.body),
    },
  }
}

t.test('every front says the same, and the log has it all', async (t) => {
  const { app, SECRET, texts } = await failOnEveryFront(t, true)
  for (const [name, text] of Object.entries(texts)) {
    t.match(text, /"message":"Hidden\."/, name)
    t.notMatch(text, /db\.internal|password|v_|Error\\n/, name)
    const { errorId } = /"errorId":"(?<errorId>[0-9a-f-]{36})"/.exec(text)?.groups ?? {}
    const logged = app.signals.find((signal) => signal.type === 'request-failed' && signal.errorId === errorId)
    t.ok(logged, `${name}: found by its errorId`)
  }
  t.ok(
    app.signals.some(
      (signal) => signal.type === 'request-failed' && String((signal.error as Error).message).includes(SECRET),
    ),
  )
  const off = await failOnEveryFront(t, false)
  for (const [name, text] of Object.entries(off.texts)) {
    if (name !== 'exposed')
      t.notMatch(text, /db\.internal|password/, `${name}: no driver's text leaves without it either`)
  }
  t.match(off.texts.exposed, /db\.internal/, 'what an author exposes is told')
})
