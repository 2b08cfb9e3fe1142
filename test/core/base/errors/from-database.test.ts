import t from 'tap'
import { fromDatabaseError, fromStoredData } from '../../../../core/base/errors/from-database.ts'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import { eachDatabase, openDatabase } from '../../../helpers/databases.ts'

const SQL = `
CREATE TABLE person (
  id int PRIMARY KEY, mail text NOT NULL CONSTRAINT person_mail_key UNIQUE, age int CONSTRAINT grown CHECK (age >= 18),
  boss int CONSTRAINT person_boss_fkey REFERENCES person, seat int4range,
  CONSTRAINT one_seat EXCLUDE USING gist (seat WITH &&), UNIQUE (id, mail));
CREATE UNIQUE INDEX person_folded ON person (lower(mail), (id + 1));
INSERT INTO person VALUES (1, 'a@example.org', 20, NULL, '[1,5)');
CREATE FUNCTION fn_raise(message text, hint text, detail text, state text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF hint IS NULL AND detail IS NULL THEN RAISE EXCEPTION '%', message USING ERRCODE = state;
  ELSIF detail IS NULL THEN RAISE EXCEPTION '%', message USING ERRCODE = state, HINT = hint;
  ELSIF hint IS NULL THEN RAISE EXCEPTION '%', message USING ERRCODE = state, DETAIL = detail;
  ELSE RAISE EXCEPTION '%', message USING ERRCODE = state, HINT = hint, DETAIL = detail;
  END IF;
END $$;
CREATE FUNCTION fn_broken() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT nope FROM person); END $$;
`

t.test('real errors of a database', async (t) => {
  await eachDatabase(
    t,
    async (t, { url }) => {
      const database = await openDatabase(t, url)
      async function failure(text: string, parameters: (string | null)[] = [], source?: string): Promise<SvcError> {
        const error = await database.query({ name: null, text }, parameters, null).then(
          () => t.fail(`no error: ${text}`) as never,
          (reason: unknown) => reason,
        )
        const mapped = fromDatabaseError(error, { source })
        t.equal(mapped.cause, error, 'the cause is kept')
        return mapped
      }
      const raise = (message: string, hint: string | null, detail: string | null = null, state = 'P0001') =>
        failure('SELECT fn_raise($1, $2, $3, $4)', [message, hint, detail, state])

      await t.test('constraints name themselves and no values', async (t) => {
        const unique = await failure(`INSERT INTO person (id, mail) VALUES (2, 'a@example.org')`)
        t.match(unique, {
          code: 'CONFLICT',
          status: 409,
          message: 'There is already a row with the same value of "mail" (constraint "person_mail_key").',
          details: { constraint: 'person_mail_key', column: 'mail' },
        })
        t.notMatch(JSON.stringify([unique.message, unique.details]), /example/)
        await database.script(`INSERT INTO person VALUES (8, 'B@example.org', 20)`)
        const cases: [string, string, RegExp, object | undefined][] = [
          [
            `INSERT INTO person (id) VALUES (3)`,
            'CONSTRAINT_VIOLATION',
            /A value of "mail" is missing/,
            { column: 'mail' },
          ],
          [
            `INSERT INTO person VALUES (3, 'c', 3)`,
            'CONSTRAINT_VIOLATION',
            /constraint "grown"/,
            { constraint: 'grown' },
          ],
          [
            `INSERT INTO person VALUES (3, 'c', 30, 99)`,
            'CONSTRAINT_VIOLATION',
            /referred to.*person_boss_fkey/,
            { constraint: 'person_boss_fkey' },
          ],
          [
            `INSERT INTO person VALUES (3, 'c', 30, 1, '[2,3)')`,
            'CONSTRAINT_VIOLATION',
            /overlaps.*one_seat/,
            undefined,
          ],
        ]
        for (const [text, code, message, details] of cases) {
          const error = await failure(text)
          t.match(error, { code, status: 400, message, ...(details && { details }) }, text)
          t.ok(error.exposed)
        }
      })

      await t.test('values', async (t) => {
        const cases: [string, (string | null)[], RegExp][] = [
          ['SELECT $1::uuid', ['secret'], /^A value is not a valid uuid\.$/],
          ['SELECT $1::int', ['x'], /not a valid integer/],
          ['SELECT $1::int', ['99999999999'], /out of range/],
          ['SELECT $1::date', ['2024-13-45'], /date or time/],
          ['SELECT $1::timestamptz', ['yesterday-ish'], /date or time/],
          ['SELECT 1 / $1::int', ['0'], /division by zero/],
          ['SELECT $1::text', ['a\0b'], /character that the database cannot store/],
          ['SELECT $1::jsonb', ['{'], /not a valid json/],
          [`SELECT jsonb_path_query('[]', 'strict $.a')`, [], /not valid in its place/],
        ]
        for (const [text, parameters, message] of cases) {
          const error = await failure(text, parameters)
          t.match(error, { code: 'BAD_USER_INPUT', status: 400, message, details: undefined }, text)
          t.notMatch(error.message, /secret|SELECT/)
        }
        await database.script('CREATE TABLE short (a varchar(2))')
        t.match(await failure(`INSERT INTO short VALUES ('abc')`), { code: 'BAD_USER_INPUT', message: /longer/ })
      })

      await t.test('errors that functions raise', async (t) => {
        t.match(await raise('There is no such user.', 'NOT_FOUND'), {
          code: 'NOT_FOUND',
          status: 404,
          message: 'There is no such user.',
          details: undefined,
        })
        t.match(await raise('Too poor.', 'INSUFFICIENT_FUNDS', 'needs 5'), {
          code: 'INSUFFICIENT_FUNDS',
          status: 422,
          message: 'Too poor.',
          details: { detail: 'needs 5' },
        })
        t.match(await raise('Plain.', null), {
          code: 'INVALID_INPUT',
          status: 422,
          message: 'Plain.',
          details: undefined,
        })
        t.match(await raise('Advice.', 'Try again with less'), {
          code: 'INVALID_INPUT',
          message: 'Advice.',
          details: { hint: 'Try again with less' },
        })
        t.match(await raise('Own state.', null, null, 'ZZ123'), { code: 'INVALID_INPUT', message: 'Own state.' })
        t.match(await raise('Taken.', null, null, '23505'), { code: 'CONFLICT', message: 'Taken.' })
        t.match(await raise('Not you.', null, null, '42501'), { code: 'FORBIDDEN', message: 'Not you.' })
        const operator = await raise('x', 'SVC_BOOT_FAILED')
        t.match(operator, { code: 'INVALID_INPUT', details: { hint: 'SVC_BOOT_FAILED' } }, 'no way to an operator code')
      })

      await t.test('sources that changed since the compile are named', async (t) => {
        const gone = await failure('SELECT * FROM v_gone', [], 'v_gone')
        t.match(gone, { code: 'DATABASE_ERROR', status: 500, message: /^"v_gone" has changed .* compile/ })
        for (const text of ['SELECT fn_gone()', 'SELECT gone FROM person', 'SELECT 1 FROM no_schema.x']) {
          const error = await failure(text)
          t.match(error, { code: 'DATABASE_ERROR', message: /^A source of this operation has changed/ }, text)
          t.notMatch(error.message, /SELECT/)
        }
        const broken = await failure('SELECT fn_broken()', [], 'fn_broken')
        t.match(broken, { code: 'DATABASE_ERROR', message: '"fn_broken" failed in the database.' })
      })
    },
    { sql: SQL },
  )
})

