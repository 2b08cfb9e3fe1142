import t from 'tap'
import compile from '../../../plugins/policies/compile.ts'
import policies from '../../../plugins/policies/index.ts'
import type { PolicyOptions } from '../../../plugins/policies/options.ts'
import { eachDatabase } from '../../helpers/databases.ts'
import { entry } from '../../helpers/kernel.ts'
import { openApp } from '../../helpers/open-app.ts'
import { as, type TestCaller, testCredential } from '../../helpers/test-credential.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

const ANN = '00000000-0000-4000-8000-00000000000a'
const YEAR = new Date().getUTCFullYear()
const ROWS = `
INSERT INTO person VALUES ('p1', '${ANN}', 'Ann', '${YEAR - 40}-01-01', '${YEAR - 1}-06-01T12:00:00+00:00', 'a');
INSERT INTO person VALUES ('p2', '00000000-0000-4000-8000-00000000000b', 'Bo', '${YEAR - 5}-12-31', NULL, 'b');
INSERT INTO person VALUES ('p3', NULL, 'Zoë 🦊', NULL, NULL, 'c');
`
const COLUMNS = 'id text PRIMARY KEY, owner uuid, name text, born date, seen timestamptz, secret text'
const RULES = {
  owner: 'object.owner == user.id',
  stranger: 'object.owner != user.id',
  not_owner: 'not (object.owner == user.id)',
  adult: 'age(object.born) >= 18',
  minor: 'age(object.born) < user.limit',
  not_adult: 'not (age(object.born) >= 18)',
  short: 'length(object.name) <= 3',
  five: 'length(object.name) == 5',
  named: 'contains(object.name, user.part)',
  unnamed: 'not contains(object.name, user.part)',
  recent: 'age(object.seen, user.until) <= 1',
}
const NAMES = Object.keys(RULES)

const SCHEMA = tableSchema(
  {
    name: 'Person',
    sql_source: 'person',
    list: 'people',
    fields: [
      { name: 'id', type: 'ID!' },
      { name: 'owner', type: 'ID' },
      { name: 'name', type: 'String' },
      { name: 'born', type: 'Date' },
      { name: 'seen', type: 'DateTime' },
      ...NAMES.map((name) => ({ name: `as_${name}`, column: 'secret', type: 'String', authorize: name })),
    ],
  },
  {
    queries: [
      ...NAMES.map((name) => ({ name: `of_${name}`, type: '[Person!]!', sql_source: 'person', requires_policy: name })),
    ],
  },
)
const OPTIONS: PolicyOptions = {
  rules: Object.entries(RULES).map(([name, rule]) => ({ name, rule })),
  policies: [],
  field_auth: [],
  policy_timeout_ms: 200,
}

await eachDatabase(
  t,
  async (t, database) => {
    const app = await openApp(t, database, SCHEMA, {
      plugins: [testCredential(), entry(policies as never, OPTIONS)],
      compile: { parts: [{ plugin: 'policies', part: compile as never, options: OPTIONS }] },
    })
    const masked = async (rule: string, caller: TestCaller) => {
      const field = `as${rule.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}`
      const { data, errors } = await app.graphql(
        `{ people(orderBy: [{ id: ASC }]) { id ${field} } }`,
        undefined,
        as(caller),
      )
      return { shown: data?.people.map((row: Record<string, unknown>) => row[field]), errors: errors ?? [] }
    }
    const rows = async (rule: string, caller: TestCaller) => {
      const name = `of${rule.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}`
      const { data, errors } = await app.graphql(`{ ${name}(orderBy: [{ id: ASC }]) { id } }`, undefined, as(caller))
      return data?.[name].map(({ id }: { id: string }) => id) ?? errors?.map(({ extensions }) => extensions.code)
    }

    await t.test('a claim that is no value of the column masks the field, and only that', async (t) => {
      for (const rule of ['owner', 'stranger', 'not_owner']) {
        const { shown, errors } = await masked(rule, { subject: 'service-x' })
        t.strictSame(shown, [null, null, null], rule)
        t.equal(errors.length, 1)
        t.match(errors[0], { message: /^Forbidden: policy \w+$/, extensions: { code: 'FORBIDDEN' } })
        t.strictSame(errors[0]?.path?.[0], 'people')
        t.strictSame(await rows(rule, { subject: 'service-x' }), ['FORBIDDEN'])
      }
    })

    await t.test('a claim that is one decides row by row, without an error', async (t) => {
      t.strictSame(await masked('owner', { subject: ANN }), { shown: ['a', null, null], errors: [] })
      t.strictSame(await masked('owner', { subject: ANN.toUpperCase() }), { shown: ['a', null, null], errors: [] })
      t.strictSame(await masked('stranger', { subject: ANN }), { shown: [null, 'b', null], errors: [] })
      t.strictSame(await rows('owner', { subject: ANN }), ['p1'])
    })

    await t.test('functions of a field are answered by the database; what is absent fulfils none', async (t) => {
      const cases: readonly (readonly [keyof typeof RULES, object, readonly string[]])[] = [
        ['adult', {}, ['p1']],
        ['not_adult', {}, ['p2']],
        ['minor', { limit: 18 }, ['p2']],
        ['minor', { limit: 99 }, ['p1', 'p2']],
        ['short', {}, ['p1', 'p2']],
        ['five', {}, ['p3']],
        ['named', { part: 'o' }, ['p2', 'p3']],
        ['named', { part: '%' }, []],
        ['unnamed', { part: 'o' }, ['p1']],
        ['recent', { until: `${YEAR - 1}-06-02` }, ['p1']],
        ['recent', { until: `${YEAR - 1}-06-04` }, []],
      ]
      for (const [rule, claims, expected] of cases) {
        const caller = { subject: 'ann', claims: claims as Record<string, unknown> }
        t.strictSame(await rows(rule, caller), expected, `${rule} ${JSON.stringify(claims)}`)
        const { shown, errors } = await masked(rule, caller)
        const values: Readonly<Record<string, string>> = { p1: 'a', p2: 'b', p3: 'c' }
        t.strictSame(
          shown,
          Object.keys(values).map((id) => (expected.includes(id) ? values[id] : null)),
        )
        t.strictSame(errors, [])
      }
      for (const rule of ['minor', 'named', 'unnamed', 'recent']) {
        t.strictSame(await rows(rule, { subject: 'ann' }), ['FORBIDDEN'], `${rule} without the claim`)
      }
    })
  },
  {
    sql: `CREATE TABLE person (${COLUMNS});${ROWS}`,
    sqlite: { sql: `CREATE TABLE person (${COLUMNS});${ROWS}` },
  },
)
