import t from 'tap'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import metrics from '../../../plugins/metrics/index.ts'
import { createPglite } from '../../helpers/databases.ts'
import { entry } from '../../helpers/kernel.ts'
import { openApp } from '../../helpers/open-app.ts'
import { NOTES } from '../../schemas/notes.ts'

const SQL = `${NOTES.sql}CREATE FUNCTION fn_fail(code text) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION 'no' USING HINT = code; END $$;
`
const SCHEMA: AuthoredSchema = {
  ...NOTES.schema,
  mutations: [{ name: 'fail', type: 'Boolean', sql_source: 'fn_fail', arguments: [{ name: 'code', type: 'String!' }] }],
}

t.test('nothing that a client sends makes a series', async (t) => {
  const database = { kind: 'pglite', url: await createPglite(t, { sql: SQL }) } as const
  const app = await openApp(t, database, SCHEMA, { plugins: [entry(metrics)] })
  const read = async () => (await app.inject({ url: '/metrics' })).text.split('\n').filter((line) => /^\w/.test(line))
  // Each kind of request once, so that what is counted at all is there.
  const flood = async (from: number, to: number) => {
    for (let i = from; i < to; i++) {
      const name = `Attack${i}`
      await app.graphql(`query ${name} { a${i}: notes { b${i}: id } }`)
      await app.graphql(`query ${name} { field${i} }`)
      await app.graphql(`{ ${name}`)
      await app.inject({ url: `/nowhere/${name}?${name}=1`, headers: { 'user-agent': name, 'x-request-id': name } })
      await app.inject({ method: `M${i}`, url: '/graphql' })
    }
  }
  await flood(0, 1)
  // A scrape is a request, too.
  await read()
  const before = await read()
  await flood(1, 150)
  const after = await read()
  t.equal(after.length, before.length)
  t.notMatch(after.join('\n'), /Attack|field\d|M\d|nowhere/)
  t.match(after.join('\n'), /^svc_http_requests_total\{method="\(other\)",status="\d+"\} 150$/m)

  for (let i = 0; i < 300; i++) await app.graphql('mutation ($c: String!) { fail(code: $c) }', { c: `CODE_${i}` })
  const codes = (await read()).filter((line) => line.startsWith('svc_graphql_errors_total{'))
  t.ok(codes.length > 150, 'codes are the author’s')
  t.ok(codes.length <= 201, `${codes.length}: and bounded all the same`)
  t.match(codes.join('\n'), /code="\(other\)"\} \d{2,}/)
})