t.test('other states', async (t) => {
  const state = (code: string, more = {}) => Object.assign(new Error('in the words of the driver'), { code, ...more })
  for (const [code, expected] of [
    ['42501', 'FORBIDDEN'],
    ['57014', 'TIMEOUT'],
    ['40001', 'TRANSACTION_FAILED'],
    ['40P01', 'TRANSACTION_FAILED'],
    ['08006', 'SERVICE_UNAVAILABLE'],
    ['57P01', 'SERVICE_UNAVAILABLE'],
    ['53300', 'SERVICE_UNAVAILABLE'],
    ['ECONNREFUSED', 'SERVICE_UNAVAILABLE'],
    ['EAI_AGAIN', 'SERVICE_UNAVAILABLE'],
    ['XX000', 'DATABASE_ERROR'],
    ['53200', 'DATABASE_ERROR'],
    ['23514', 'CONSTRAINT_VIOLATION'],
    ['22000', 'BAD_USER_INPUT'],
  ] as const) {
    const error = fromDatabaseError(state(code))
    t.match(error, { code: expected, retryAfter: expected === 'SERVICE_UNAVAILABLE' ? 1 : undefined }, code)
    t.notMatch(error.message, /words of the driver/)
  }
  for (const code of ['08006', '57P01', '53300']) {
    t.match(fromDatabaseError(state(code, { severity: 'ERROR' })), { code: 'DATABASE_ERROR' }, `${code}, an ERROR`)
    t.match(fromDatabaseError(state(code, { severity: 'FATAL' })), { code: 'SERVICE_UNAVAILABLE' }, `${code}, FATAL`)
  }
  t.match(fromDatabaseError({ code: 'P0001' }), { code: 'INVALID_INPUT', message: 'The function refused.' })
  t.match(fromDatabaseError({ code: '22P02' }), { code: 'BAD_USER_INPUT' })
})

t.test('a value that a read stumbles over is a stored one', async (t) => {
  const state = (code: string, more = {}) => Object.assign(new Error('bad "x"'), { code, ...more })
  const stored = fromStoredData(state('22P02'), 'v_post', ['Post.made', 'Post.day'])
  t.match(stored, { code: 'INTERNAL_SERVER_ERROR', message: 'A value that is stored in "v_post" cannot be read.' })
  t.match((stored!.cause as Error).message, 'Reading "v_post" (Post.made, Post.day): bad "x"')
  t.match(fromStoredData({ code: '22012' }, null, []), {
    cause: { message: 'Reading a source of this operation (a field of its filter or order): 22012' },
  })
  t.match(fromStoredData(state('22003', { where: 'SQL statement "SELECT $1"\nin f' }), 'v', []), { status: 500 })
  t.equal(fromStoredData(state('22P02', { where: "unnamed portal parameter $1 = 'x'" }), 'v', []), null)
  t.equal(fromStoredData(state('22P02', { ofParameter: true }), 'v', []), null)
  t.equal(fromStoredData(state('22P02', { routine: 'exec_stmt_raise' }), 'v', []), null)
  t.equal(fromStoredData(state('23505'), 'v', []), null)
  t.equal(fromStoredData(new TypeError('bug'), 'v', []), null)
})

t.test('errors that are not from the database', async (t) => {
  const own = new SvcError('NOT_FOUND', 'x')
  t.equal(fromDatabaseError(own), own)
  for (const error of [new TypeError('bug'), { code: 5 }, { code: 'ERR_X' }, null, undefined, 'text']) {
    t.match(fromDatabaseError(error), { code: 'INTERNAL_SERVER_ERROR', status: 500, message: 'The request failed.' })
  }
})
